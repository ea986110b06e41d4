import FlyingFox
import Foundation
import Synchronization

/// An HTTP server on the loopback interface for the time of a test.
public final class LoopbackServer: Sendable {
    /// Where the server answers, without a path.
    public let base: URL
    private let task: Task<Void, any Error>

    /// Answers every request with the result of a closure.
    public convenience init(
        answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws {
        let server = try Self.makeServer()
        await server.appendRoute("*", handler: answer)
        try await self.init(running: server)
    }

    /// Serves the files of a folder, `/status/NNN` with that status, and never answers `/silence`.
    ///
    /// - Parameter log: writes down the paths that are asked for.
    public convenience init(files directory: URL, log: RequestLog? = nil) async throws {
        let server = try Self.makeServer()
        await server.appendRoute("GET /status/*") { request in
            let code = Int(request.path.split(separator: "/").last ?? "") ?? 500
            return HTTPResponse(statusCode: HTTPStatusCode(code, phrase: "Test"))
        }
        await server.appendRoute("GET /silence") { _ in
            try await Task.sleep(for: .seconds(3600))
            return HTTPResponse(statusCode: .ok)
        }
        await server.appendRoute("GET /*") { request in
            log?.add(request.path)
            let path = directory.appending(path: String(request.path.dropFirst()))
            guard let data = try? Data(contentsOf: path) else { return HTTPResponse(statusCode: .notFound) }
            return HTTPResponse(statusCode: .ok, body: data)
        }
        try await self.init(running: server)
    }

    private static func makeServer() throws -> HTTPServer {
        HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 3600, logger: .disabled)
    }

    private init(running server: HTTPServer) async throws {
        task = Task { try await server.run() }
        try await server.waitUntilListening(timeout: 120)
        guard case .ip4(_, let port) = await server.listeningAddress else {
            throw FixtureError(description: "the loopback server does not listen")
        }
        base = URL(string: "http://127.0.0.1:\(port)")!
    }

    deinit { task.cancel() }
}

/// The paths that clients requested from a server.
public final class RequestLog: Sendable {
    private let log = Mutex<[String]>([])

    public init() {}

    /// In the order of the requests.
    public var paths: [String] { log.withLock(\.self) }

    /// - Returns: the number of requests for the path so far.
    @discardableResult
    public func add(_ path: String) -> Int {
        log.withLock { paths in
            paths.append(path)
            return paths.count { $0 == path }
        }
    }
}
