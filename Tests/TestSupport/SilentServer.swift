import Foundation

/// Accepts connections, and never answers.
public final class SilentServer: Sendable {
    public let port: UInt16
    private let descriptor: Int32

    /// - Parameters:
    ///   - port: 0 for one that the system chooses.
    ///   - isConnected: `true` for TCP. Otherwise the port is reserved for UDP, and others may listen to it too.
    public init(port: UInt16 = 0, isConnected: Bool = true) throws {
        let type = isConnected ? SOCK_STREAM : SOCK_DGRAM
        descriptor = socket(AF_INET, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var isShared: Int32 = isConnected ? 0 : 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = port.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && (!isConnected || listen(descriptor, 16) == 0)
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        self.port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw FixtureError(description: "no port is free") }
    }

    /// `true` if a client has connected.
    public var isCalled: Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) > 0
    }

    deinit { close(descriptor) }
}
