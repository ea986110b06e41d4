/// How well a player is supplied with data.
public enum PlaybackBufferState: String, Codable, Hashable, Sendable, CaseIterable {
    /// There is nothing to play: nothing is loaded, the medium is being opened, or data are missing.
    case empty
    /// Playback goes on, and data come as they are needed.
    case keepUp
    /// All that there is to play is at hand, as with a local file.
    case full
}
