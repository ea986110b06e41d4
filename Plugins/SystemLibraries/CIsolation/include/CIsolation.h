// The calls of the kernel that Swift's C library module does not show.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Sends bytes, and a descriptor with the first of them if it is not negative. Returns the number of bytes that were sent, or -1.
ssize_t isolation_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives bytes, and a descriptor if one comes with them; else `*descriptor` is -1. Returns 0 at the end, and -1 on errors: `EAGAIN` if
/// nothing is there and it must not wait.
ssize_t isolation_receive(int socket, void *bytes, size_t count, bool waits, int *descriptor);

/// Creates memory for several processes, whose size can never change. Returns its descriptor, or -1.
int isolation_create_memory(size_t byte_count);

/// `true` if the size of the memory can never change, so that no access to it can fail.
bool isolation_has_fixed_size(int descriptor, size_t byte_count);

/// Starts a program with two sockets as descriptors 3 and 4, and no other descriptor of this process but that of error messages.
/// Returns 0, or the number of an error.
int isolation_spawn(pid_t *process, const char *path, int messages, int frames, char *const environment[]);

// The protections hold for threads that start later, so a process calls these functions before it starts threads.

/// Forbids new privileges. The other protections need it.
bool isolation_drop_privileges(void);

/// Limits the memory and the size of a file that is written, in bytes. Forbids memory dumps.
bool isolation_limit_resources(uint64_t memory, uint64_t file);

/// Lets Landlock forbid everything but the reading and writing of these files and folders, each a list that ends with `NULL`.
///
/// `port` is the only TCP port to connect to; 0 for none, -1 for all. Returns 0 if the kernel has no Landlock, 1 if the files are limited,
/// and 2 if TCP is limited too.
int isolation_limit_access(const char *const readable[], const char *const writable[], int32_t port);

/// Refuses the system calls that no engine needs, and sockets that are neither of this machine nor of TCP.
///
/// A connection to an address of IPv6 is never made: the call returns `EINPROGRESS`, see `HostConnections`. `limits_network` is false for
/// engines that need other sockets.
bool isolation_filter_calls(bool limits_network);
