import CIsolation
import Foundation
import Playback
import Synchronization

/// A message between a host and the engine's process.
protocol SocketMessage: Codable {
    /// The numbers of a message that is sent for each frame, as JSON would take too long; `nil` for all others.
    var numbers: [Int32]? { get }
    init?(numbers: [Int32])
}

extension SocketMessage {
    var numbers: [Int32]? { nil }
    init?(numbers: [Int32]) { return nil }
}

/// One end of the connection between a host and the engine's process.
///
/// A message is its length in 4 bytes, little-endian, and its JSON. In place of the JSON there may be a byte 0 and numbers of 4 bytes.
final class MessageSocket: Sendable {
    /// The other side has sent something that is no message.
    struct Violation: Error {
        let reason: String
    }

    /// In bytes. Tracks, chapters and headers of an item are far smaller.
    static let longestMessage = 4 << 20

    private let descriptor: Int32
    private let writing = Mutex(())

    /// - Parameter descriptor: closed with this object.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Creates both ends. The second one is a descriptor for another process.
    static func pair() throws -> (MessageSocket, Int32) {
        var descriptors: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &descriptors) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
        }
        return (MessageSocket(descriptors[0]), descriptors[1])
    }

    /// Sends a message. Blocks while the other side does not read.
    ///
    /// - Parameter file: a descriptor to send with the message. It stays open here.
    /// - Returns: `false` if the other side is gone.
    @discardableResult
    func send(_ message: some SocketMessage, file: Int32 = -1) -> Bool {
        guard let body = Self.body(of: message) else { return false }
        let bytes = withUnsafeBytes(of: UInt32(body.count).littleEndian) { Data($0) } + body
        return writing.withLock { _ in
            bytes.withUnsafeBytes { bytes in
                var sent = 0
                while sent < bytes.count {
                    let count = isolation_send(
                        descriptor, bytes.baseAddress! + sent, bytes.count - sent, sent == 0 ? file : -1)
                    guard count > 0 else { return false }
                    sent += count
                }
                return true
            }
        }
    }

    /// Receives a message. Blocks until it is complete.
    ///
    /// - Returns: the message with its descriptor, which the caller closes; -1 for none. `nil` if the other side is gone.
    func receive<Message: SocketMessage>(_: Message.Type) throws(Violation) -> (Message, file: Int32)? {
        var file: Int32 = -1
        guard let header = receive(4, &file) else { return nil }
        let count = header.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
        do throws(Violation) {
            guard count <= Self.longestMessage else { throw Violation(reason: "A message has \(count) bytes.") }
            guard let body = receive(count, &file) else {
                if file >= 0 { close(file) }
                return nil
            }
            guard let message = Self.message(Message.self, in: body) else {
                throw Violation(reason: "A message of \(count) bytes cannot be read.")
            }
            return (message, file)
        } catch {
            if file >= 0 { close(file) }
            throw error
        }
    }

    private static func body(of message: some SocketMessage) -> Data? {
        guard let numbers = message.numbers else { return try? JSONEncoder().encode(message) }
        return [0] + numbers.map(\.littleEndian).withUnsafeBytes { Data($0) }
    }

    private static func message<Message: SocketMessage>(_: Message.Type, in body: Data) -> Message? {
        guard body.first == 0 else { return try? JSONDecoder().decode(Message.self, from: body) }
        let count = body.count / 4
        guard body.count == 1 + 4 * count, count <= 4 else { return nil }
        return Message(
            numbers: body.withUnsafeBytes { body in
                (0..<count).map { Int32(littleEndian: body.loadUnaligned(fromByteOffset: 1 + 4 * $0, as: Int32.self)) }
            })
    }

    /// The other side reads what has been sent, and then the end.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Receives so many bytes, or `nil` at the end.
    private func receive(_ count: Int, _ file: inout Int32) -> Data? {
        var data = Data(count: count)
        var received = 0
        while received < count {
            var next: Int32 = -1
            let step = data.withUnsafeMutableBytes {
                isolation_receive(descriptor, $0.baseAddress! + received, count - received, &next)
            }
            if next >= 0 {
                if file >= 0 { close(file) }
                file = next
            }
            guard step > 0 else { return nil }
            received += step
        }
        return data
    }
}
