/// A player of several items. Every player has a queue.
public typealias QueuePlayer = MediaPlayer

// The queue. The next item starts automatically when the current one ends, without a gap if the backend can preload it.
// An item that cannot be played is reported as failed and skipped. An item that is inserted into an empty or finished
// queue is loaded at once. The queue can be changed at any time, also within a callback.
extension MediaPlayer {
    /// The queue.
    public var queue: PlaybackQueue { snapshot.queue }

    /// The length of the crossfade between two items, in seconds, clamped to `0...600`. 0 by default: items follow each other without a
    /// gap. A value that is no number is ignored, with the notice `invalidCrossfade`.
    public var crossfade: Double {
        get { snapshot.crossfade }
        set { perform(.queue(.setCrossfade(newValue))) }
    }

    /// The current item and the items after it, in order.
    public func items() -> [PlayerItem] {
        // An item that was loaded beside the queue plays before it.
        guard let item = currentItem, snapshot.isOpen, !snapshot.isQueueItem else { return queue.remaining }
        return [item] + queue.playOrder
    }

    /// All items, played ones too, in the order in which they were put in.
    public var allItems: [PlayerItem] { queue.items }

    /// The index of the current item in `allItems`; `nil` if there is none.
    public var currentIndex: Int? { queue.currentIndex }

    /// `true` if no item is left to play. It is so by the time that the last `complete` or `failure` is sent.
    public var isOver: Bool {
        snapshot.phase == .failed || snapshot.phase == .ended && !snapshot.isHeldAtEnd && queue.currentIndex == nil
    }

    /// Calls the handler after each change of the queue, until the token is cancelled or released.
    ///
    /// - Parameter changed: called on the main actor, before the events of the change.
    public func observeQueue(_ changed: @escaping @MainActor () -> Void) -> ObservationToken {
        queueObservers.add(changed)
    }

    /// The status of an item. Only the current item and, near its end, the next one are opened.
    public func status(of item: PlayerItem) -> PlayerSnapshot.Next.Status {
        // The current item may also be the next one.
        if currentItem?.id == item.id {
            return snapshot.error.map { .failed($0) } ?? (snapshot.isReady ? .readyToPlay : .unknown)
        }
        if let next = snapshot.failedPreloads[item.id] { return next.status }
        return snapshot.next.flatMap { $0.item.id == item.id ? $0.status : nil } ?? .unknown
    }

    // MARK: Changing the items

    /// Creates an item that is resolved shortly before each of its turns. Load it into this player, or insert it into its queue.
    ///
    /// If the resolver fails, the item has failed, and the queue skips it. The item keeps its identity, and its metadata
    /// complete those of the resolved item. The player forgets the resolver when the item is removed from the queue, or when
    /// another item is loaded in place of one that was loaded alone.
    ///
    /// - Parameters:
    ///   - metadata: metadata to show before the item is resolved.
    ///   - resolver: returns the item to play. Called off the main actor, and cancelled if the item is not played.
    public func deferredItem(
        metadata: MediaMetadata = MediaMetadata(), resolvedBy resolver: @escaping Resolver
    ) -> PlayerItem {
        let item = PlayerItem(deferredWith: metadata)
        itemResolvers[item.id] = resolver
        return item
    }

    func forgetResolvers(of old: PlaybackQueue, except new: PlaybackQueue) {
        guard !itemResolvers.isEmpty else { return }
        for id in Set(old.items.map(\.id)).subtracting(new.items.map(\.id)) { itemResolvers[id] = nil }
    }

    /// The resolver of an item beside the queue is forgotten when another item is loaded.
    func forgetResolver(before snapshot: PlayerSnapshot) {
        guard let item = snapshot.item, item.source?.id != deferredAlone else { return }
        if let old = deferredAlone, !snapshot.queue.items.contains(where: { $0.id == old }) { itemResolvers[old] = nil }
        deferredAlone = snapshot.isQueueItem ? nil : item.deferred?.id
    }

    /// `true` if `insert` accepts the item: it is not in `items()`. An item that was played moves, and plays again.
    /// Another item may have the same address.
    public func canInsert(_ item: PlayerItem, after predecessor: PlayerItem?) -> Bool {
        queue.canInsert(item, after: predecessor)
    }

    /// Replaces the loaded item and the queue.
    ///
    /// - Parameters:
    ///   - items: the items, at least one. With none, the player stops.
    ///   - autoPlay: `true` to play as soon as possible.
    ///   - index: the index of the first item to play, clamped to the items.
    public func load(_ items: [PlayerItem], autoPlay: Bool = false, startIndex index: Int = 0) {
        perform(.queue(.load(items, autoPlay: autoPlay, startIndex: index)))
    }

    /// Inserts an item after another one, or at the end. Without effect if `canInsert` is `false`.
    public func insert(_ item: PlayerItem, after predecessor: PlayerItem?) {
        perform(.queue(.insert(item, after: predecessor)))
    }

    /// Inserts an item at an index of `allItems`, clamped to them. Without effect if `canInsert` is `false`.
    public func insert(_ item: PlayerItem, at index: Int) { perform(.queue(.insertAt(index, item))) }

    /// Appends items. Items that are in `items()` already are left out.
    public func append(_ items: [PlayerItem]) { perform(.queue(.append(items))) }

    /// Appends items. Items that are in `items()` already are left out.
    public func append(_ items: PlayerItem...) { append(items) }

    /// Moves an item from one index of `allItems` to another. Playback continues.
    public func move(from source: Int, to destination: Int) { perform(.queue(.move(from: source, to: destination))) }

    /// Removes an item. If it is the current one, the next one plays.
    public func remove(_ item: PlayerItem) { perform(.queue(.remove(item))) }

    /// Stops, unloads, and removes all items.
    public func removeAllItems() { perform(.queue(.removeAll)) }

    // MARK: Order

    /// The repetition of the queue or of one item. `off` by default.
    public var repeatMode: PlaybackQueue.RepeatMode {
        get { queue.repeatMode }
        set { perform(.queue(.setRepeatMode(newValue))) }
    }

    /// The action at the end of an item. `advance` by default.
    public var actionAtItemEnd: PlaybackQueue.ActionAtEnd {
        get { queue.actionAtEnd }
        set { perform(.queue(.setActionAtEnd(newValue))) }
    }

    /// `true` if the order of playback differs from that of `allItems`. The order stays if the value stays.
    public var isShuffled: Bool {
        get { queue.isShuffled }
        set {
            guard newValue != isShuffled else { return }
            if newValue { shuffle() } else { unshuffle() }
        }
    }

    /// Plays in a random order from now on, each item once a round. The current item stays, and all others follow it.
    ///
    /// - Parameter seed: the same seed gives the same order; by default another one each time.
    public func shuffle(seed: UInt64 = .random(in: 0 ... .max)) { perform(.queue(.shuffle(seed: seed))) }

    /// Plays in the order of `allItems` again, from the current item on.
    public func unshuffle() { perform(.queue(.unshuffle)) }

    // MARK: Navigation

    /// Goes to the next item, and plays it if this one was playing. After the last one, stops and unloads.
    public func advanceToNextItem() { perform(.queue(.advance)) }

    /// Goes to the previous item; more than three seconds into an item, to its beginning.
    public func returnToPreviousItem() { perform(.queue(.goBack)) }

    /// Goes to an item by its index in `allItems`. A failed item is tried again.
    ///
    /// - Returns: `true` if there is such an item.
    @discardableResult
    public func jump(to index: Int) -> Bool {
        let exists = queue.items.indices.contains(index)
        perform(.queue(.jump(to: index)))
        return exists
    }
}
