import FlyingSocks
import Foundation
import NetworkThread

/// Listens on a port and serves its connections.
struct Listener {
    private let socket: AsyncSocket
    private let certificate: TLSCertificate?

    /// - Parameter certificate: the certificate for TLS, or `nil` for plain HTTP.
    init(port: ReservedPort, certificate: TLSCertificate?) throws {
        let socket = Socket(file: .init(rawValue: try port.makeSocket()))
        // The connections inherit it. A body would otherwise wait up to 40 ms for the acknowledgement of its head.
        try socket.setValue(true, for: .init(level: Int32(IPPROTO_TCP), name: TCP_NODELAY) as BoolSocketOption)
        try socket.listen()
        self.socket = try AsyncSocket(socket: socket, pool: NetworkThread.faultServers)
        self.certificate = certificate
    }

    /// Serves connections until the task is cancelled. Then it stops listening first, so that a client whose connection ends cannot connect
    /// again.
    func run(_ handler: RequestHandler, beginOutage: @escaping @Sendable (Duration) -> Void) async {
        let (clients, accepted) = AsyncStream<AsyncSocket>.makeStream()
        let serving = Task(executorPreference: NetworkThread.faultServers) { [certificate] in
            await withDiscardingTaskGroup { group in
                for await client in clients {
                    group.addTask {
                        let tls = certificate.map { TLSSession($0) }
                        var connection = Connection(client, tls, handler, beginOutage: beginOutage)
                        await connection.run()
                    }
                }
                group.cancelAll()
            }
        }
        while let client = try? await socket.accept() { accepted.yield(client) }
        // A process that is starting has a copy of each descriptor, and keeps a socket open that is only closed.
        shutdown(socket.socket.file.rawValue, Int32(SHUT_RDWR))
        try? socket.close()
        accepted.finish()
        await serving.value
    }
}
