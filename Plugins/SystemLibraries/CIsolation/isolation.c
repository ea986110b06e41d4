#define _GNU_SOURCE
#include "CIsolation.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
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

ssize_t isolation_receive(int socket, void *bytes, size_t count, bool waits, int *descriptor) {
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    // The space has room for two descriptors. The system closes those for which there is no length.
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = CMSG_LEN(sizeof(int))};
    *descriptor = -1;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
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

int isolation_spawn(pid_t *process, const char *path, int messages, int frames, char *const environment[]) {
    char *const arguments[] = {(char *)path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    // Both are higher than 4, so neither replaces the other.
    int sockets[] = {fcntl(messages, F_DUPFD_CLOEXEC, 5), fcntl(frames, F_DUPFD_CLOEXEC, 5)};
    for (int i = 0; i < 2; i++) posix_spawn_file_actions_adddup2(&actions, sockets[i], 3 + i);
    posix_spawn_file_actions_addclosefrom_np(&actions, 5);
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
    for (int i = 0; i < 2; i++) close(sockets[i]);
    return error;
}

bool isolation_drop_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0; }

bool isolation_limit_resources(uint64_t memory, uint64_t file) {
    struct rlimit no_dump = {0, 0}, memory_limit = {memory, memory}, file_limit = {file, file};
    return setrlimit(RLIMIT_CORE, &no_dump) == 0 && setrlimit(RLIMIT_DATA, &memory_limit) == 0 &&
           setrlimit(RLIMIT_FSIZE, &file_limit) == 0;
}

// The kernel's header may be older than the kernel.
struct access_rules {
    __u64 files, network, scopes;
};
struct port_rule {
    __u64 access, port;
};
enum {
    rule_for_port = 2,
    refer_to_files = 1 << 13,
    truncate_files = 1 << 14,
    bind_tcp = 1 << 0,
    connect_tcp = 1 << 1,
    scope_signals = 1 << 1,
};

static const __u64 read_access = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const __u64 file_access =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_files;

static void allow(int ruleset, const char *const paths[], __u64 access) {
    for (; *paths; paths++) {
        struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = open(*paths, O_PATH | O_CLOEXEC)};
        struct stat status;
        if (rule.parent_fd < 0) continue;
        if (fstat(rule.parent_fd, &status) == 0) {
            if (!S_ISDIR(status.st_mode)) rule.allowed_access &= file_access;
            syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        }
        close(rule.parent_fd);
    }
}

int isolation_limit_access(const char *const readable[], const char *const writable[], int32_t port) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return 0;
    struct access_rules rules = {.files = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1};
    size_t size = sizeof rules.files;
    if (version >= 2) rules.files |= refer_to_files;
    if (version >= 3) rules.files |= truncate_files;
    bool limits_network = version >= 4 && port >= 0;
    if (version >= 4) size = offsetof(struct access_rules, scopes);
    if (limits_network) rules.network = bind_tcp | connect_tcp;
    if (version >= 6) {
        rules.scopes = scope_signals;
        size = sizeof rules;
    }
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (ruleset < 0) return 0;
    allow(ruleset, readable, rules.files & read_access);
    allow(ruleset, writable, rules.files & ~LANDLOCK_ACCESS_FS_EXECUTE);
    if (limits_network && port > 0) {
        struct port_rule rule = {.access = connect_tcp, .port = (__u64)port};
        syscall(SYS_landlock_add_rule, ruleset, rule_for_port, &rule, 0);
    }
    bool is_limited = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return !is_limited ? 0 : limits_network ? 2 : 1;
}

// The numbers of the system calls that no engine needs: other programs, other processes, the system, and ways around this list.
static const __u16 forbidden_calls[] = {
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig,
    SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_add_key, SYS_request_key, SYS_keyctl,
    SYS_open_by_handle_at, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_reboot, SYS_swapon, SYS_swapoff,
    SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_acct, SYS_syslog,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
};

#if defined(__x86_64__)
static const __u32 architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static const __u32 architecture = AUDIT_ARCH_AARCH64;
#else
static const __u32 architecture = 0;
#endif

// The numbers of the other calling convention of x86-64 start here.
static const __u32 first_x32_call = 0x40000000;

#define LOAD(offset) (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
// The low half of an argument, on machines that store it first.
#define LOAD_ARGUMENT(index) LOAD(offsetof(struct seccomp_data, args[index]))
#define RETURN(action) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, (action))
// Skips so many instructions if the test fails.
#define IF(test, value, skipped) (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_K | (test), (value), 0, (skipped))
// Skips one instruction if the test succeeds.
#define UNLESS(test, value) (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_K | (test), (value), 1, 0)
#define REFUSE(number) RETURN(SECCOMP_RET_ERRNO | (number))

bool isolation_filter_calls(bool limits_network) {
    struct sock_filter filter[2 * sizeof forbidden_calls / sizeof *forbidden_calls + 32];
    unsigned short count = 0;
#define ADD(instruction) filter[count++] = (instruction)
    ADD(LOAD(offsetof(struct seccomp_data, arch)));
    ADD(UNLESS(BPF_JEQ, architecture));
    ADD(RETURN(SECCOMP_RET_KILL_PROCESS));
    ADD(LOAD(offsetof(struct seccomp_data, nr)));
    ADD(IF(BPF_JGE, first_x32_call, 1));
    ADD(RETURN(SECCOMP_RET_KILL_PROCESS));
    for (size_t index = 0; index < sizeof forbidden_calls / sizeof *forbidden_calls; index++) {
        ADD(IF(BPF_JEQ, forbidden_calls[index], 1));
        ADD(REFUSE(EPERM));
    }
    // The C library creates threads with `clone` if there is no `clone3`, whose arguments a filter cannot read.
    ADD(IF(BPF_JEQ, SYS_clone3, 1));
    ADD(REFUSE(ENOSYS));
    ADD(IF(BPF_JEQ, SYS_clone, 4));
    ADD(LOAD_ARGUMENT(0));
    ADD(IF(BPF_JSET, CLONE_THREAD, 1));
    ADD(RETURN(SECCOMP_RET_ALLOW));
    ADD(REFUSE(EPERM));
    if (limits_network) {
        // Streams only: those of the machine itself, and those of TCP, which Landlock checks.
        ADD(IF(BPF_JEQ, SYS_socket, 10));
        ADD(LOAD_ARGUMENT(0));
        ADD(IF(BPF_JEQ, AF_UNIX, 1));
        ADD(RETURN(SECCOMP_RET_ALLOW));
        ADD(UNLESS(BPF_JEQ, AF_INET));
        ADD(REFUSE(EACCES));
        ADD(LOAD_ARGUMENT(1));
        ADD((struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xF));
        ADD(IF(BPF_JEQ, SOCK_STREAM, 1));
        ADD(RETURN(SECCOMP_RET_ALLOW));
        ADD(REFUSE(EACCES));
        // libcurl 7.88 connects a socket that is connected. An address of IPv6 is known by its length.
        ADD(IF(BPF_JEQ, SYS_connect, 4));
        ADD(LOAD_ARGUMENT(2));
        ADD(IF(BPF_JEQ, sizeof(struct sockaddr_in6), 1));
        ADD(REFUSE(EINPROGRESS));
        ADD(RETURN(SECCOMP_RET_ALLOW));
    }
    ADD(RETURN(SECCOMP_RET_ALLOW));
    struct sock_fprog program = {.len = count, .filter = filter};
    return architecture != 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}
