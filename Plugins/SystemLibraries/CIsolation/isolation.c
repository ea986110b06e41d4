#define _GNU_SOURCE
#include "CIsolation.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t isolation_send(int socket, const void *bytes, size_t count, int descriptor) {
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t isolation_receive(int socket, void *bytes, size_t count, int *descriptor) {
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    *descriptor = -1;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received <= 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        if (header->cmsg_len >= CMSG_LEN(sizeof(int))) memcpy(descriptor, CMSG_DATA(header), sizeof(int));
    }
    return received;
}

static const int fixed_size = F_SEAL_SHRINK | F_SEAL_GROW;

int isolation_create_memory(size_t byte_count) {
    int memory = memfd_create("swift-flowplayer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    if (ftruncate(memory, (off_t)byte_count) == 0 && fcntl(memory, F_ADD_SEALS, fixed_size | F_SEAL_SEAL) == 0) return memory;
    close(memory);
    return -1;
}

bool isolation_has_fixed_size(int descriptor, size_t byte_count) {
    struct stat status;
    int seals = fcntl(descriptor, F_GET_SEALS);
    return seals >= 0 && (seals & fixed_size) == fixed_size && fstat(descriptor, &status) == 0 &&
           (size_t)status.st_size == byte_count;
}

int isolation_spawn(pid_t *process, const char *path, int socket, char *const environment[]) {
    char *const arguments[] = {(char *)path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, 3);
    posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    // Threads of the dispatch library block signals, and a program inherits what is blocked.
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    // Its own process group: Ctrl-C at the terminal is for the host, which closes the engine.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool isolation_drop_privileges(void) {
    struct rlimit no_dump = {0, 0};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && setrlimit(RLIMIT_CORE, &no_dump) == 0;
}

bool isolation_limit_writing(const char *const folders[], size_t count) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return false;
    struct landlock_ruleset_attr rules = {
        .handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                             LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                             LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                             LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (ruleset < 0) return false;
    for (size_t index = 0; index < count; index++) {
        struct landlock_path_beneath_attr rule = {
            .allowed_access = rules.handled_access_fs, .parent_fd = open(folders[index], O_PATH | O_CLOEXEC)};
        if (rule.parent_fd < 0) continue;
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        close(rule.parent_fd);
    }
    bool isLimited = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return isLimited;
}
