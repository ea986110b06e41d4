import Foundation
import NIOCore
import NIOHTTP1

/// A client's connection. Reads requests and sends their responses in order.
struct Connection: Sendable {
    /// Responses are written to the channel directly, since its promises report when the system has accepted the bytes.
    typealias Stream = NIOAsyncChannel<HTTPServerRequestPart, Never>

    let stream: Stream
    let handler: RequestHandler
    let scheme: String
    /// Stops the server for a time.
    let beginOutage: @Sendable (Duration) -> Void

    private var channel: any Channel { stream.channel }

    func run() async {
        await withTaskCancellationHandler {
            try? await stream.executeThenClose { requests, _ in
                for try await case .head(let head) in requests {
                    guard try await respond(to: head) else { return }
                }
            }
        } onCancel: {
            SocketEdge.close(channel)
        }
    }

    /// - Returns: `true` if the connection waits for the next request.
    private func respond(to head: HTTPRequestHead) async throws -> Bool {
        let host = head.headers.first(name: "Host") ?? "127.0.0.1"
        let headers = head.headers.map { ($0.name.lowercased(), $0.value) }
        let (id, response) = handler.respond(
            to: RequestHandler.Request(
                method: head.method.rawValue, target: head.uri,
                headers: Dictionary(headers) { "\($0), \($1)" },
                base: "\(scheme)://\(host)"))
        do {
            if response.delay > .zero { try await handler.sleep(response.delay) }
            if let status = response.status {
                let keepAlive = head.isKeepAlive && response.ending != .close
                try await send(response, status: status, keepAlive: keepAlive, id)
            }
            return try await end(response, id) && head.isKeepAlive
        } catch {
            handler.log.change(id) { $0.ending = .abandoned }
            throw error
        }
    }

    private func send(_ response: Response, status: Int, keepAlive: Bool, _ id: Int) async throws {
        let headers = HTTPHeaders(response.allHeaders(keepAlive: keepAlive).map { ($0.name, $0.value) })
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        handler.log.change(id) { $0.status = status }
        try await send(.head(head))
        let body = response.sentBody.prefix(response.limit ?? .max)
        let size = response.bytesPerSecond.map { max(1, $0 / 10) } ?? 1 << 16
        let pause = response.bytesPerSecond.map { Duration.seconds(Double(size) / Double($0)) }
        var rest = body
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            try await send(.body(.byteBuffer(ByteBuffer(bytes: piece))))
            handler.log.change(id) { $0.bytesSent += piece.count }
            rest = rest.dropFirst(size)
            if let pause, !rest.isEmpty { try await handler.sleep(pause) }
        }
        // Other framings send nothing at the end, and the client may already be gone.
        if response.framing == .chunked, response.limit == nil, !response.isHead { try await send(.end(nil)) }
    }

    /// Returns when the system has accepted the bytes.
    private func send(_ part: HTTPServerResponsePart) async throws { try await channel.writeAndFlush(part).get() }

    private func end(_ response: Response, _ id: Int) async throws -> Bool {
        switch response.ending {
        case .keepAlive:
            handler.log.change(id) { $0.ending = .sent }
            return true
        case .close: handler.log.change(id) { $0.ending = .sent }
        case .cut(.hang):
            try await channel.closeFuture.get()
            handler.log.change(id) { $0.ending = .abandoned }
        case .cut(.close): handler.log.change(id) { $0.ending = .closed }
        case .cut(.reset):
            try await SocketEdge.reset(channel)
            handler.log.change(id) { $0.ending = .reset }
        case .outage(let time):
            handler.log.change(id) { $0.ending = .closed }
            beginOutage(time)
            try await channel.closeFuture.get()
        }
        return false
    }
}
