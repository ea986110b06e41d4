import Foundation

/// Plain text out, whole and at once.
enum Messages {
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR && errno != EAGAIN { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// A message to people, on standard error.
    static func tell(_ text: String) { write("flowplay: \(text)\n", to: 2) }
}
