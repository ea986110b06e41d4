import FlyingFox
import FlyingSocks
import Foundation

/// The requests that a server has had.
actor RequestLog {
    private(set) var requests: [HTTPRequest] = []

    func add(_ request: HTTPRequest, _ body: String) -> HTTPResponse {
        requests.append(request)
        return HTTPResponse(statusCode: .ok, body: Data(body.utf8))
    }
}

/// Spaces until the connection is closed, which `ends` reports.
struct EndlessBody: AsyncBufferedSequence {
    /// The server's pause after each piece.
    let pause: Duration
    let ends: AsyncStream<Void>
    private let ended: AsyncStream<Void>.Continuation

    init(pause: Duration = .zero) {
        self.pause = pause
        (ends, ended) = AsyncStream.makeStream()
    }

    func makeAsyncIterator() -> Iterator { Iterator(pause: pause, teller: Teller(ended: ended)) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let pause: Duration
        fileprivate let teller: Teller

        mutating func next() async -> UInt8? { 0x20 }
        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            if pause > .zero { try await Task.sleep(for: pause) }
            return Array(repeating: 0x20, count: 4096)
        }
    }

    fileprivate final class Teller: Sendable {
        let ended: AsyncStream<Void>.Continuation
        init(ended: AsyncStream<Void>.Continuation) { self.ended = ended }
        deinit { ended.yield() }
    }
}
