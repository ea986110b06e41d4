/// What a delegate is told when playback fails.
public enum PlayerError: Error {
    /// The medium cannot be played, or not further. The error inside is always a `PlaybackError`.
    case playbackError(any Error)

    /// The error inside, with its code and what to do about it.
    public var playbackError: PlaybackError? {
        switch self {
        case .playbackError(let error): error as? PlaybackError
        }
    }
}
