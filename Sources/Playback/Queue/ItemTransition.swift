/// How an item of a queue has become the current one.
public struct ItemTransition: Codable, Hashable, Sendable {
    /// What is played now.
    public let item: PlayerItem
    /// Its place in the queue's `items` at that moment, from 0.
    public let index: Int
    /// Why it is its turn.
    public let reason: PlaybackQueue.TransitionReason

    /// - Parameters:
    ///   - item: what is played now.
    ///   - index: its place in the queue, from 0.
    ///   - reason: why it is its turn.
    public init(item: PlayerItem, index: Int, reason: PlaybackQueue.TransitionReason) {
        self.item = item
        self.index = index
        self.reason = reason
    }
}
