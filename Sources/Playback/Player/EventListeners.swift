/// Sends each event to the observers, and then to the streams.
@MainActor
package final class EventListeners {
    package let observers = Observers<@MainActor (PlayerEvent, PlayerSnapshot) -> Void>()
    private var writers: [EventWriter] = []

    package init() {}

    /// Returns a stream of all events from now on.
    ///
    /// - Parameters:
    ///   - limit: the number of events that are kept for a slow reader. Beyond it, `missed` replaces the oldest.
    ///   - current: `nil`, or the snapshot with whose events the stream begins. They include all pending deliveries.
    ///   - deliveries: the queue of the player.
    package func makeStream(
        limit: Int, current: PlayerSnapshot?, after deliveries: DeliveryQueue
    ) -> AsyncStream<PlayerEvent> {
        let events = current.map { PlayerEvent.current(of: $0) } ?? []
        let (numbered, continuation) = AsyncStream<EventWriter.Numbered>.makeStream(
            bufferingPolicy: .bufferingNewest(max(1, limit, events.count)))
        let writer = EventWriter(continuation)
        for event in events { writer.send(event) }
        if current == nil {
            writers.append(writer)
        } else {
            deliveries.add { [weak self] in self?.writers.append(writer) }
        }
        let reader = EventReader(numbered)
        return AsyncStream { await reader.next() }
    }

    package func send(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        observers.notify { $0(event, snapshot) }
        writers.removeAll { !$0.send(event) }
    }
}

/// Numbers the events of one stream. The stream ends with its writer; events that wait are still delivered.
@MainActor
private final class EventWriter {
    typealias Numbered = (number: Int, event: PlayerEvent)

    private let continuation: AsyncStream<Numbered>.Continuation
    private var lastNumber = 0

    init(_ continuation: AsyncStream<Numbered>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }

    /// - Returns: `false` if nobody reads any more.
    @discardableResult
    func send(_ event: PlayerEvent) -> Bool {
        lastNumber += 1
        if case .terminated = continuation.yield((lastNumber, event)) { return false }
        return true
    }
}

/// Reads one stream. A gap in the numbers shows that the buffer has dropped events.
private actor EventReader {
    private let events: AsyncStream<EventWriter.Numbered>
    private var lastNumber = 0
    /// The event after `missed`.
    private var pending: PlayerEvent?

    init(_ events: AsyncStream<EventWriter.Numbered>) { self.events = events }

    func next() async -> PlayerEvent? {
        if let event = pending {
            pending = nil
            return event
        }
        for await (number, event) in events {
            let missed = number - lastNumber - 1
            lastNumber = number
            if missed == 0 { return event }
            pending = event
            return .missed(missed)
        }
        return nil
    }
}
