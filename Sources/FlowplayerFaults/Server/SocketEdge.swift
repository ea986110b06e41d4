import Foundation
import NIOCore

/// The end of a channel at which its socket is: what is done here, TLS does not get to see.
final class SocketEdge: ChannelInboundHandler, Sendable {
    typealias InboundIn = NIOAny

    /// How long a client has to take what it was sent before a reset.
    private static let patience = Duration.seconds(1)

    /// Closes as the system does when a program is killed.
    static func close(_ channel: any Channel) {
        channel.eventLoop.execute {
            guard let context = try? channel.pipeline.syncOperations.context(handlerType: SocketEdge.self) else {
                return
            }
            context.close(mode: .all, promise: nil)
        }
    }

    /// Closes with RST.
    static func reset(_ channel: any Channel) async throws {
        let deadline = ContinuousClock.now + patience
        // A reset throws away what is still on its way. Nobody tells when it has arrived.
        while ContinuousClock.now < deadline, try await unacknowledged(channel) > 0 {
            try await Task.sleep(for: .milliseconds(2))
        }
        guard let options = channel as? any SocketOptionProvider else { return }
        try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        close(channel)
        try await channel.closeFuture.get()
    }

    /// Bytes that the client's system has not confirmed.
    private static func unacknowledged(_ channel: any Channel) async throws -> Int32 {
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
                var count: Int32 = 0
                return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? count : 0
            } ?? 0
        }.get()
    }
}
