import FlyingSocks
import Foundation
import NetworkThread
import Playback
import Synchronization

/// The HLS proxy: an HTTP server on the loopback interface that requests playlists and segments for an engine.
///
/// An engine opens each address that a playlist names and that a server redirects to, also addresses of local files. The proxy
/// rewrites all addresses in playlists to its own, and checks them when the engine requests them. It also retries requests.
package actor HLSProxyServer {
    package static let shared = HLSProxyServer()

    /// The largest head of a request, in bytes.
    private static let longestHead = 64 << 10

    private var starting: Task<UInt16, any Error>?
    private let reserved = Mutex<Socket?>(nil)
    private let sessions = Mutex<[String: HLSProxySession]>([:])

    /// Accepts requests for a session until `close`.
    nonisolated func open(_ session: HLSProxySession) { sessions.withLock { $0[session.name] = session } }

    nonisolated func close(_ session: HLSProxySession) { sessions.withLock { $0[session.name] = nil } }

    /// Starts the server if it does not run.
    func port() async throws -> UInt16 {
        let task = starting ?? Task(executorPreference: NetworkThread.transport) { try await self.listen() }
        starting = task
        do {
            return try await task.value
        } catch {
            starting = nil
            throw error
        }
    }

    /// Reserves the port of the server, before a sandbox forbids that. Starts no thread.
    package nonisolated func reservePort() throws -> UInt16 {
        let socket = try Self.socket()
        reserved.withLock { $0 = socket }
        return try Self.port(of: socket)
    }

    private static func socket() throws -> Socket {
        let socket = try Socket(domain: AF_INET)
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: 0))
        try socket.listen()
        return socket
    }

    private static func port(of socket: Socket) throws -> UInt16 {
        guard case .ip4(_, let port) = try socket.sockname() else { throw URLError(.cannotConnectToHost) }
        return port
    }

    private func listen() async throws -> UInt16 {
        let socket = try reserved.withLock(\.self) ?? Self.socket()
        let listener = try AsyncSocket(socket: socket, pool: NetworkThread.transport)
        Task(executorPreference: NetworkThread.transport) {
            while true {
                do {
                    let connection = try await listener.accept()
                    Task(executorPreference: NetworkThread.transport) { await self.serve(connection) }
                } catch {
                    // The process has no free descriptors for a while. The connection waits.
                    try? await Task.sleep(for: .milliseconds(100))
                }
            }
        }
        return try Self.port(of: socket)
    }

    // MARK: HTTP

    /// Answers the requests of a connection, until the engine closes it or a body cannot be completed.
    private nonisolated func serve(_ connection: AsyncSocket) async {
        defer { try? connection.close() }
        do {
            while true {
                let head = try await Self.head(from: connection)
                let response = await answer(head)
                defer { response.close() }
                try await Self.send(response, to: connection)
                if Self.field("connection", of: head)?.hasPrefix("close") == true { return }
            }
        } catch {
            // The engine has closed the connection. Or the body is incomplete: then the closed connection is the only sign.
        }
    }

    private static func head(from connection: AsyncSocket) async throws -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard bytes.count < longestHead else { throw URLError(.dataLengthExceedsMaximum) }
            bytes += try await connection.read(atMost: longestHead)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private nonisolated func answer(_ head: String) async -> HLSProxyResponse {
        guard head.hasPrefix("GET ") else { return HLSProxyResponse(status: 404) }
        let path = head.dropFirst(4).prefix { $0 != " " && $0 != "?" }
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count >= 3, let session = sessions.withLock({ $0[parts[0]] }),
            let kind = HLSProxySession.Kind(rawValue: parts[1]),
            let url = HLSProxySession.url(parts[2])
        else { return HLSProxyResponse(status: 404) }
        let number = parts.count > 3 ? Int(parts[3]) : nil
        return await session.answer(kind, url, number: number, range: Self.field("range", of: head))
    }

    /// Returns the value of a field of a request.
    ///
    /// - Parameter name: in lower case.
    private static func field(_ name: String, of head: String) -> String? {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
        return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }

    private static func send(_ response: HLSProxyResponse, to connection: AsyncSocket) async throws {
        var head = "HTTP/1.1 \(response.status) \(response.status < 300 ? "OK" : "Refused")\r\n"
        for (name, value) in response.fields { head += "\(name): \(value)\r\n" }
        head += response.size.map { "Content-Length: \($0)\r\n\r\n" } ?? "Transfer-Encoding: chunked\r\n\r\n"
        try await connection.write(Data(head.utf8))
        var count = 0
        while let bytes = try await response.next() {
            count += bytes.count
            guard response.size == nil else {
                try await connection.write(Data(bytes))
                continue
            }
            try await connection.write(Data("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Data("\r\n".utf8))
        }
        if response.size == nil { return try await connection.write(Data("0\r\n\r\n".utf8)) }
        guard count == response.size else { throw URLError(.networkConnectionLost) }
    }
}

/// A response of the HLS proxy.
struct HLSProxyResponse: Sendable {
    var status = 200
    var fields: [String: String] = [:]
    /// The size of the body in bytes; `nil` if it is unknown.
    var size: Int? = 0
    /// Returns the next bytes of the body; `nil` at its end. Throws if the rest is missing.
    var next: @Sendable () async throws -> [UInt8]? = { nil }
    /// Called when the server no longer needs the body.
    var close: @Sendable () -> Void = {}
}
