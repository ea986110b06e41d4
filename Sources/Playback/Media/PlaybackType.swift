/// How an item reaches the player.
public enum PlaybackType: String, Codable, Hashable, Sendable {
    /// A file on this machine.
    case file
    /// An item of known length over the network.
    case vod
    /// A stream without an end.
    case live
    /// Not known yet, or not at all.
    case unknown
}
