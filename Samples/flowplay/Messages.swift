import Foundation
import Synchronization

/// Writes text to a file descriptor, without a buffer. Ignores a closed pipe.
enum Messages {
    /// The system's message of a write to standard output that failed, for example because the disk is full.
    static let outputError = Mutex<String?>(nil)

    static func write(_ text: String, to descriptor: Int32) {
        do {
            try FileHandle(fileDescriptor: descriptor).write(contentsOf: Data(text.utf8))
        } catch {
            let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code ?? Int(EIO)
            guard descriptor == STDOUT_FILENO, code != EPIPE else { return }
            outputError.withLock { $0 = String(cString: strerror(Int32(code))) }
        }
    }

    /// Prints a message to standard error.
    static func print(_ text: String) { write("flowplay: \(text)\n", to: 2) }
}
