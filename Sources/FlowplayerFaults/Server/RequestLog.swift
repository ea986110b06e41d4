import Synchronization

/// The requests of a server, with streams of their changes.
final class RequestLog: Sendable {
    typealias Changes = AsyncStream<FaultServerRequest>

    private struct State {
        var requests: [FaultServerRequest] = []
        var readers: [Int: (continuation: Changes.Continuation, seesEndingsOnly: Bool)] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    var requests: [FaultServerRequest] { state.withLock(\.requests) }

    /// - Parameter make: creates the request for its number.
    func add(_ make: (Int) -> FaultServerRequest) -> Int {
        state.withLock { state in
            let request = make(state.requests.count + 1)
            state.requests.append(request)
            for reader in state.readers.values { reader.continuation.yield(request) }
            return request.id
        }
    }

    func change(_ id: Int, _ body: (inout FaultServerRequest) -> Void) {
        state.withLock { state in
            let before = state.requests[id - 1]
            body(&state.requests[id - 1])
            let request = state.requests[id - 1]
            for reader in state.readers.values where !reader.seesEndingsOnly || request.ending != before.ending {
                reader.continuation.yield(request)
            }
        }
    }

    /// Returns a stream with each request when it arrives and when it changes.
    ///
    /// - Parameter endingsOnly: `true` for the changes of `ending` only.
    func changes(ofEndings endingsOnly: Bool = false) -> (changes: Changes, continuation: Changes.Continuation) {
        let (changes, continuation) = Changes.makeStream()
        let id = state.withLock { state in
            state.lastID += 1
            state.readers[state.lastID] = (continuation, endingsOnly)
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return (changes, continuation)
    }
}
