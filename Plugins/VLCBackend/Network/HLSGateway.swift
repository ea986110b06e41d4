#if VLC
    import FlyingFox
    import Foundation
    import Playback
    import Synchronization

    /// Stands between libVLC and the servers of HLS streams: it asks them, and libVLC asks it, on the loopback interface.
    ///
    /// libVLC opens whatever a playlist names and wherever a server redirects to, files of this machine too. In what it is given
    /// here, every address leads back here, where it is checked; and what breaks off is taken up again without its knowing.
    actor HLSGateway {
        static let shared = HLSGateway()

        private var starting: Task<UInt16, any Error>?
        private let lanes = Mutex<[String: Weak]>([:])

        private struct Weak: Sendable {
            weak let lane: HLSLane?
        }

        /// A way through for one item; it is closed with the lane.
        func makeLane(to url: URL, retry: RetryPolicy, security: MediaSecurityPolicy) async throws -> HLSLane {
            let port = try await start()
            // Nobody else on this machine can guess it.
            let name = (0..<4).map { _ in String(UInt32.random(in: 0...UInt32.max), radix: 36) }.joined()
            let base = URL(string: "http://127.0.0.1:\(port)/\(name)")!
            let lane = HLSLane(base: base, to: url, retry: retry, security: security) { [weak self] in
                self?.remove(name)
            }
            lanes.withLock { $0[name] = Weak(lane: lane) }
            return lane
        }

        private nonisolated func remove(_ name: String) { _ = lanes.withLock { $0.removeValue(forKey: name) } }

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
                let kind = HLSLane.Kind(rawValue: parts[1]),
                let url = HLSLane.url(parts[2])
            else { return HTTPResponse(statusCode: .notFound) }
            return await lane.answer(kind, url, range: request.headers[.range])
        }
    }
#endif
