/// How well a player is supplied with data.
public enum PlaybackBufferState: String, Codable, Hashable, Sendable, CaseIterable {
    /// No data: no item is loaded, the item is being opened, or playback stalls.
    case empty
    /// Playback continues, and data arrive as they are needed.
    case keepUp
    /// All that there is to play is at hand, as with a local file.
    case full
}
