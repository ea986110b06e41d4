/// Gives each subscriber the same events, each over a stream of its own.
@MainActor
package final class EventBroadcaster<Event: Sendable> {
    private var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    private var lastID = 0

    package init() {}

    // The continuations end with their last reference, and their streams with them.
    package func makeStream() -> AsyncStream<Event> {
        lastID += 1
        let id = lastID
        let (stream, continuation) = AsyncStream<Event>.makeStream()
        continuations[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.continuations[id] = nil }
        }
        return stream
    }

    package func send(_ event: Event) {
        for continuation in continuations.values { continuation.yield(event) }
    }

    deinit {
        for continuation in continuations.values { continuation.finish() }
    }
}
