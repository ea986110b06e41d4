import NIOCore
import NIOHTTP1
import NIOPosix

/// Listens on a port and serves its connections.
struct Listener {
    private let stream: NIOAsyncChannel<Connection.Stream, Never>
    private let scheme: String

    /// - Parameter certificate: the certificate for TLS, or `nil` for plain HTTP.
    init(port: Int, certificate: TLSCertificate?) async throws {
        scheme = certificate == nil ? "http" : "https"
        stream = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
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

    /// Serves connections until the task is cancelled, and closes them then.
    func run(_ handler: RequestHandler, beginOutage: @escaping @Sendable (Duration) -> Void) async {
        try? await withThrowingDiscardingTaskGroup { group in
            try await stream.executeThenClose { clients in
                for try await client in clients {
                    group.addTask {
                        await Connection(stream: client, handler: handler, scheme: scheme, beginOutage: beginOutage)
                            .run()
                    }
                }
            }
        }
    }
}
