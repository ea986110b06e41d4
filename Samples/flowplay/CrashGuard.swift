import Foundation

/// Restores the terminal if the process crashes.
enum CrashGuard {
    private static let signals = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

    // Written before the handlers are set. A lock is not allowed in a signal handler.
    private nonisolated(unsafe) static var terminal = termios()
    private nonisolated(unsafe) static var text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)

    /// - Parameter leaving: restores the screen.
    static func arm(restoring saved: termios, leaving: String) {
        disarm()
        terminal = saved
        text.deallocate()
        text = .allocate(capacity: leaving.utf8.count)
        _ = text.initialize(from: leaving.utf8)
        for number in signals {
            signal(number) { number in
                // Only functions that are safe in a signal handler.
                tcsetattr(0, TCSANOW, &CrashGuard.terminal)
                _ = write(1, CrashGuard.text.baseAddress, CrashGuard.text.count)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func disarm() {
        for number in signals { signal(number, SIG_DFL) }
    }
}
