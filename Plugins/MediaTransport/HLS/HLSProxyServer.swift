#if VLC
import FlyingFox
import Foundation
import Playback
import Synchronization

/// Stands between libVLC and the servers of HLS streams: it asks them, and libVLC asks it, on the loopback interface.
///
/// libVLC opens whatever a playlist names and wherever a server redirects to, files of this machine too. In what it is given
/// here, every address leads back here, where it is checked; and what breaks off is taken up again without its knowing.
package actor HLSProxyServer {
    package static let shared = HLSProxyServer()

    private var starting: Task<UInt16, any Error>?
    private let lanes = Mutex<[String: Weak]>([:])

    private struct Weak: Sendable {
        package weak let lane: HLSProxySession?
    }

    /// On which it listens.
    package var port: UInt16 {
        get async throws { try await start() }
    }

    /// A way through to a stream, open as long as the lane is kept.
    package nonisolated func open(_ lane: HLSProxySession) { lanes.withLock { $0[lane.name] = Weak(lane: lane) } }

    package nonisolated func close(_ name: String) { _ = lanes.withLock { $0.removeValue(forKey: name) } }

    private func start() async throws -> UInt16 {
        if let starting { return try await starting.value }
        let task = Task {
            let server = HTTPServer(
                address: try .inet(ip4: "127.0.0.1", port: 0), timeout: Self.longestAnswer, logger: .disabled)
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
        starting = task
        do {
            return try await task.value
        } catch {
            starting = nil
            throw error
        }
    }

    /// In seconds: the policies of the items end it earlier.
    private static let longestAnswer = 600.0

    private nonisolated func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let parts = request.target.path().split(separator: "/").map(String.init)
        guard parts.count >= 3, let lane = lanes.withLock({ $0[parts[0]]?.lane }),
            let kind = HLSProxySession.Kind(rawValue: parts[1]),
            let url = HLSProxySession.url(parts[2])
        else { return HTTPResponse(statusCode: .notFound) }
        return await lane.answer(kind, url, range: request.headers[.range])
    }
}
#endif
