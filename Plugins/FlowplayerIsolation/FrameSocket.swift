import CIsolation
import Foundation

/// A message of the engine's process about frames.
enum FrameMessage: Sendable {
    /// Memory for frames. Its descriptor comes with the message.
    case memory(id: Int, byteCount: Int)
    case frame(SharedFrame)
    /// The engine uses this memory no more.
    case forgetMemory(id: Int)
}

/// A frame in shared memory. The values have the shapes of those of `VideoFrame`.
struct SharedFrame: Sendable {
    let memory: Int
    let width: Int
    let height: Int
    let bytesPerRow: Int
}

/// One end of the connection on which an engine's process sends its frames to the host.
///
/// Frames have a separate connection, so that they and events do not wait for each other. A message is five numbers of 8 bytes: its kind,
/// and its values.
final class FrameSocket: Sendable {
    enum Reception {
        /// The caller closes the file; -1 for none.
        case message(FrameMessage, file: Int32)
        /// A message that cannot be read.
        case nonsense
        /// Nothing has been sent, and the caller does not wait.
        case nothing
        /// The other side is gone.
        case end
    }

    private typealias Numbers = InlineArray<5, Int>

    private let descriptor: Int32

    /// - Parameter descriptor: closed with this object.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Creates both ends. The second one is a descriptor for another process.
    static func pair() throws -> (FrameSocket, Int32) {
        let (own, other) = try socketPair(SOCK_SEQPACKET)
        return (FrameSocket(own), other)
    }

    /// Sends a message. Blocks while the other side does not read.
    ///
    /// - Parameter file: a descriptor to send with the message. It stays open here.
    func send(_ message: FrameMessage, file: Int32 = -1) {
        var numbers: Numbers =
            switch message {
            case .memory(let id, let byteCount): [0, id, byteCount, 0, 0]
            case .frame(let frame): [1, frame.memory, frame.width, frame.height, frame.bytesPerRow]
            case .forgetMemory(let id): [2, id, 0, 0, 0]
            }
        _ = isolation_send(descriptor, &numbers, MemoryLayout<Numbers>.size, file)
    }

    /// Receives a message.
    ///
    /// - Parameter waits: `true` to block until there is one.
    func receive(waits: Bool) -> Reception {
        var numbers = Numbers(repeating: 0)
        var file: Int32 = -1
        let count = isolation_receive(descriptor, &numbers, MemoryLayout<Numbers>.size, waits, &file)
        guard count > 0 else { return count < 0 && errno == EAGAIN ? .nothing : .end }
        let message: FrameMessage? =
            switch numbers[0] {
            case 0: .memory(id: numbers[1], byteCount: numbers[2])
            case 1:
                .frame(
                    SharedFrame(
                        memory: numbers[1], width: numbers[2], height: numbers[3], bytesPerRow: numbers[4]))
            case 2: .forgetMemory(id: numbers[1])
            default: nil
            }
        guard let message, count == MemoryLayout<Numbers>.size else {
            if file >= 0 { close(file) }
            return .nonsense
        }
        return .message(message, file: file)
    }
}
