import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Listens on a port and serves its connections.
struct Listener {
    private let stream: NIOAsyncChannel<Connection.Stream, Never>
    private let scheme: String
    private let connections = OpenConnections()
    /// Another descriptor of the listening socket, because NIO closes its own.
    private let socket: Int32

    /// - Parameter certificate: the certificate for TLS, or `nil` for plain HTTP.
    init(port: ReservedPort, certificate: TLSCertificate?) async throws {
        scheme = certificate == nil ? "http" : "https"
        let bound = try port.makeSocket()
        socket = fcntl(bound, F_DUPFD_CLOEXEC, 0)
        stream = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(bound) { [connections] channel in
                connections.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(SocketEdge())
                    if let certificate { try pipeline.addHandler(TLSHandler(certificate)) }
                    var framing = HTTPResponseEncoder.Configuration()
                    // The encoder would correct intended errors.
                    framing.automaticallySetFramingHeaders = false
                    try pipeline.addHandler(HTTPResponseEncoder(configuration: framing))
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Serves connections until the task is cancelled. Then it stops listening first, so that a client whose connection ends cannot connect
    /// again.
    func run(_ handler: RequestHandler, beginOutage: @escaping @Sendable (Duration) -> Void) async {
        let (accepted, clients) = AsyncStream<Connection.Stream>.makeStream()
        let serving = Task { [scheme] in
            await withDiscardingTaskGroup { group in
                for await client in accepted {
                    group.addTask {
                        await Connection(stream: client, handler: handler, scheme: scheme, beginOutage: beginOutage)
                            .run()
                    }
                }
                group.cancelAll()
            }
        }
        try? await stream.executeThenClose { for try await client in $0 { clients.yield(client) } }
        // A process that is starting has a copy of each descriptor, and keeps a socket open that is only closed.
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
        clients.finish()
        connections.closeAll()
        await serving.value
    }
}

/// The connections of a listener. Without it, a connection that comes while the listener closes would stay open for ever.
private final class OpenConnections: Sendable {
    /// `nil` after the end.
    private let channels = Mutex<[ObjectIdentifier: any Channel]?>([:])

    func add(_ channel: any Channel) {
        let isOpen = channels.withLock { channels in
            channels?[ObjectIdentifier(channel)] = channel
            return channels != nil
        }
        guard isOpen else { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [self] _ in
            channels.withLock { _ = $0?.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }

    func closeAll() {
        let open = channels.withLock { $0.take() } ?? [:]
        for channel in open.values { channel.close(promise: nil) }
    }
}
