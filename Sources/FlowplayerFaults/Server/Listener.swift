import NIOCore
import NIOHTTP1
import NIOPosix

/// Listens on a port, and answers all who come.
struct Listener {
    private let stream: NIOAsyncChannel<Connection.Stream, Never>
    private let scheme: String

    /// - Parameter certificate: without one, connections are not encrypted.
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
                    // What is wrong on purpose would be put right.
                    framing.automaticallySetFramingHeaders = false
                    try pipeline.addHandler(HTTPResponseEncoder(configuration: framing))
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Answers until the task is cancelled; then all connections are closed.
    func run(_ site: Site, goDown: @escaping @Sendable (Duration) -> Void) async {
        try? await withThrowingDiscardingTaskGroup { group in
            try await stream.executeThenClose { clients in
                for try await client in clients {
                    group.addTask {
                        await Connection(stream: client, site: site, scheme: scheme, goDown: goDown).run()
                    }
                }
            }
        }
    }
}
