/// A command for the queue of a player.
public enum QueueCommand: Codable, Hashable, Sendable {
    /// Replaces the item and the queue. With no items, the player stops. The index is clamped to the items.
    case load([PlayerItem], autoPlay: Bool, startIndex: Int = 0)
    /// Replaces the current item, or loads the item if there is no queue. It plays if the one before was wanted to play.
    case replaceCurrent(PlayerItem)
    /// Inserts an item after another one, or at the end.
    case insert(PlayerItem, after: PlayerItem?)
    /// Inserts an item at an index of `items`.
    case insertAt(Int, PlayerItem)
    /// Appends items.
    case append([PlayerItem])
    /// Moves an item from one index of `items` to another.
    case move(from: Int, to: Int)
    /// Removes an item. If it is the current one, the next one plays.
    case remove(PlayerItem)
    /// Stops, and removes all items.
    case removeAll
    /// Sets the repeat mode.
    case setRepeatMode(PlaybackQueue.RepeatMode)
    /// Sets the action at the end of an item.
    case setActionAtEnd(PlaybackQueue.ActionAtEnd)
    /// Plays in a random order.
    case shuffle(seed: UInt64)
    /// Plays in the order of `items`.
    case unshuffle
    /// Sets the length of the crossfade between two items, in seconds.
    case setCrossfade(Double)
    /// Goes to the next item.
    case advance
    /// Goes to the previous item, or to the beginning of the current one.
    case goBack
    /// Goes to the item at an index of `items`.
    case jump(to: Int)
    /// The current item has ended or failed. The machine requests this itself.
    case itemIsOver
}

// The queue: which item comes next, and when it is loaded or preloaded.
extension PlaybackMachine {
    /// The time before the end of an item at which the next one is preloaded, in seconds of real time.
    private static let preloadLead = 30.0
    /// In seconds.
    private static let longestCrossfade = 600.0

    mutating func handle(_ command: QueueCommand) {
        switch command {
        case .load(let items, let autoPlay, let index):
            forgetQueue()
            setSpeed(forAutoPlay: autoPlay)
            snapshot.queue.append(items)
            snapshot.queue.jump(to: min(max(0, index), snapshot.queue.items.count - 1))
            enterCurrent(.jumped, autoPlay: autoPlay)
        case .replaceCurrent(let item): replaceCurrent(with: item)
        case .insert(let item, let predecessor): insert([item]) { $0.insert(item, after: predecessor) }
        case .insertAt(let index, let item): insert([item]) { $0.insert(item, at: index) }
        case .append(let items):
            insert(items) {
                $0.append(items)
                return true
            }
        case .move(let source, let destination): snapshot.queue.move(from: source, to: destination)
        case .remove(let item):
            snapshot.failedPreloads[item.id] = nil
            if snapshot.queue.remove(item) { enterCurrent(.skipped) }
        case .removeAll:
            forgetQueue()
            stop()
        case .setRepeatMode(let mode): snapshot.queue.repeatMode = mode
        case .setActionAtEnd(let action): snapshot.queue.actionAtEnd = action
        case .shuffle(let seed): snapshot.queue.shuffle(seed: seed)
        case .unshuffle: snapshot.queue.unshuffle()
        case .setCrossfade(let requested):
            guard requested.isFinite else {
                return warn("invalidCrossfade", "A crossfade must be a number of seconds.")
            }
            let seconds = min(max(requested, 0), Self.longestCrossfade)
            guard seconds != snapshot.crossfade else { return }
            snapshot.crossfade = seconds
            prepare(nil)
        case .advance:
            snapshot.queue.advance()
            enterCurrent(.skipped)
        case .goBack:
            guard snapshot.item != nil else { return }
            if snapshot.queue.goBack(from: snapshot.playhead.position(at: now)) {
                enterCurrent(.skipped)
            } else {
                seek(to: 0)
            }
        case .jump(let index): if snapshot.queue.jump(to: index) { enterCurrent(.jumped) }
        case .itemIsOver: itemIsOver()
        }
    }

    /// Plays the queue, if `play` is a command for it: it waits at the end of an item, or nothing of it is loaded.
    ///
    /// - Returns: `false` if `play` is about the current item.
    mutating func playQueue() -> Bool {
        let queue = snapshot.queue
        let hasEnded = snapshot.phase == .ended && !snapshot.isHeldAtEnd
        let waitsAtEnd = hasEnded && queue.actionAtEnd == .pause && snapshot.isQueueItem
        let hasNoCurrent = snapshot.phase == .idle || hasEnded && queue.currentIndex == nil
        guard waitsAtEnd || hasNoCurrent && !queue.items.isEmpty else { return false }
        if waitsAtEnd { snapshot.queue.advance() }
        snapshot.queue.begin()
        enterCurrent(waitsAtEnd ? .ended : .jumped, autoPlay: true)
        return true
    }

    mutating func forgetQueue() {
        if !snapshot.queue.items.isEmpty { snapshot.queue.removeAll() }
        snapshot.failedPreloads = [:]
    }

    private mutating func replaceCurrent(with item: PlayerItem) {
        let queue = snapshot.queue
        guard !queue.items.isEmpty, snapshot.isQueueItem || !snapshot.isOpen else {
            return load(item, autoPlay: snapshot.wantsToPlay, from: item.startPosition)
        }
        snapshot.queue.replaceCurrent(with: item)
        enterCurrent(.jumped, autoPlay: snapshot.wantsToPlay)
    }

    /// Changes the queue, and starts the first of the new items if there is nothing else to play.
    private mutating func insert(_ items: [PlayerItem], _ change: (inout PlaybackQueue) -> Bool) {
        let before = snapshot.queue
        let isChanged = change(&snapshot.queue)
        let hasNothingToPlay =
            snapshot.queue.currentIndex == nil && !snapshot.isOpen || snapshot.phase == .failed && snapshot.isQueueItem
        guard isChanged, hasNothingToPlay, let first = items.first(where: { before.canInsert($0) }) else { return }
        guard !before.items.isEmpty else {
            snapshot.queue.begin()
            return enterCurrent(.jumped)
        }
        // The inserted item starts, not an item that was played before it.
        guard let index = snapshot.queue.items.firstIndex(where: { $0.id == first.id }) else { return }
        snapshot.queue.jump(to: index)
        enterCurrent(snapshot.phase == .failed ? .failed : .ended)
    }

    /// Loads the current item of the queue, or stops if there is none.
    private mutating func enterCurrent(_ reason: PlaybackQueue.TransitionReason, autoPlay: Bool? = nil) {
        guard let item = snapshot.queue.currentItem, let index = snapshot.queue.currentIndex else { return stop() }
        let failure = snapshot.failedPreloads.removeValue(forKey: item.id)
        // An item that the user selects is tried again.
        let knownFailure = reason == .ended || reason == .failed ? failure : nil
        load(
            item, autoPlay: autoPlay ?? snapshot.wasLastWantedToPlay, from: item.startPosition,
            in: ItemTransition(item: item, index: index, reason: reason), failedPreload: knownFailure)
        if let knownFailure, let error = knownFailure.error {
            effects.append(.perform(.failResolving(knownFailure.generation, error)))
        }
    }

    private mutating func itemIsOver() {
        let queue = snapshot.queue
        switch snapshot.phase {
        case .failed where snapshot.isQueueItem: if snapshot.queue.hasFailed() { enterCurrent(.failed) }
        case .ended where snapshot.isQueueItem: if snapshot.queue.ended() { enterCurrent(.ended) }
        case .ended where queue.currentIndex == nil && !queue.items.isEmpty && snapshot.item?.transition == nil:
            // An item that was loaded beside the queue has ended.
            snapshot.queue.begin()
            enterCurrent(.ended)
        default: break
        }
    }

    // MARK: Preloading

    /// Preloads the next item near the end of the current one, and closes a preloaded item that is no longer the next.
    mutating func preloadNext() {
        guard snapshot.next != nil || isNearEnd else { return }
        let mayPreload = allowsPreloading && snapshot.isQueueItem
        let next = mayPreload ? snapshot.queue.nextItem(except: Set(snapshot.failedPreloads.keys)) : nil
        guard next?.id != snapshot.next?.item.id else { return }
        prepare(isNearEnd && next?.allowsPreloading == true ? next : nil)
    }

    private var isNearEnd: Bool {
        guard snapshot.phase == .ready || snapshot.phase == .stalled, snapshot.loop == nil,
            snapshot.endSuppression == nil
        else { return false }
        guard let duration = snapshot.duration else { return snapshot.playbackType != .live }
        return (duration - snapshot.position) / snapshot.speed <= Self.preloadLead + snapshot.crossfade
    }
}

extension PlayerSnapshot {
    /// `true` if the loaded item is the current one of the queue.
    package var isQueueItem: Bool { queue.currentItem != nil && item?.source?.id == queue.currentItem?.id }

    /// `true` if playback is wanted, or was wanted until the item ended or failed.
    var wasLastWantedToPlay: Bool { isOpen || isHeldAtEnd ? wantsToPlay : wasWantedToPlay }
}
