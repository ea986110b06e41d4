import Synchronization

/// Sends the same events to each of its streams.
@MainActor
package final class EventStreams {
    private let buffers = Observers<EventBuffer>()

    package init() {}

    /// A stream of all events from now on.
    ///
    /// - Parameter limit: the number of events that are kept for a slow reader. Beyond it, `missed` replaces the oldest.
    package func makeStream(limit: Int) -> AsyncStream<PlayerEvent> {
        let buffer = EventBuffer(limit: limit)
        _ = buffers.add(buffer)
        return buffer.makeStream()
    }

    /// A stream that begins with the current state of a player.
    ///
    /// - Parameters:
    ///   - current: the events that lead to the current state. They include all pending deliveries.
    ///   - deliveries: the queue of the player.
    package func makeStream(
        limit: Int, current: [PlayerEvent], after deliveries: DeliveryQueue
    ) -> AsyncStream<PlayerEvent> {
        let buffer = EventBuffer(limit: max(limit, current.count))
        for event in current { buffer.push(event) }
        _ = buffers.add(buffer, after: deliveries)
        return buffer.makeStream()
    }

    package func send(_ event: PlayerEvent) {
        buffers.removeAll(where: \.isFinished)
        buffers.notify { $0.push(event) }
    }

    isolated deinit {
        for buffer in buffers.all { buffer.finish() }
    }
}

/// Keeps a bounded number of events for the reader of one stream.
private final class EventBuffer: Sendable {
    private struct State {
        var events: ArraySlice<PlayerEvent> = []
        /// The number of events that were left out before the first of `events`.
        var missed = 0
        var reader: CheckedContinuation<PlayerEvent?, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = max(1, limit) }

    /// The stream of the one reader.
    func makeStream() -> AsyncStream<PlayerEvent> {
        let lifetime = StreamLifetime { [weak self] in self?.abandon() }
        // The stream keeps the buffer: its events are delivered even if the player has gone.
        return AsyncStream { [self] in
            withExtendedLifetime(lifetime) {}
            return await next()
        } onCancel: { [weak self] in
            self?.abandon()
        }
    }

    /// `true` once nobody reads any more.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    func push(_ event: PlayerEvent) {
        let reader = state.withLock { state -> CheckedContinuation<PlayerEvent?, Never>? in
            guard !state.isFinished else { return nil }
            guard let reader = state.reader else {
                state.events.append(event)
                if state.events.count > limit {
                    state.events.removeFirst()
                    state.missed += 1
                }
                return nil
            }
            state.reader = nil
            return reader
        }
        reader?.resume(returning: event)
    }

    /// Takes no more events. Those that wait are still delivered.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    private func abandon() {
        state.withLock { $0.events = [] }
        finish()
    }

    private func next() async -> PlayerEvent? {
        await withCheckedContinuation { continuation in
            let event = state.withLock { state -> PlayerEvent?? in
                if state.missed > 0 {
                    defer { state.missed = 0 }
                    return .missed(state.missed)
                }
                if let event = state.events.popFirst() { return event }
                if state.isFinished { return .some(nil) }
                state.reader = continuation
                return nil
            }
            if let event { continuation.resume(returning: event) }
        }
    }
}

/// Reports that the stream which keeps it has been dropped. `AsyncStream` reports only a cancellation.
private final class StreamLifetime: Sendable {
    private let onDrop: @Sendable () -> Void

    init(onDrop: @escaping @Sendable () -> Void) { self.onDrop = onDrop }

    deinit { onDrop() }
}
