/// How an item of a queue has become the current one.
public struct ItemTransition: Codable, Hashable, Sendable {
    /// The current item.
    public let item: PlayerItem
    /// Its place in the queue's `items` at that moment, from 0.
    public let index: Int
    /// Why it is its turn.
    public let reason: PlaybackQueue.TransitionReason
}
