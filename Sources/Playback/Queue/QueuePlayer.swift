/// Plays the items of a queue one after another.
///
/// An item that has ended makes room for the next one by itself, without a gap where the backend can prepare it; one that
/// cannot be played is told as that item's failure and left out. What is inserted into an empty queue, or into one that is over,
/// is loaded at once. The queue can be changed at any time, also within a callback.
public final class QueuePlayer: MediaPlayer {
    /// The queue as it is now.
    public private(set) var queue = PlaybackQueue() {
        didSet {
            upcoming = nil
            queueObservers.notify { $0() }
        }
    }
    /// In seconds: so long one item fades into the next. 0, the default: they follow each other without a gap.
    public var crossfade = 0.0 {
        didSet {
            guard crossfade != oldValue else { return }
            perform(.prepare(nil))
            prepareNext()
        }
    }

    /// In seconds, in real time: so long before its end the next item is prepared.
    private static let preparationLead = 30.0

    private var observing: ObservationToken?
    private let queueObservers = Observers<@MainActor () -> Void>()
    /// Whether the current item has failed, and there is no other to go on with.
    private var hasGivenUp = false
    /// Items that were found to be unplayable before it was their turn.
    private var foretold: [PlayerItem.ID: PlayerSnapshot.Next] = [:]
    /// What comes next, if that has been found out since the queue has changed.
    private var upcoming: PlayerItem??

    /// - Parameters:
    ///   - items: what to play; the first one is loaded at once.
    ///   - backend: an engine for this player alone.
    ///   - clock: the clock that the backend's events are stamped with.
    ///   - audioSession: how its sound stands to that of others.
    public init(
        items: [PlayerItem] = [], backend: any PlaybackBackend, clock: any PlaybackClock = ContinuousClock(),
        audioSession: AudioSession = .sharedInstance()
    ) {
        super.init(backend: backend, clock: clock, audioSession: audioSession)
        observing = observe { [weak self] event, snapshot in self?.follow(event, snapshot) }
        append(items)
    }

    // MARK: What there is

    /// What is played now and what comes after it, in order.
    public func items() -> [PlayerItem] { queue.remaining }

    /// Whether all has been played, or nothing that is left can be. True by the time that the last `complete` or `failure` is told.
    public var isOver: Bool { hasGivenUp || (snapshot.phase == .ended && queue.currentIndex == nil) }

    /// Calls the handler whenever the queue may be another, until the token is cancelled.
    ///
    /// - Parameter changed: called on the main actor, before the player has acted on it.
    @discardableResult
    public func observeQueue(_ changed: @escaping @MainActor () -> Void) -> ObservationToken {
        queueObservers.add(changed)
    }

    /// How far an item has come. Only the current one and, near the end of that, the next one are opened.
    public func status(of item: PlayerItem) -> PlayerSnapshot.Next.Status {
        if let next = foretold[item.id] { return next.status }
        if let next = snapshot.next, next.item.id == item.id { return next.status }
        guard currentItem?.id == item.id else { return .unknown }
        return snapshot.error.map { .failed($0) } ?? (snapshot.isReady ? .readyToPlay : .unknown)
    }

    // MARK: Changing what there is

    /// Whether `insert` would take the item: each one is in the queue only once. Another item may have the same address.
    public func canInsert(_ item: PlayerItem, after predecessor: PlayerItem?) -> Bool {
        queue.canInsert(item, after: predecessor)
    }

    /// Replaces what is loaded, and all items.
    ///
    /// - Parameters:
    ///   - items: what to play, at least one; with none, the player stops.
    ///   - autoPlay: whether to play as soon as that is possible.
    ///   - index: which of them is the first to play, held to what there is.
    public func load(_ items: [PlayerItem], autoPlay: Bool = false, startIndex index: Int = 0) {
        forgetQueue()
        queue.append(items)
        queue.jump(to: min(max(0, index), queue.items.count - 1))
        enterCurrent(.jumped, autoPlay: autoPlay)
    }

    /// Puts an item behind another one, or at the end. Without effect where `canInsert` is `false`.
    public func insert(_ item: PlayerItem, after predecessor: PlayerItem?) {
        change { $0.insert(item, after: predecessor) }
    }

    /// Puts an item at a place of `queue.items`, held to what there is. Without effect where `canInsert` is `false`.
    public func insert(_ item: PlayerItem, at index: Int) { change { $0.insert(item, at: index) } }

    /// Puts items at the end. Those that are there already are left out.
    public func append(_ items: [PlayerItem]) { change { $0.append(items) } }

    /// Moves an item from one place of `queue.items` to another. What is played goes on.
    public func move(from source: Int, to destination: Int) { change { $0.move(from: source, to: destination) } }

    /// Takes an item out of the queue; if it is the current one, goes on to the next.
    public func remove(_ item: PlayerItem) {
        foretold[item.id] = nil
        if queue.remove(item) { enterCurrent(.skipped) } else { prepareNext() }
    }

    /// Stops, unloads, and forgets all items.
    public func removeAllItems() {
        forgetQueue()
        stop()
    }

    private func forgetQueue() {
        queue.removeAll()
        foretold = [:]
    }

    private func change(_ change: (inout PlaybackQueue) -> Void) {
        let before = queue.items
        change(&queue)
        let hasNothingToPlay =
            queue.currentIndex == nil && !snapshot.isOpen || snapshot.phase == .failed && isCurrent
        guard queue.items.count > before.count, hasNothingToPlay else { return prepareNext() }
        guard !before.isEmpty else {
            queue.begin()
            return enterCurrent(.jumped)
        }
        // What has been put in begins, not what has been played before it.
        let known = Set(before.map(\.id))
        guard let index = queue.items.firstIndex(where: { !known.contains($0.id) }) else { return }
        queue.jump(to: index)
        enterCurrent(snapshot.phase == .failed ? .failed : .ended)
    }

    // MARK: How it goes on

    /// What comes after the last item, or after every one. `off` by default.
    public var repeatMode: PlaybackQueue.RepeatMode {
        get { queue.repeatMode }
        set { change { $0.repeatMode = newValue } }
    }

    /// What happens when an item has ended. `advance` by default.
    public var actionAtItemEnd: PlaybackQueue.ActionAtEnd {
        get { queue.actionAtEnd }
        set { change { $0.actionAtEnd = newValue } }
    }

    /// Plays in a random order from now on, every item once a round: the current one stays, and all others come after it.
    ///
    /// - Parameter seed: the same seed gives the same items the same order; by default another one each time.
    public func shuffle(seed: UInt64 = .random(in: 0 ... .max)) { change { $0.shuffle(seed: seed) } }

    /// Plays in the order of `queue.items` again, from the current one on.
    public func unshuffle() { change { $0.unshuffle() } }

    // MARK: Going on

    /// Goes on to the next item, playing if this one was; after the last one, stops and unloads.
    public func advanceToNextItem() {
        queue.advance()
        enterCurrent(.skipped)
    }

    /// Goes to the item before; more than three seconds into an item, to its beginning.
    public func returnToPreviousItem() {
        guard snapshot.item != nil else { return }
        if queue.goBack(from: position.seconds) { enterCurrent(.skipped) } else { seek(0) }
    }

    /// Goes to an item by its place in `queue.items`. One that had failed is tried again.
    ///
    /// - Returns: whether there is such an item.
    @discardableResult
    public func jump(to index: Int) -> Bool {
        guard queue.jump(to: index) else { return false }
        enterCurrent(.jumped)
        return true
    }

    /// As in any player. Where the queue waits at the end of an item it goes on with the next one, and a queue that is over begins
    /// again.
    public override func play() {
        switch snapshot.phase {
        case .ended where queue.actionAtEnd == .pause && isCurrent:
            queue.advance()
            queue.begin()
            enterCurrent(.ended, autoPlay: true)
        case .idle where !queue.items.isEmpty, .ended where queue.currentIndex == nil && !queue.items.isEmpty:
            queue.begin()
            enterCurrent(.jumped, autoPlay: true)
        default: super.play()
        }
    }

    /// Plays something else instead of the queue, which is forgotten.
    public override func load(_ item: PlayerItem, autoPlay: Bool = false, startPosition: Double = 0) {
        forgetQueue()
        super.load(item, autoPlay: autoPlay, startPosition: startPosition)
    }

    @discardableResult
    public override func load(
        autoPlay: Bool = false, startPosition: Double = 0, resolvedBy resolver: @escaping Resolver
    ) -> Int {
        forgetQueue()
        return super.load(autoPlay: autoPlay, startPosition: startPosition, resolvedBy: resolver)
    }

    // MARK: Transitions

    private var wasWanted: Bool { snapshot.isOpen ? snapshot.wantsToPlay : snapshot.wasWantedToPlay }

    private func enterCurrent(_ reason: PlaybackQueue.TransitionReason, autoPlay: Bool? = nil) {
        guard let item = queue.currentItem, let index = queue.currentIndex else { return stop() }
        let known = foretold.removeValue(forKey: item.id)
        // Who asks for an item wants it to be tried.
        let failure = reason == .ended || reason == .failed ? known : nil
        let transition = ItemTransition(item: item, index: index, reason: reason)
        perform(.loadQueued(transition, autoPlay: autoPlay ?? wasWanted, foretold: failure))
        if let failure, let error = failure.error { perform(.failResolving(failure.generation, error)) }
        prepareNext()
    }

    private func follow(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        // What observers did meanwhile counts for more.
        guard snapshot.item?.number == self.snapshot.item?.number else { return }
        switch event {
        case .state(.complete) where self.snapshot.phase == .ended: itemHasEnded()
        case .state(.failure) where self.snapshot.phase == .failed:
            if isCurrent, queue.hasFailed() { enterCurrent(.failed) } else { hasGivenUp = true }
        case .state(.load): hasGivenUp = false
        case .state(.play): if isCurrent { queue.played() }
        case .position, .duration, .state: prepareNext()
        default: break
        }
    }

    private var isCurrent: Bool { queue.currentItem != nil && currentItem?.id == queue.currentItem?.id }

    private func itemHasEnded() {
        if isCurrent {
            if queue.ended() { return enterCurrent(.ended) }
        } else if queue.currentIndex == nil, !queue.items.isEmpty, snapshot.item?.transition == nil {
            // What was loaded beside the queue is over.
            queue.begin()
            return enterCurrent(.ended)
        }
        perform(.prepare(nil))
    }

    // MARK: Preparing

    override func nextDidChange() {
        guard let next = snapshot.next, next.error != nil else { return }
        foretold[next.item.id] = next
        upcoming = nil
        prepareNext()
    }

    private func prepareNext() {
        let next = isCurrent ? nextItem : nil
        guard next?.id != snapshot.next?.item.id else { return }
        if snapshot.next != nil { perform(.prepare(nil)) }
        if let next, isNearEnd { perform(.prepare(next, crossfade: crossfade)) }
    }

    private var nextItem: PlayerItem? {
        if let upcoming { return upcoming }
        let next = queue.nextItem(except: Set(foretold.keys))
        upcoming = .some(next)
        return next
    }

    private var isNearEnd: Bool {
        guard snapshot.phase == .ready || snapshot.phase == .stalled else { return false }
        guard let duration = snapshot.duration else { return snapshot.playbackType != .live }
        return (duration - snapshot.position) / snapshot.rate <= Self.preparationLead + crossfade
    }
}
