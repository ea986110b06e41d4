import FlyingFox
import Foundation

/// A minimal video platform with one item. It accepts connections from this machine only.
struct Platform {
    /// The base address for `HTTPOVPClient`.
    let address: URL

    private static let clip = URL(filePath: #filePath).appending(path: "../../Media/sample.mp4").standardized

    /// Starts the server.
    ///
    /// - Parameter token: the access token that clients must send.
    init(token: String) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await server.appendRoute("GET /media/:mediaId/players/:playerId/config.json") { request in
            guard request.headers[.authorization] == "Bearer \(token)" else {
                return HTTPResponse(statusCode: .unauthorized)
            }
            guard request.routeParameters["mediaId"] == "tour" else { return HTTPResponse(statusCode: .notFound) }
            return HTTPResponse(
                statusCode: .ok, headers: [.contentType: "application/json"], body: Data(Self.config.utf8))
        }
        await server.appendRoute(
            "GET /clips/sample.mp4", to: FileHTTPHandler(path: Self.clip, contentType: "video/mp4"))
        Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress,
            let address = URL(string: "http://127.0.0.1:\(port)")
        else { throw URLError(.cannotConnectToHost) }
        self.address = address
    }

    /// The config. Its address is relative to the address of the config.
    private static let config = """
        {
          "src": ["/clips/sample.mp4"],
          "metadata": { "title": "A tour of the house" }
        }
        """
}
