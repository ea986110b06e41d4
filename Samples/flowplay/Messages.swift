import Foundation

/// Writes text to a file descriptor, without a buffer.
enum Messages {
    /// How long a write waits for a reader that does not read, in milliseconds.
    private static let timeout: Int32 = 200

    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard errno == EAGAIN, poll(&ready, 1, timeout) > 0 else { return }
            }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// Prints a message to standard error.
    static func print(_ text: String) { write("flowplay: \(text)\n", to: 2) }
}
