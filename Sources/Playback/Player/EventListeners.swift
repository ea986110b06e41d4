/// Sends each event to the observers, and then to the streams.
///
/// Some properties of the snapshot have no event. Their changes are sent to the observers as `nil`.
@MainActor
package final class EventListeners {
    package typealias Handler = @MainActor (PlayerEvent?, PlayerSnapshot) -> Void

    package let observers = Observers<Handler>()
    private var writers: [EventWriter] = []
    /// `true` after `end`. A new stream then ends after the current values.
    private var hasEnded = false

    package init() {}

    /// Returns a stream of all events from now on.
    ///
    /// - Parameters:
    ///   - limit: the number of events that are kept for a slow reader. Beyond it, `missed` replaces the oldest.
    ///   - current: `nil`, or the snapshot with whose events the stream begins. They include all pending deliveries.
    ///   - deliveries: the queue of the player.
    package func makeStream(limit: Int, current: PlayerSnapshot?, after deliveries: DeliveryQueue) -> AsyncStream<
        PlayerEvent
    > {
        let events = current.map { PlayerEvent.current(of: $0) } ?? []
        let (numbered, continuation) = AsyncStream<EventWriter.Numbered>.makeStream(
            bufferingPolicy: .bufferingNewest(max(1, limit, events.count)))
        let writer = EventWriter(continuation)
        for event in events { writer.send(event) }
        if current == nil {
            keep(writer)
        } else {
            deliveries.add { [weak self] in self?.keep(writer) }
        }
        let reader = EventReader(numbered)
        return AsyncStream { await reader.next() }
    }

    /// Returns a stream of the values of a property: the current one, and each new one after the pending deliveries.
    package func makeStream<Value: Equatable & Sendable>(
        of property: KeyPath<PlayerSnapshot, Value>, current: PlayerSnapshot, after deliveries: DeliveryQueue
    ) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(Self.valueLimit))
        let writer = StreamWriter(continuation)
        var last = current[keyPath: property]
        writer.send(last)
        guard !hasEnded else { return stream }
        var isActive = false
        let token = observers.add { _, snapshot in
            let value = snapshot[keyPath: property]
            guard isActive, value != last else { return }
            last = value
            writer.send(value)
        }
        continuation.onTermination = { _ in Task { @MainActor in token.cancel() } }
        deliveries.add { isActive = true }
        return stream
    }

    private static let valueLimit = 1024

    private func keep(_ writer: EventWriter) {
        if !hasEnded { writers.append(writer) }
    }

    /// Ends all streams, and removes all observers.
    package func end() {
        hasEnded = true
        writers = []
        observers.removeAll()
    }

    package func send(_ event: PlayerEvent?, _ snapshot: PlayerSnapshot) {
        observers.notify { $0(event, snapshot) }
        if let event { writers.removeAll { !$0.send(event) } }
    }
}
