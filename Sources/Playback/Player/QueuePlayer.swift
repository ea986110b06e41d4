/// Plays items one after another.
///
/// An item that has ended or failed makes room for the next one by itself, which plays if that one was wanted to play.
/// After the last one the queue is empty, and what is inserted then begins at once.
public final class QueuePlayer: MediaPlayer {
    private var queue: [PlayerItem] = []
    private var advancing: ObservationToken?

    /// - Parameters:
    ///   - items: what to play; the first one is loaded at once.
    ///   - backend: an engine for this player alone.
    ///   - clock: the clock that the backend's events are stamped with.
    public init(items: [PlayerItem], backend: any PlaybackBackend, clock: any PlaybackClock = ContinuousClock()) {
        super.init(backend: backend, clock: clock)
        advancing = observe { [weak self] event, snapshot in
            guard event == .state(.complete) || event == .state(.failure) else { return }
            self?.goOn(after: snapshot)
        }
        for item in items { insert(item, after: nil) }
    }

    /// What is played now and what comes after it, in order.
    public func items() -> [PlayerItem] { queue }

    /// Whether `insert` would take the item: each one is in the queue only once. Another item may have the same address.
    public func canInsert(_ item: PlayerItem, after predecessor: PlayerItem?) -> Bool {
        !queue.contains { $0.id == item.id }
            && (predecessor.map { predecessor in queue.contains { $0.id == predecessor.id } } ?? true)
    }

    /// Puts an item behind another one, or at the end. Without effect where `canInsert` is `false`.
    public func insert(_ item: PlayerItem, after predecessor: PlayerItem?) {
        guard canInsert(item, after: predecessor) else { return }
        let index = predecessor.flatMap { predecessor in queue.firstIndex { $0.id == predecessor.id } }
        queue.insert(item, at: index.map { $0 + 1 } ?? queue.endIndex)
        if queue.count == 1 { load(item, autoPlay: snapshot.wasWantedToPlay) }
    }

    /// Takes an item out of the queue; if it is the one being played, goes on to the next.
    public func remove(_ item: PlayerItem) {
        guard let index = queue.firstIndex(where: { $0.id == item.id }) else { return }
        if index == 0 { return advanceToNextItem() }
        queue.remove(at: index)
    }

    /// Stops, unloads, and forgets all items.
    public func removeAllItems() {
        queue = []
        stop()
    }

    /// Goes on to the next item, playing if this one was; after the last one, stops and unloads.
    public func advanceToNextItem() {
        if !queue.isEmpty { queue.removeFirst() }
        replaceCurrentItem(with: queue.first)
    }

    /// - Parameter snapshot: of the player when the item was over.
    private func goOn(after snapshot: PlayerSnapshot) {
        guard let first = queue.first, snapshot.item?.source?.id == first.id, self.snapshot.item == snapshot.item else {
            return
        }
        queue.removeFirst()
        if let next = queue.first { load(next, autoPlay: snapshot.wasWantedToPlay) }
    }
}
