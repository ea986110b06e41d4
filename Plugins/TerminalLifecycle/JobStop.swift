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
/// A stopped process cannot continue itself, so this is another process. Foundation gives it its own process group: Ctrl-Z
/// stops the whole group of the terminal.
final class JobWaker {
    private let process = Process()

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
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", Self.script, "sh", "\(getpid())"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return nil }
    }

    /// Ends the process and the command that it runs.
    func end() {
        if process.isRunning { kill(-process.processIdentifier, SIGKILL) }
    }
}
