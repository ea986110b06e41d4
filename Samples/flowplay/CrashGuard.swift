import Foundation

/// Restores the terminal if the process crashes.
enum CrashGuard {
    private static let signals = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

    // Written before the handlers are set. A lock is not allowed in a signal handler.
    private nonisolated(unsafe) static var terminal = termios()

    static func arm(restoring saved: termios) {
        terminal = saved
        for number in signals {
            signal(number) { number in
                // Only functions that are safe in a signal handler.
                tcsetattr(0, TCSANOW, &CrashGuard.terminal)
                _ = "\u{1B}[?25h\n".utf8CString.withUnsafeBufferPointer { write(1, $0.baseAddress, 7) }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func disarm() {
        for number in signals { signal(number, SIG_DFL) }
    }
}
