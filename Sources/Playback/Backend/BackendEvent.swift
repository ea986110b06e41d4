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
        /// Held ready at its start, as `prepare` has asked. Before it only `addressRefused`, `failed` and `closed` are told.
        case prepared
        /// Everything is known that is needed to play. Once for each opening, before every other event but
        /// `buffered`, `addressRefused`, `notice`, `failed` and `closed`.
        case opened(OpenedMedia)
        /// The length is known, or known better now.
        case durationChanged(Double)
        /// Whether `seek` can succeed has changed.
        case seekabilityChanged(Bool)
        /// Tracks came or went: the whole list as it is now.
        case tracksChanged(MediaTracks)
        /// Another sound is heard than was told or asked for last; `nil`: none.
        case audioSelected(id: Int?)
        /// Another text is shown than was told or asked for last; `nil`: none.
        case subtitleSelected(id: Int?)
        /// The picture that is shown has another size; `nil`: none is shown.
        case videoSizeChanged(VideoSize?)
        /// How much of what the engine wants to have at hand is there.
        case buffered(BufferLevel)
        /// The part of a live stream that can be played has moved; `nil`: the stream has none.
        case dvrWindowChanged(DVRWindow?)
        /// What the medium says about itself is known, or known better.
        case metadataChanged(MediaMetadata)
        /// The playhead runs from this position.
        case playing(position: Double)
        /// The playhead stands, because it was asked to.
        case paused(position: Double)
        /// The playhead stands, because data are missing.
        case stalled(position: Double)
        /// The playhead runs and is here. Several times a second while it runs.
        case time(position: Double)
        /// A server refuses the medium's address, which may have expired, and `canReaddress` was said. The playhead stands until
        /// `readdress` answers; after the policy's time the item fails. Told again only if a second has been played since, or ten seconds have passed since the answer.
        case addressRefused(PlaybackError)
        /// The seek that was asked for last has come to this position.
        case seeked(position: Double)
        /// The playhead stayed at this position.
        case seekFailed(position: Double)
        /// Something more important sounds, and the sound server keeps this quiet. The playhead is stopped by the player's
        /// `pause`. Told after `opened`, and to every opening that is to sound meanwhile.
        case interruptionBegan
        /// What was told with `interruptionBegan` is over, also if `play` has put an end to it. `shouldResume`: whether
        /// playback is to go on by itself.
        case interruptionEnded(shouldResume: Bool)
        /// Sound goes to another device.
        case routeChanged(AudioRouteChange)
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
    /// The sound that is heard; `nil` if there is none.
    public let audio: Int?
    /// The text that is shown; `nil` if none is.
    public let subtitle: Int?
    /// The part that can be played of a live stream; `nil` where there is no such part.
    public let dvrWindow: DVRWindow?
    /// Where the playhead stands, in seconds.
    public let position: Double

    /// What a backend tells with `opened`. Times are in seconds.
    ///
    /// - Parameters:
    ///   - duration: `nil` for a stream without an end.
    ///   - isSeekable: whether `seek` can succeed.
    ///   - playbackType: how the medium reaches the player.
    ///   - tracks: what can be heard, read and seen.
    ///   - audio: the `id` of the sound that is heard; by default the first.
    ///   - subtitle: the `id` of the text that is shown; by default none.
    ///   - dvrWindow: the part that can be played of a live stream.
    ///   - position: where the playhead stands.
    public init(
        duration: Double?, isSeekable: Bool, playbackType: PlaybackType, tracks: MediaTracks, audio: Int? = nil,
        subtitle: Int? = nil, dvrWindow: DVRWindow? = nil, position: Double = 0
    ) {
        self.duration = duration
        self.isSeekable = isSeekable
        self.playbackType = playbackType
        self.tracks = tracks
        self.audio = audio ?? tracks.audio.first?.id
        self.subtitle = subtitle
        self.dvrWindow = dvrWindow
        self.position = position
    }
}

/// How well an engine is supplied.
public struct BufferLevel: Codable, Hashable, Sendable {
    /// Nothing at hand.
    public static let empty = BufferLevel(percentage: 0)
    /// All that there is.
    public static let whole = BufferLevel(percentage: 100, isWhole: true)

    /// How much of what the engine wants before it plays is at hand, in `0...100`.
    public let percentage: Double
    /// Whether all of the medium is at hand, as with a local file.
    public let isWhole: Bool

    /// - Parameters:
    ///   - percentage: held to `0...100`.
    ///   - isWhole: whether all of the medium is at hand.
    public init(percentage: Double, isWhole: Bool = false) {
        self.percentage = percentage.isFinite ? min(max(percentage, 0), 100) : 0
        self.isWhole = isWhole
    }
}
