import CIsolation
import Foundation
import Playback
import Synchronization

/// One end of the connection between a host and the engine's process.
///
/// A message is its length in 4 bytes, little-endian, and its JSON.
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
        let (own, other) = try socketPair(SOCK_STREAM)
        return (MessageSocket(own), other)
    }

    /// Sends a message. Blocks while the other side does not read.
    ///
    /// - Parameter file: a descriptor to send with the message. It stays open here.
    /// - Returns: `false` if the other side is gone.
    @discardableResult
    func send(_ message: some Encodable, file: Int32 = -1) -> Bool {
        guard let body = try? JSONEncoder.ofMessages.encode(message) else { return false }
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
    func receive<Message: Decodable>(_: Message.Type) throws(Violation) -> (Message, file: Int32)? {
        var file: Int32 = -1
        var isTaken = false
        defer { if !isTaken, file >= 0 { close(file) } }
        guard let header = receive(4, &file) else { return nil }
        let count = header.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
        guard count <= Self.longestMessage else { throw Violation(reason: "A message has \(count) bytes.") }
        guard let body = receive(count, &file) else { return nil }
        guard let message = try? JSONDecoder.ofMessages.decode(Message.self, from: body) else {
            throw Violation(reason: "A message of \(count) bytes cannot be read.")
        }
        isTaken = true
        return (message, file)
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
                isolation_receive(descriptor, $0.baseAddress! + received, count - received, true, &next)
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

/// Creates a pair of connected sockets of this machine.
func socketPair(_ type: __socket_type) throws -> (Int32, Int32) {
    var descriptors: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0, &descriptors) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
    }
    return (descriptors[0], descriptors[1])
}

// Hosts use infinite times, which JSON does not have.
extension JSONEncoder {
    static var ofMessages: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }
}

extension JSONDecoder {
    static var ofMessages: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }
}
