// The events and the values of a player, as streams and for observers.
extension MediaPlayer {
    /// Returns a new stream of every event from now on, in order.
    ///
    /// - Parameters:
    ///   - startsWithCurrent: `true` to begin with the events that lead to the current state.
    ///   - bufferLimit: the number of events that are kept for a slow reader. Beyond it, `missed` replaces the oldest.
    public func events(startsWithCurrent: Bool = false, bufferLimit: Int = 1024) -> AsyncStream<PlayerEvent> {
        listeners.makeStream(limit: bufferLimit, current: startsWithCurrent ? snapshot : nil, after: deliveries)
    }

    /// Returns a new stream of the values of a property: the current one, and then each new one.
    ///
    /// The stream ends when the player is closed or released. It keeps the newest 1024 values for a slow reader.
    public func values<Value: Equatable & Sendable>(of property: KeyPath<PlayerSnapshot, Value>) -> AsyncStream<Value> {
        listeners.makeStream(of: property, current: snapshot, after: deliveries)
    }

    /// Waits until the loaded item can be played. Cancelling the task ends the waiting only.
    ///
    /// - Throws: the `PlaybackError` of an item that fails. `CancellationError` if no item is loaded, if another load
    ///   or `stop` replaces the item, or if the task is cancelled.
    public func waitUntilReady() async throws {
        let number = snapshot.item?.number
        for await snapshot in values(of: \.self) {
            guard let number, snapshot.item?.number == number else { break }
            if let error = snapshot.error { throw error }
            if snapshot.isReady { return }
        }
        throw CancellationError()
    }

    /// Calls the handler with every event, before the streams have it, until the token is cancelled or
    /// released.
    ///
    /// - Parameter handler: called on the main actor with the event and the snapshot that it belongs to.
    public func observe(
        _ handler: @escaping @MainActor (PlayerEvent, PlayerSnapshot) -> Void
    ) -> ObservationToken {
        observeChanges { event, snapshot in
            if let event { handler(event, snapshot) }
        }
    }

    /// Calls the handler with every event, and with `nil` after the change of a property that has no event.
    ///
    /// - Parameter first: `true` to call the handler before all others.
    package func observeChanges(first: Bool = false, _ handler: @escaping EventListeners.Handler) -> ObservationToken {
        listeners.observers.add(handler, first: first)
    }
}
