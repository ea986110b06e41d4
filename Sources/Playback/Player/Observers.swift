/// Ends one observation or another registration, and nothing else.
///
/// An observation ends when its token is released, so keep the token: in a property, or with `store(in:)`. A plugin, a
/// target, a source or a backend stays until its token is cancelled. Cancelling twice is harmless.
@preconcurrency @MainActor
public final class ObservationToken {
    private var undo: (@MainActor () -> Void)?

    /// A token of another registry.
    public init(_ undo: @escaping @MainActor () -> Void) { self.undo = undo }

    isolated deinit { cancel() }

    /// Takes the registration back. The handler is not called any more once this returns.
    public func cancel() {
        let undo = undo
        self.undo = nil
        undo?()
    }

    /// Keeps the token in a set, until the set is released.
    public func store(in tokens: inout Set<ObservationToken>) { tokens.insert(self) }

    /// Keeps the token in an array, until the array is released.
    public func store(in tokens: inout [ObservationToken]) { tokens.append(self) }
}

extension ObservationToken: Hashable {
    nonisolated public static func == (a: ObservationToken, b: ObservationToken) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Handlers in the order of their registration, each until its token is cancelled or released.
@MainActor
package final class Observers<Handler> {
    /// A handler that stays when its token is released has the token here.
    private var entries: [(id: Int, handler: Handler, token: ObservationToken?)] = []
    private var lastID = 0

    package init() {}

    /// The handlers, the oldest first.
    package var all: [Handler] { entries.map { $0.handler } }

    /// - Parameter first: `true` to call the handler before all others.
    package func add(_ handler: Handler, first: Bool = false) -> ObservationToken {
        lastID += 1
        let id = lastID
        entries.insert((id, handler, nil), at: first ? 0 : entries.count)
        return ObservationToken { [weak self] in self?.remove(id) }
    }

    private func remove(_ id: Int) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        // The release of a handler may cancel other tokens, so it comes after the change.
        withExtendedLifetime(entries.remove(at: index)) {}
    }

    /// Adds a handler that stays when its token is released.
    ///
    /// - Parameter cancelled: called when the token is cancelled, or the last reference to the observers is dropped.
    package func addPermanently(_ handler: Handler, cancelled: @escaping @MainActor () -> Void = {}) -> ObservationToken
    {
        let registration = add(handler)
        let token = ObservationToken {
            registration.cancel()
            cancelled()
        }
        entries[entries.count - 1].token = token
        return token
    }

    /// `true` if the token is that of a permanent handler here.
    package func contains(_ token: ObservationToken) -> Bool { entries.contains { $0.token === token } }

    /// Calls the body with each handler. A handler that is cancelled meanwhile is left out, and so is one that is added.
    package func notify(_ body: (Handler) -> Void) {
        for (id, handler, _) in entries where entries.contains(where: { $0.id == id }) { body(handler) }
    }
}

/// Sends each event to the observers, and then to the streams.
///
/// Some properties of the snapshot have no event. Their changes are sent to the observers as `nil`.
@MainActor
package final class EventListeners {
    package typealias Handler = @MainActor (PlayerEvent?, PlayerSnapshot) -> Void

    package let observers = Observers<Handler>()
    private var writers: [EventWriter] = []

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
            writers.append(writer)
        } else {
            deliveries.add { [weak self] in self?.writers.append(writer) }
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
        var isActive = false
        let token = observers.add { _, snapshot in
            let value = snapshot[keyPath: property]
            guard isActive, value != last else { return }
            last = value
            writer.send(value)
        }
        continuation.onTermination = { _ in Task { @MainActor in token.cancel() } }
        writer.send(last)
        deliveries.add { isActive = true }
        return stream
    }

    private static let valueLimit = 1024

    package func send(_ event: PlayerEvent?, _ snapshot: PlayerSnapshot) {
        observers.notify { $0(event, snapshot) }
        if let event { writers.removeAll { !$0.send(event) } }
    }
}

/// Runs deliveries one after another. A delivery that a running one adds follows those that already wait.
@MainActor
package final class DeliveryQueue {
    private var waiting: [@MainActor () -> Void] = []
    private var isRunning = false

    package init() {}

    /// Adds a delivery and runs it now, unless another one is running.
    package func add(_ delivery: @escaping @MainActor () -> Void) {
        append(delivery)
        run()
    }

    /// Adds a delivery without running it.
    func append(_ delivery: @escaping @MainActor () -> Void) { waiting.append(delivery) }

    func run() {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        while !waiting.isEmpty {
            let deliveries = waiting
            // A delivery may keep the owner of the queue, so the queue keeps none that has run.
            waiting = []
            for delivery in deliveries { delivery() }
        }
    }
}
