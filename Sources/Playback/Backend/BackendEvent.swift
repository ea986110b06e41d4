/// An event of a backend. Plain data: it can be logged, compared and replayed.
public struct BackendEvent: Codable, Hashable, Sendable {
    /// The opening that the event belongs to.
    public let generation: Generation
    /// The time of the event, by the player's clock.
    public let hostTime: Duration
    /// The event itself.
    public let body: Body

    /// Creates an event.
    public init(_ body: Body, generation: Generation, hostTime: Duration) {
        self.body = body
        self.generation = generation
        self.hostTime = hostTime
    }

    /// Positions and durations are in seconds.
    public enum Body: Codable, Hashable, Sendable {
        /// Held at its start, as `prepare` requires. Only `addressRefused`, `failed` and `closed` come before it.
        case prepared
        /// The item can be played. Sent once for each opening, before every other event except `buffered`,
        /// `addressRefused`, `capabilitiesChanged`, `notice`, `failed` and `closed`.
        case opened(OpenedMedia)
        /// The length is known, or more precise.
        case durationChanged(Double)
        /// `true` if `seek` can succeed now.
        case seekabilityChanged(Bool)
        /// The whole list of tracks, after it changed.
        case tracksChanged(MediaTracks)
        /// The qualities that can be selected, the best first. Sent after `opened` if there is a choice.
        case qualitiesChanged([VideoQuality])
        /// Another audio track than the last reported or requested one is selected; `nil`: none.
        case audioSelected(id: Int?)
        /// Another subtitle track than the last reported or requested one is selected; `nil`: none.
        case subtitleSelected(id: Int?)
        /// The size of the video changed; `nil`: there is no video.
        case videoSizeChanged(VideoSize?)
        /// The level of the engine's buffer.
        case buffered(BufferLevel)
        /// The parts of the item that the engine has received, in seconds. Sent after `opened` and `seeked`, and at most
        /// about once a second while they change. A backend need not send it for an item whose `BufferLevel` is whole.
        case bufferedRangesChanged([ClosedRange<Double>])
        /// The part of a live stream that can be played has moved; `nil`: the stream has none.
        case dvrWindowChanged(DVRWindow?)
        /// All marks of the stream that are known, by their positions, when they are known and after each change.
        case markersChanged([StreamMarker])
        /// The metadata, when they are known and after each change.
        case metadataChanged(MediaMetadata)
        /// Playback starts or resumes at this position.
        case playing(position: Double)
        /// The playhead paused, as requested.
        case paused(position: Double)
        /// The playhead stalled, because data are missing.
        case stalled(position: Double)
        /// The position during playback, several times a second.
        case time(position: Double)
        /// A server refuses the item's address, which may have expired, and `canReaddress` is `true`. Playback stalls
        /// until `readdress` comes. The item fails when the policy's time is over.
        ///
        /// Sent again only if a second has been played since, or ten seconds have passed since the answer.
        case addressRefused(PlaybackError)
        /// The last requested seek has reached this position.
        case seeked(position: Double)
        /// The playhead stayed at this position.
        case seekFailed(position: Double)
        /// The audio server interrupts the audio. The player's `pause` stops the playhead. Sent after `opened`, and to
        /// every opening that plays during the interruption.
        case interruptionBegan
        /// The interruption is over, or `play` has overridden it. `shouldResume` is `true` if playback resumes
        /// automatically.
        case interruptionEnded(shouldResume: Bool)
        /// The audio moved to another device.
        case routeChanged(AudioRouteChange)
        /// The bytes, bit rates, dropped frames and retries since the last report. At most once a second while the
        /// playhead runs, and before the item pauses, stalls, ends or fails. The other figures are ignored.
        case statistics(PlaybackStatistics)
        /// Another engine plays from here on, with these capabilities. Sent by a backend that combines engines. The player
        /// takes it also if the opening has been replaced.
        case capabilitiesChanged(BackendCapabilities)
        /// A warning. Playback continues.
        case notice(PlaybackNotice)
        /// Played to the end. Nothing follows for this generation.
        case ended(position: Double)
        /// Playback stopped at this position. Nothing follows for this generation.
        case failed(PlaybackError, position: Double)
        /// Closed by command or by another opening. Nothing follows for this generation.
        case closed
    }
}

/// The properties of an open item.
public struct OpenedMedia: Codable, Hashable, Sendable {
    /// In seconds; `nil` for a stream without an end.
    public let duration: Double?
    /// `true` if `seek` can succeed.
    public let isSeekable: Bool
    /// `true` if the item plays at its own speed, whatever the rate.
    public let hasFixedRate: Bool
    /// A file, an item of known length, or a stream without an end.
    public let playbackType: PlaybackType
    /// The name of the container, to show to the user, as in `MP4`; `nil` if the backend does not know it.
    public let container: String?
    /// The tracks of the item.
    public let tracks: MediaTracks
    /// The `id` of the selected audio track; `nil` if there is none.
    public let audio: Int?
    /// The `id` of the selected subtitle track; `nil` for none.
    public let subtitle: Int?
    /// The part that can be played of a live stream; `nil` where there is no such part.
    public let dvrWindow: DVRWindow?
    /// The position of the playhead, in seconds.
    public let position: Double

    /// The payload of `opened`. Times are in seconds.
    ///
    /// - Parameters:
    ///   - duration: `nil` for a stream without an end.
    ///   - isSeekable: `true` if `seek` can succeed.
    ///   - hasFixedRate: `true` if the item plays at its own speed.
    ///   - playbackType: how the item reaches the player.
    ///   - container: the name of the container.
    ///   - tracks: the tracks of the item.
    ///   - audio: the `id` of the selected audio track; by default the first.
    ///   - subtitle: the `id` of the selected subtitle track; by default none.
    ///   - dvrWindow: the window of a live stream.
    ///   - position: the position of the playhead.
    public init(
        duration: Double?, isSeekable: Bool, hasFixedRate: Bool = false, playbackType: PlaybackType,
        container: String? = nil, tracks: MediaTracks, audio: Int? = nil, subtitle: Int? = nil,
        dvrWindow: DVRWindow? = nil, position: Double = 0
    ) {
        self.duration = duration
        self.isSeekable = isSeekable
        self.hasFixedRate = hasFixedRate
        self.playbackType = playbackType
        self.container = container
        self.tracks = tracks
        self.audio = audio ?? tracks.audio.first?.id
        self.subtitle = subtitle
        self.dvrWindow = dvrWindow
        self.position = position
    }
}

/// The level of an engine's buffer.
public struct BufferLevel: Codable, Hashable, Sendable {
    /// The buffer is empty.
    public static let empty = BufferLevel(percentage: 0)
    /// The whole item is available.
    public static let whole = BufferLevel(percentage: 100, isWhole: true)

    /// The filled part of the buffer that the engine needs before it plays, in `0...100`.
    public let percentage: Double
    /// `true` if the whole item is available, as with a local file.
    public let isWhole: Bool

    /// - Parameters:
    ///   - percentage: clamped to `0...100`.
    ///   - isWhole: `true` if the whole item is available.
    public init(percentage: Double, isWhole: Bool = false) {
        self.percentage = percentage.isFinite ? min(max(percentage, 0), 100) : 0
        self.isWhole = isWhole
    }
}
