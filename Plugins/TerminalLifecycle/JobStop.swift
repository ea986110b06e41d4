import Foundation

/// Stops this process as Ctrl-Z would if nobody caught it.
enum JobStop {
    /// Returns when the process is continued. Returns at once if the process cannot be stopped, because no shell could
    /// continue it.
    static func stop() {
        // The library for signal sources has its own handler, which is restored unchanged. Only a signal to this thread
        // stops the process before the next line.
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

/// Continues this process after the shell has detected its stop.
///
/// A stopped process cannot continue itself, so this is another process. It has its own process group, because Ctrl-Z stops
/// the whole group of the terminal.
final class JobWaker {
    private var process: pid_t = 0

    /// A shell misses a stop that ends before the shell has waited for it. The script therefore waits until the shell has
    /// taken the terminal, for at most a third of a second.
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
        // A new process inherits blocked and ignored signals.
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

    /// Ends the process and its zombie.
    func end() {
        kill(-process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
}
