import Foundation

/// Restores the terminal if the process crashes.
enum CrashGuard {
    private static let signals = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

    // Written before the handlers are set. A lock is not allowed in a signal handler.
    private nonisolated(unsafe) static var terminal = termios()
    private nonisolated(unsafe) static var text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)
    private nonisolated(unsafe) static var isArmed = false

    /// - Parameter leaving: restores the screen.
    static func arm(restoring saved: termios, leaving: String) {
        disarm()
        terminal = saved
        text.deallocate()
        text = .allocate(capacity: leaving.utf8.count)
        _ = text.initialize(from: leaving.utf8)
        isArmed = true
        for number in signals {
            signal(number) { number in
                CrashGuard.restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Restores the terminal at once. Does nothing unless it is armed.
    static func restore() {
        guard isArmed else { return }
        // Only functions that are safe in a signal handler.
        tcsetattr(0, TCSANOW, &terminal)
        _ = write(1, text.baseAddress, text.count)
    }

    static func disarm() {
        isArmed = false
        for number in signals { signal(number, SIG_DFL) }
    }
}
