import Foundation

/// Plain text out, whole and at once.
enum Messages {
    /// Milliseconds that a reader who stands still is waited for.
    private static let patience: Int32 = 200

    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard errno == EAGAIN, poll(&ready, 1, patience) > 0 else { return }
            }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// A message to people, on standard error.
    static func tell(_ text: String) { write("flowplay: \(text)\n", to: 2) }
}
