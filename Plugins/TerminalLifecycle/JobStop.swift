import Foundation

/// Stops this process as Ctrl-Z would if nobody caught it.
enum JobStop {
    /// Returns when the process goes on; at once if it cannot be stopped, for want of a shell that would let it go on.
    static func stop() {
        // The library that runs signal sources has a handler of its own, to be put back exactly as it was; and only a
        // signal to this very thread stops the process before the next line.
        var (old, byDefault) = (sigaction(), sigaction())
        byDefault.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGTSTP, &byDefault, &old)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(SIGTSTP)
        sigaction(SIGTSTP, &old, nil)
    }
}

/// Lets this process go on once the shell has seen it stop.
///
/// Who is stopped cannot wake itself, so this is a process of its own; in a group of its own, as Ctrl-Z stops the
/// whole group of the terminal.
final class JobWaker {
    private var process: pid_t = 0

    /// A stop that ends before the shell has asked for it has never been for the shell: hence the wait until it has taken the
    /// terminal. A parent that never takes it is given a third of a second.
    private static let script = """
        while :; do
            stat=
            while read -r line; do stat=$line; done < /proc/$1/stat
            set -- $1 ${2:-0} ${stat##*) }
            case $3 in
            T) [ $5 = $8 ] && [ $2 -lt 30 ] || break ;;
            '' | Z | X) exit ;;
            esac
            [ $3 = T ] && set -- $1 $(($2 + 1))
            sleep 0.01
        done
        kill -CONT $1
        """

    /// `nil` if no process can be started.
    init?() {
        var attributes = posix_spawnattr_t()
        var files = posix_spawn_file_actions_t()
        guard posix_spawnattr_init(&attributes) == 0, posix_spawn_file_actions_init(&files) == 0 else { return nil }
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&files)
        }
        // Threads here block signals and ignore others, which a new process would take over.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
        }
        let arguments = ["sh", "-c", Self.script, "sh", "\(getpid())"].map { (text: String) in strdup(text) }
        defer { for argument in arguments { free(argument) } }
        guard posix_spawn(&process, "/bin/sh", &files, &attributes, arguments + [nil], environ) == 0 else { return nil }
    }

    /// Ends it, if it has not ended yet, and leaves no trace of it.
    func end() {
        kill(-process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
}
