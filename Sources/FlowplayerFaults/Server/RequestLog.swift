import Synchronization

/// The requests of a server, with streams of their changes.
final class RequestLog: Sendable {
    private struct State {
        var requests: [FaultServerRequest] = []
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var readers: [Int: AsyncStream<FaultServerRequest>.Continuation] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    var requests: [FaultServerRequest] { state.withLock(\.requests) }

    /// - Parameter make: creates the request for its number.
    func add(_ make: (Int) -> FaultServerRequest) -> Int {
        state.withLock { state in
            let id = state.requests.count + 1
            let request = make(id)
            state.requests.append(request)
            for listener in state.listeners.values { listener.yield() }
            for reader in state.readers.values { reader.yield(request) }
            return id
        }
    }

    func change(_ id: Int, _ body: (inout FaultServerRequest) -> Void) {
        state.withLock { state in
            let ending = state.requests[id - 1].ending
            body(&state.requests[id - 1])
            for listener in state.listeners.values { listener.yield() }
            guard state.requests[id - 1].ending != ending else { return }
            for reader in state.readers.values { reader.yield(state.requests[id - 1]) }
        }
    }

    /// Returns a stream with one element at once and one after each change, until `stop` is called.
    func changes() -> (changes: AsyncStream<Void>, stop: @Sendable () -> Void) {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastID += 1
            state.listeners[state.lastID] = continuation
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        continuation.yield()
        return (stream, { continuation.finish() })
    }

    /// Returns a stream with each request when it arrives and when it ends.
    func updates() -> AsyncStream<FaultServerRequest> {
        let (stream, continuation) = AsyncStream<FaultServerRequest>.makeStream()
        let id = state.withLock { state in
            state.lastID += 1
            state.readers[state.lastID] = continuation
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }
}
