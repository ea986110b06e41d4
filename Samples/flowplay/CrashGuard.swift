import Foundation

/// Gives the terminal back even if the process crashes.
enum CrashGuard {
    private static let signals = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

    // Unsafe: written before a handler that reads it is set, and read in a signal handler, where no lock may be taken.
    private nonisolated(unsafe) static var terminal = termios()

    static func arm(restoring saved: termios) {
        terminal = saved
        for number in signals {
            signal(number) { number in
                // Only what is safe within a signal handler.
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
