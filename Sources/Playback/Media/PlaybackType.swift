/// How an item reaches the player.
public enum PlaybackType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A file on this machine.
    case file
    /// An item of known length over the network.
    case vod
    /// A stream without an end.
    case live
    /// Not known yet, or not at all.
    case unknown

    /// Creates the type of a name, or `nil` without a name.
    public init?(rawValue: String?) {
        guard let rawValue else { return nil }
        self.init(rawValue: rawValue)
    }
}

/// How well a player is supplied with data.
public enum PlaybackBufferState: String, Codable, Hashable, Sendable, CaseIterable {
    /// No data: no item is loaded, the item is being opened, or playback stalls.
    case empty
    /// Playback continues, and data arrive as they are needed.
    case keepUp
    /// All that there is to play is at hand, as with a local file.
    case full
}

/// The part of a live stream that can be played: it moves on while the stream does.
public struct DVRWindow: Codable, Hashable, Sendable {
    /// The earliest position to seek to, in seconds.
    public let start: Double
    /// The live edge, in seconds.
    public let end: Double

    /// Both in seconds, on the same axis as positions. An end before the start is taken for the start.
    public init(start: Double, end: Double) {
        self.start = start
        self.end = max(start, end)
    }

    /// How much can be played, in seconds.
    public var availableLength: Double { end - start }
}
