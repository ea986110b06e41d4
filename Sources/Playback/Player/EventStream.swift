/// Writes one stream. The stream ends with its writer; values that wait are still delivered.
@MainActor
final class StreamWriter<Value: Sendable> {
    private let continuation: AsyncStream<Value>.Continuation

    init(_ continuation: AsyncStream<Value>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }

    /// - Returns: `false` if nobody reads any more.
    @discardableResult
    func send(_ value: Value) -> Bool {
        if case .terminated = continuation.yield(value) { return false }
        return true
    }
}

/// Numbers the events of one stream.
@MainActor
final class EventWriter {
    typealias Numbered = (number: Int, event: PlayerEvent)

    private let writer: StreamWriter<Numbered>
    private var lastNumber = 0

    init(_ continuation: AsyncStream<Numbered>.Continuation) { writer = StreamWriter(continuation) }

    /// - Returns: `false` if nobody reads any more.
    @discardableResult
    func send(_ event: PlayerEvent) -> Bool {
        lastNumber += 1
        return writer.send((lastNumber, event))
    }
}

/// Reads one stream. A gap in the numbers shows that the buffer has dropped events.
actor EventReader {
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
