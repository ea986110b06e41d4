import Foundation
import NIOCore

/// The handler beside the socket. It closes the connection without the shutdown of TLS.
final class SocketEdge: ChannelInboundHandler, Sendable {
    typealias InboundIn = NIOAny

    /// How long a reset waits until the client has received the bytes before it.
    private static let timeout = Duration.seconds(10)

    /// Closes the socket at once, as the system does for a killed process.
    static func close(_ channel: any Channel) {
        channel.eventLoop.execute {
            guard let context = try? channel.pipeline.syncOperations.context(handlerType: SocketEdge.self) else {
                return
            }
            context.close(mode: .all, promise: nil)
        }
    }

    /// Closes the connection with RST.
    static func reset(_ channel: any Channel) async throws {
        let deadline = ContinuousClock.now + timeout
        // A reset discards the bytes in transit. There is no event for their arrival, so this polls.
        while ContinuousClock.now < deadline, try await unacknowledged(channel) > 0 {
            try await Task.sleep(for: .milliseconds(2))
        }
        guard let options = channel as? any SocketOptionProvider else { return }
        try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        close(channel)
        try await channel.closeFuture.get()
    }

    /// Returns the number of sent bytes that the client's system has not acknowledged.
    private static func unacknowledged(_ channel: any Channel) async throws -> Int32 {
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
                var count: Int32 = 0
                return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? count : 0
            } ?? 0
        }.get()
    }
}
