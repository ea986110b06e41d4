/// Gives each subscriber the same events, each over a stream and a buffer of its own.
@MainActor
package final class EventBroadcaster {
    private var subscriptions: [(queue: EventQueue<PlayerEvent>, joinsAfter: Int)] = []

    private let clock: (any SteppedClock)?

    /// - Parameter clock: the player's; one that moves in steps waits for those who read the streams.
    package init(clock: any PlaybackClock) { self.clock = clock as? any SteppedClock }

    /// - Parameters:
    ///   - limit: how many events wait for a slow reader; beyond that it is told `missed` instead of the oldest.
    ///   - first: what the new subscriber is told before everything else.
    ///   - number: events up to this one are part of `first` already.
    package func makeStream(
        limit: Int, first: [PlayerEvent] = [], joiningAfter number: Int = 0
    ) -> AsyncStream<PlayerEvent> {
        let queue = EventQueue<PlayerEvent>(clock: clock, limit: max(limit, first.count)) { .missed($0) }
        for event in first { queue.push(event) }
        subscriptions.append((queue, number))
        return queue.makeStream()
    }

    package func send(_ delivery: EventDelivery) {
        subscriptions.removeAll { $0.queue.isFinished }
        for (queue, joinsAfter) in subscriptions where delivery.number > joinsAfter { queue.push(delivery.event) }
    }

    deinit {
        for (queue, _) in subscriptions { queue.finish() }
    }
}

/// One event on its way to the observers.
package struct EventDelivery {
    package let event: PlayerEvent
    /// The player as it was when the event came about.
    package let snapshot: PlayerSnapshot
    /// Counts the events of all players of the process.
    package let number: Int

    package init(event: PlayerEvent, snapshot: PlayerSnapshot, number: Int) {
        self.event = event
        self.snapshot = snapshot
        self.number = number
    }
}
