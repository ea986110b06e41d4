/// The rules of a queue, without a player.
///
/// Pure: it decides which item comes next and plays none. Every question has an answer for the empty queue, for one
/// item and for the removal of the last.
public struct PlaybackQueue: Codable, Hashable, Sendable {
    /// The repetition of the queue or of one item.
    public enum RepeatMode: String, Codable, Hashable, Sendable, CaseIterable {
        /// After the last item the queue is over.
        case off
        /// The current item repeats, until another one is selected.
        case one
        /// After the last item the first one.
        case all
    }

    /// The action at the end of an item.
    public enum ActionAtEnd: String, Codable, Hashable, Sendable, CaseIterable {
        /// The next one plays.
        case advance
        /// The queue waits at the end of the item. `play` starts the next one.
        case pause
        /// Nothing: the item stays where it ended, and `play` plays it again.
        case none
    }

    /// The reason for which another item has become the current one.
    public enum TransitionReason: String, Codable, Hashable, Sendable, CaseIterable {
        /// The item before has ended.
        case ended
        /// The user went to the next or the previous item, or the host removed the item before.
        case skipped
        /// The item before has failed.
        case failed
        /// The user selected it.
        case jumped
    }

    /// All items, in the order in which they were put in.
    public private(set) var items: [PlayerItem] = []
    /// Which of `items` is the current one; `nil` before the first and after the last one.
    public private(set) var currentIndex: Int? { didSet { hasBegun = hasBegun || currentIndex != nil } }
    /// `off` by default.
    public var repeatMode = RepeatMode.off
    /// `advance` by default.
    public var actionAtEnd = ActionAtEnd.advance

    /// `false` until an item is the current one: all items are still to come. Later, those without a current one are over.
    private var hasBegun = false
    /// The order of playback while it is shuffled.
    private var shuffled: [PlayerItem.ID]?
    /// Items that have failed in this round.
    private var failed: Set<PlayerItem.ID> = []
    /// Items that have failed since one played.
    private var failuresInARow = 0

    /// The position after which `previous` goes to the beginning of the item, in seconds.
    public static let restartThreshold = 3.0

    /// - Parameter items: the items; an item that appears twice is taken once.
    public init(_ items: [PlayerItem] = []) { append(items) }

    // MARK: Items

    /// The current item.
    public var currentItem: PlayerItem? {
        // A decoded queue may have any index.
        currentIndex.flatMap { items.indices.contains($0) ? items[$0] : nil }
    }

    /// `true` if the order of playback differs from that of `items`.
    public var isShuffled: Bool { shuffled != nil }

    /// The items in the order of playback.
    public var playOrder: [PlayerItem] {
        guard let shuffled else { return items }
        let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        return shuffled.compactMap { byID[$0] }
    }

    /// The current item and those that come after it, in the order of playback.
    public var remaining: [PlayerItem] {
        currentPlace.map { Array(playOrder[$0...]) } ?? []
    }

    /// The item that plays when the current one has ended; `nil` if there is none.
    public var nextItem: PlayerItem? { nextItem(except: []) }

    /// The same, if these items turn out to be unplayable.
    func nextItem(except broken: Set<PlayerItem.ID>) -> PlayerItem? {
        guard let currentItem, actionAtEnd == .advance else { return nil }
        if repeatMode == .one { return broken.contains(currentItem.id) ? nil : currentItem }
        return follower(wraps: repeatMode == .all, except: broken).map { items[$0] }
    }

    private func index(of id: PlayerItem.ID) -> Int? { items.firstIndex { $0.id == id } }

    /// The identities in the order of playback. A list of all, so it is not for questions that each event may ask.
    private var order: [PlayerItem.ID] { shuffled ?? items.map(\.id) }

    /// Where the items are in the order of playback.
    private var places: Range<Int> { 0..<(shuffled?.count ?? items.count) }

    private func id(at place: Int) -> PlayerItem.ID { shuffled?[place] ?? items[place].id }

    /// Where the current item is in the order of playback.
    private var currentPlace: Int? {
        guard let currentItem else { return nil }
        return shuffled.map { $0.firstIndex(of: currentItem.id) } ?? currentIndex
    }

    /// The index in `items` of the item after the current one that has not failed.
    private func follower(wraps: Bool, except broken: Set<PlayerItem.ID> = []) -> Int? {
        guard let place = currentPlace else { return nil }
        let next = places[(place + 1)...].first { !failed.contains(id(at: $0)) && !broken.contains(id(at: $0)) }
        // With another round everything is tried again.
        let again = wraps ? places.first { !broken.contains(id(at: $0)) } : nil
        return (next ?? again).flatMap { place in shuffled.map { index(of: $0[place]) } ?? place }
    }

    // MARK: Changing the items

    /// The items that cannot be inserted again: the current one and those still to come.
    private var upcoming: [PlayerItem] { hasBegun ? remaining : items }

    /// `true` if `insert` accepts the item: it is neither the current one nor still to come. An item that was played moves.
    public func canInsert(_ item: PlayerItem, after predecessor: PlayerItem? = nil) -> Bool {
        let hasPlace = predecessor.map { $0.id != item.id && index(of: $0.id) != nil } ?? true
        return hasPlace && !upcoming.contains { $0.id == item.id }
    }

    /// Inserts an item after another one, or at the end. In a shuffled queue it also plays after that one.
    ///
    /// - Returns: `true` if the item was inserted, see `canInsert`.
    @discardableResult
    public mutating func insert(_ item: PlayerItem, after predecessor: PlayerItem?) -> Bool {
        guard canInsert(item, after: predecessor) else { return false }
        takeOut([item.id])
        let index = predecessor.flatMap { self.index(of: $0.id) }
        let place = predecessor.flatMap { order.firstIndex(of: $0.id) }
        put(item, at: index.map { $0 + 1 } ?? items.count, place: place.map { $0 + 1 } ?? items.count)
        return true
    }

    /// Inserts an item at an index of `items`, clamped to `0...items.count`. In a shuffled queue it plays last.
    ///
    /// - Returns: `true` if the item was inserted, see `canInsert`.
    @discardableResult
    public mutating func insert(_ item: PlayerItem, at index: Int) -> Bool {
        guard canInsert(item) else { return false }
        takeOut([item.id])
        put(item, at: min(max(0, index), items.count), place: items.count)
        return true
    }

    /// - Parameter place: the place in a shuffled order.
    private mutating func put(_ item: PlayerItem, at index: Int, place: Int) {
        shuffled?.insert(item.id, at: place)
        items.insert(item, at: index)
        if let current = currentIndex, index <= current { currentIndex = current + 1 }
    }

    /// Takes out items that are not the current one.
    private mutating func takeOut(_ ids: Set<PlayerItem.ID>) {
        guard items.contains(where: { ids.contains($0.id) }) else { return }
        let current = currentItem?.id
        items.removeAll { ids.contains($0.id) }
        shuffled?.removeAll { ids.contains($0) }
        failed.subtract(ids)
        currentIndex = current.flatMap { index(of: $0) }
    }

    /// Puts items at the end. The current item and those still to come are left out.
    public mutating func append(_ newItems: [PlayerItem]) {
        var known = Set(upcoming.map(\.id))
        let fresh = newItems.filter { known.insert($0.id).inserted }
        takeOut(Set(fresh.map(\.id)))
        items += fresh
        shuffled? += fresh.map(\.id)
    }

    /// Moves an item to another place in `items`, clamped to its range. Without effect for a place where there is no item. The
    /// current item stays the current one; a shuffled order of playback stays as it is.
    public mutating func move(from source: Int, to destination: Int) {
        guard items.indices.contains(source) else { return }
        let current = currentItem?.id
        let item = items.remove(at: source)
        items.insert(item, at: min(max(0, destination), items.count))
        currentIndex = current.flatMap { index(of: $0) }
    }

    /// Replaces the current item. Without one, the item becomes the last and the current one.
    public mutating func replaceCurrent(with item: PlayerItem) {
        let old = currentItem
        if old?.id != item.id { takeOut([item.id]) }
        if let index = currentIndex {
            shuffled = shuffled?.map { $0 == old?.id ? item.id : $0 }
            items[index] = item
        } else {
            append([item])
            currentIndex = items.count - 1
        }
        failed.subtract([item.id, old?.id].compactMap(\.self))
        failuresInARow = 0
    }

    /// Removes an item. If it is the current one, the next one becomes current: the queue is over if there is none.
    ///
    /// - Returns: `true` if the current item changed.
    @discardableResult
    public mutating func remove(_ item: PlayerItem) -> Bool {
        guard let index = index(of: item.id) else { return false }
        let isCurrent = index == currentIndex
        let next = isCurrent ? follower(wraps: repeatMode == .all).map { items[$0].id } : currentItem?.id
        items.remove(at: index)
        shuffled?.removeAll { $0 == item.id }
        failed.remove(item.id)
        currentIndex = next.flatMap { self.index(of: $0) }
        return isCurrent
    }

    /// Takes all items out.
    public mutating func removeAll() {
        items = []
        currentIndex = nil
        hasBegun = false
        shuffled = shuffled.map { _ in [] }
        failed = []
        failuresInARow = 0
    }

    // MARK: The order of playback

    /// Plays in a random order from now on, every item once a round: the current one stays, and all others come after it.
    ///
    /// - Parameter seed: the same seed gives the same items the same order.
    public mutating func shuffle(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let current = currentItem?.id
        let others = items.map(\.id).filter { $0 != current }.shuffled(using: &generator)
        shuffled = (current.map { [$0] } ?? []) + others
    }

    /// Plays in the order of `items` again, from the current one on.
    public mutating func unshuffle() { shuffled = nil }

    // MARK: Navigation

    /// Goes to an item. Without effect for an index without an item. A failed item is tried again.
    ///
    /// - Returns: `true` if there is such an item.
    @discardableResult
    public mutating func jump(to index: Int) -> Bool {
        guard items.indices.contains(index) else { return false }
        failed.remove(items[index].id)
        failuresInARow = 0
        currentIndex = index
        return true
    }

    /// Goes to the first item in the order of playback, if there is no current one.
    ///
    /// - Returns: `true` if there is a current item now.
    @discardableResult
    public mutating func begin() -> Bool {
        guard currentIndex == nil else { return true }
        failed = []
        failuresInARow = 0
        currentIndex = order.first.flatMap { index(of: $0) }
        return currentIndex != nil
    }

    /// Goes to the next item, also from one that is repeated. After the last one the queue is over, unless all is repeated.
    public mutating func advance() {
        failuresInARow = 0
        advance(to: follower(wraps: repeatMode == .all))
    }

    /// Goes to the previous item, or to the beginning of this one.
    ///
    /// - Parameter position: the position in the current item, in seconds.
    /// - Returns: `true` if the current item changed; otherwise it starts again.
    public mutating func goBack(from position: Double) -> Bool {
        guard let place = currentPlace, position <= Self.restartThreshold else { return false }
        let wrapped = repeatMode == .all && items.count > 1 ? items.count - 1 : nil
        guard let previous = place > 0 ? place - 1 : wrapped else { return false }
        return index(of: order[previous]).map { jump(to: $0) } ?? false
    }

    /// The current item has begun to play.
    public mutating func played() {
        failuresInARow = 0
        if let currentItem { failed.remove(currentItem.id) }
    }

    /// Handles the end of the current item.
    ///
    /// - Returns: `true` if the current item, which may be the same, is to be played from its beginning. `false`: the
    ///   queue waits or is over.
    public mutating func ended() -> Bool {
        guard currentItem != nil, actionAtEnd == .advance else { return false }
        if repeatMode == .one { return true }
        advance(to: follower(wraps: repeatMode == .all))
        return currentIndex != nil
    }

    /// Handles a failure of the current item, which is skipped for the rest of the round.
    ///
    /// - Returns: `true` if the current item changed, and is to be played from its beginning. `false`: no item is left
    ///   to try.
    public mutating func hasFailed() -> Bool {
        guard let currentItem else { return false }
        failed.insert(currentItem.id)
        failuresInARow += 1
        guard failuresInARow < items.count, let next = follower(wraps: repeatMode == .all) else { return false }
        advance(to: next)
        return true
    }

    private mutating func advance(to next: Int?) {
        // The first item starts another round.
        if let next, items[next].id == places.first.map({ id(at: $0) }) { failed = [] }
        currentIndex = next
    }
}

/// Random numbers that are the same for the same seed on every platform.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    // SplitMix64, by Sebastiano Vigna.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// How an item of a queue has become the current one.
public struct ItemTransition: Codable, Hashable, Sendable {
    /// The current item.
    public let item: PlayerItem
    /// Its place in the queue's `items` at that moment, from 0.
    public let index: Int
    /// Why it is its turn.
    public let reason: PlaybackQueue.TransitionReason
}
