// The calls of the kernel that Swift's C library module does not show.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// Sends bytes, and a descriptor with the first of them if it is not negative. Returns the number of bytes that were sent, or -1.
ssize_t isolation_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives bytes, and a descriptor if one comes with them; else `*descriptor` is -1. Returns 0 at the end, and -1 on errors.
ssize_t isolation_receive(int socket, void *bytes, size_t count, int *descriptor);

/// Creates memory for several processes, whose size can never change. Returns its descriptor, or -1.
int isolation_create_memory(size_t byte_count);

/// `true` if the size of the memory can never change, so that no access to it can fail.
bool isolation_has_fixed_size(int descriptor, size_t byte_count);

/// Starts a program with a socket as descriptor 3, and no other descriptors than those of input, output and errors.
/// Returns 0, or the number of an error.
int isolation_spawn(pid_t *process, const char *path, int socket, char *const environment[]);

/// Forbids new privileges, and writes no memory dumps.
bool isolation_drop_privileges(void);

/// Allows this process to write below these folders only. Returns `false` if the kernel cannot.
bool isolation_limit_writing(const char *const folders[], size_t count);
