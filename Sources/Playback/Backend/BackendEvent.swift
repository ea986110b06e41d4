/// What a backend tells its player. Plain data: it can be logged, compared and replayed.
public struct BackendEvent: Codable, Hashable, Sendable {
    /// The opening that this is about.
    public let generation: Generation
    /// When it was so, by the player's clock.
    public let hostTime: Duration
    /// What happened.
    public let body: Body

    /// An event as a backend makes it.
    public init(_ body: Body, generation: Generation, hostTime: Duration) {
        self.body = body
        self.generation = generation
        self.hostTime = hostTime
    }

    /// Positions and durations are in seconds.
    public enum Body: Codable, Hashable, Sendable {
        /// Everything is known that is needed to play. Once for each opening, before every other event but
        /// `notice`, `failed` and `closed`.
        case opened(OpenedMedia)
        /// The length is known better now; `nil` if there turns out to be none.
        case durationChanged(Double?)
        /// Whether `seek` can succeed has changed.
        case seekabilityChanged(Bool)
        /// Tracks came or went: the whole list as it is now.
        case tracksChanged(MediaTracks)
        /// The playhead runs from this position.
        case playing(position: Double)
        /// The playhead stands, because it was asked to.
        case paused(position: Double)
        /// The playhead stands, because data are missing.
        case stalled(position: Double)
        /// The playhead runs and is here. Several times a second while it runs.
        case time(position: Double)
        /// The seek that was asked for last has come to this position.
        case seeked(position: Double)
        /// The playhead stayed at this position.
        case seekFailed(position: Double)
        /// Something worth a warning that does not stop playback.
        case notice(PlaybackNotice)
        /// Played to the end. Nothing follows for this generation.
        case ended(position: Double)
        /// Playback stopped at this position. Nothing follows for this generation.
        case failed(PlaybackError, position: Double)
        /// Closed by command or by another opening. Nothing follows for this generation.
        case closed
    }
}

/// What is known of a medium once it is open.
public struct OpenedMedia: Codable, Hashable, Sendable {
    /// In seconds; `nil` for a stream without an end.
    public let duration: Double?
    /// Whether `seek` can succeed.
    public let isSeekable: Bool
    /// A file, a medium of known length, or a stream without an end.
    public let playbackType: PlaybackType
    /// What can be heard, read and seen.
    public let tracks: MediaTracks
    /// Where the playhead stands, in seconds.
    public let position: Double

    /// What a backend tells with `opened`. Times are in seconds.
    public init(
        duration: Double?, isSeekable: Bool, playbackType: PlaybackType, tracks: MediaTracks, position: Double = 0
    ) {
        self.duration = duration
        self.isSeekable = isSeekable
        self.playbackType = playbackType
        self.tracks = tracks
        self.position = position
    }
}
