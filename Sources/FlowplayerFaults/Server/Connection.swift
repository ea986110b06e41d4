import Foundation
import NIOCore
import NIOHTTP1

/// One client's connection: sends what the site answers, one answer after another.
struct Connection: Sendable {
    /// Answers are written to the channel itself, which says when the system has them.
    typealias Stream = NIOAsyncChannel<HTTPServerRequestPart, Never>

    let stream: Stream
    let site: Site
    let scheme: String
    /// Called for an outage.
    let goDown: @Sendable (Duration) -> Void

    private var channel: any Channel { stream.channel }

    func run() async {
        await withTaskCancellationHandler {
            try? await stream.executeThenClose { requests, _ in
                for try await case .head(let head) in requests {
                    guard try await answer(head) else { return }
                }
            }
        } onCancel: {
            SocketEdge.close(channel)
        }
    }

    /// - Returns: whether the connection waits for the next request.
    private func answer(_ head: HTTPRequestHead) async throws -> Bool {
        let host = head.headers.first(name: "Host") ?? "127.0.0.1"
        let (id, answer) = site.answer(
            Site.Request(
                method: head.method.rawValue, target: head.uri, range: head.headers.first(name: "Range"),
                base: "\(scheme)://\(host)"))
        do {
            if answer.delay > .zero { try await site.sleep(answer.delay) }
            if let status = answer.status {
                let stays = head.isKeepAlive && answer.ending != .close
                try await send(answer, status: status, stays: stays, id)
            }
            return try await end(answer, id) && head.isKeepAlive
        } catch {
            site.log.change(id) { $0.ending = .abandoned }
            throw error
        }
    }

    private func send(_ answer: Answer, status: Int, stays: Bool, _ id: Int) async throws {
        let headers = HTTPHeaders(answer.allHeaders(stays: stays).map { ($0.name, $0.value) })
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        site.log.change(id) { $0.status = status }
        try await send(.head(head))
        let body = answer.sentBody.prefix(answer.limit ?? .max)
        let size = answer.bytesPerSecond.map { max(1, $0 / 10) } ?? 1 << 16
        let pause = answer.bytesPerSecond.map { Duration.seconds(Double(size) / Double($0)) }
        var rest = body
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            try await send(.body(.byteBuffer(ByteBuffer(bytes: piece))))
            site.log.change(id) { $0.bytesSent += piece.count }
            rest = rest.dropFirst(size)
            if let pause, !rest.isEmpty { try await site.sleep(pause) }
        }
        // Otherwise it is nothing, and the client may have gone when it is sent.
        if answer.framing == .chunked, answer.limit == nil, !answer.isHead { try await send(.end(nil)) }
    }

    /// Returns when the system has taken it.
    private func send(_ part: HTTPServerResponsePart) async throws { try await channel.writeAndFlush(part).get() }

    private func end(_ answer: Answer, _ id: Int) async throws -> Bool {
        switch answer.ending {
        case .keepAlive:
            site.log.change(id) { $0.ending = .sent }
            return true
        case .close: site.log.change(id) { $0.ending = .sent }
        case .cut(.hang):
            try await channel.closeFuture.get()
            site.log.change(id) { $0.ending = .abandoned }
        case .cut(.close): site.log.change(id) { $0.ending = .closed }
        case .cut(.reset):
            try await SocketEdge.reset(channel)
            site.log.change(id) { $0.ending = .reset }
        case .outage(let time):
            site.log.change(id) { $0.ending = .closed }
            goDown(time)
            try await channel.closeFuture.get()
        }
        return false
    }
}
