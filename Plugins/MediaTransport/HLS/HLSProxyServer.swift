#if VLC
import FlyingFox
import Foundation
import Playback
import Synchronization

/// The HLS proxy: an HTTP server on the loopback interface that requests playlists and segments for an engine.
///
/// An engine opens each address that a playlist names and that a server redirects to, also addresses of local files. The proxy
/// rewrites all addresses in playlists to its own, and checks them when the engine requests them. It also retries requests.
actor HLSProxyServer {
    static let shared = HLSProxyServer()

    /// The timeout of a response, in seconds. The retry policies of the items end it earlier.
    private static let timeout = 600.0

    private var starting: Task<UInt16, any Error>?
    private let sessions = Mutex<[String: HLSProxySession]>([:])

    /// Accepts requests for a session until `close`.
    nonisolated func open(_ session: HLSProxySession) { sessions.withLock { $0[session.name] = session } }

    nonisolated func close(_ session: HLSProxySession) { sessions.withLock { $0[session.name] = nil } }

    /// Starts the server if it does not run.
    func port() async throws -> UInt16 {
        let task = starting ?? Task { try await listen() }
        starting = task
        do {
            return try await task.value
        } catch {
            starting = nil
            throw error
        }
    }

    private func listen() async throws -> UInt16 {
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0), timeout: Self.timeout, logger: .disabled)
        await server.appendRoute("GET /*") { [weak self] request in
            await self?.answer(request) ?? HTTPResponse(statusCode: .notFound)
        }
        Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else {
            throw URLError(.cannotConnectToHost)
        }
        return port
    }

    private nonisolated func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let parts = request.target.path().split(separator: "/").map(String.init)
        guard parts.count >= 3, let session = sessions.withLock({ $0[parts[0]] }),
            let kind = HLSProxySession.Kind(rawValue: parts[1]),
            let url = HLSProxySession.url(parts[2])
        else { return HTTPResponse(statusCode: .notFound) }
        return await session.answer(kind, url, range: request.headers[.range])
    }
}
#endif
