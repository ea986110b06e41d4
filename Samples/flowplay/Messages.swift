import Foundation

/// Writes text to a file descriptor, without a buffer. Ignores a closed pipe.
enum Messages {
    static func write(_ text: String, to descriptor: Int32) {
        try? FileHandle(fileDescriptor: descriptor).write(contentsOf: Data(text.utf8))
    }

    /// Prints a message to standard error.
    static func print(_ text: String) { write("flowplay: \(text)\n", to: 2) }
}
