/// How an item of a queue has become the current one.
public struct ItemTransition: Codable, Hashable, Sendable {
    /// The current item.
    public let item: PlayerItem
    /// Its place in the queue's `items` at that moment, from 0.
    public let index: Int
    /// Why it is its turn.
    public let reason: PlaybackQueue.TransitionReason

    /// - Parameters:
    ///   - item: the current item.
    ///   - index: its index in the queue.
    ///   - reason: the reason of the transition.
    public init(item: PlayerItem, index: Int, reason: PlaybackQueue.TransitionReason) {
        self.item = item
        self.index = index
        self.reason = reason
    }
}
