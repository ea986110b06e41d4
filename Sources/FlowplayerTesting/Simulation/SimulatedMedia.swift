import Playback

/// A simulated item: its length, and the events during its playback. Times are in seconds.
public struct SimulatedMedia: Codable, Hashable, Sendable {
    /// A stall at a position.
    public struct Stall: Codable, Hashable, Sendable {
        /// The position of the stall, in seconds.
        public let position: Double
        /// The length of the stall, in seconds of the clock.
        public let duration: Double

        /// Both in seconds.
        public init(at position: Double, for duration: Double) {
            self.position = position
            self.duration = duration
        }
    }

    /// A change of the video's size at a position.
    public struct SizeChange: Codable, Hashable, Sendable {
        /// The position of the change, in seconds.
        public let position: Double
        /// `nil` if there is no video from here on.
        public let size: VideoSize?

        /// The new size from a position on, in seconds.
        public init(at position: Double, _ size: VideoSize?) {
            self.position = position
            self.size = size
        }
    }

    /// An interruption at a position.
    public struct Interruption: Codable, Hashable, Sendable {
        /// The position of the interruption, in seconds.
        public let position: Double
        /// The length of the interruption, in seconds of the clock.
        public let duration: Double
        /// `true` if playback resumes afterwards.
        public let shouldResume: Bool

        /// Both in seconds.
        public init(at position: Double, for duration: Double, shouldResume: Bool = true) {
            self.position = position
            self.duration = duration
            self.shouldResume = shouldResume
        }
    }

    /// Playback fails.
    public struct Failure: Codable, Hashable, Sendable {
        /// The position of the failure; `nil` if the item cannot be opened. Playback that starts or seeks beyond the
        /// position does not fail.
        public let position: Double?
        /// The reported error.
        public let error: PlaybackError

        /// Fails at a position in seconds, or when it is opened.
        public init(at position: Double? = nil, error: PlaybackError) {
            self.position = position
            self.error = error
        }
    }

    /// `nil` for a stream without an end.
    public var duration: Double?
    /// From `open` to `opened`.
    public var loadDelay: Double
    /// From `seek` to `seeked`.
    public var seekDelay: Double
    /// The distance of the keyframes.
    public var keyframeInterval = 2.0
    /// `true` if seeks succeed.
    public var isSeekable: Bool
    /// The reported type.
    public var playbackType: PlaybackType
    /// The tracks of the item. External subtitles follow them.
    public var tracks: MediaTracks
    /// The `id` of the subtitle track that is selected at the start.
    public var subtitle: Int?
    /// The reported metadata.
    public var metadata: MediaMetadata
    /// The length of a live window, in seconds. The window moves with the clock, from `0...dvrWindow` at the opening.
    public var dvrWindow: Double?
    /// The distance from the end of the window at which a live stream is joined, in seconds.
    public var liveDelay = 0.0
    /// The qualities that can be selected. The video has the size of the selected one.
    public var qualities: [VideoQuality] = []
    /// The marks of the stream, which are reported when it is open.
    public var markers: [StreamMarker] = []
    /// The length of the buffered range from the playhead on, in seconds. `nil`, the default: it is not reported.
    public var bufferAhead: Double?
    /// In the order of their positions. Until the first, the video has the size of the first video track.
    public var sizes: [SizeChange]
    /// In the order of their positions. After a seek back they happen again.
    public var stalls: [Stall]
    /// In the order of their positions. After a seek back they happen again.
    public var interruptions: [Interruption]
    /// `nil` for an item that plays to its end.
    public var failure: Failure?
    /// The position at which the server refuses the address once with 403, in seconds; 0 at the beginning, `nil` never.
    /// If the player has a `MediaURLProvider`, the script of the new address is played from there.
    public var expiry: Double?

    /// A file of ten seconds with video and audio. The parameters change that.
    public init(
        duration: Double? = 10, loadDelay: Double = 0.1, seekDelay: Double = 0.05, isSeekable: Bool = true,
        playbackType: PlaybackType = .file,
        tracks: MediaTracks = MediaTracks(
            audio: [AudioTrack(id: 1, name: "Track 1")], video: [VideoTrack(id: 0, width: 640, height: 360)]),
        subtitle: Int? = nil, metadata: MediaMetadata = MediaMetadata(), dvrWindow: Double? = nil,
        sizes: [SizeChange] = [], stalls: [Stall] = [], interruptions: [Interruption] = [], failure: Failure? = nil,
        expiry: Double? = nil
    ) {
        self.duration = duration
        self.loadDelay = loadDelay
        self.seekDelay = seekDelay
        self.isSeekable = isSeekable
        self.playbackType = playbackType
        self.tracks = tracks
        self.subtitle = subtitle
        self.metadata = metadata
        self.dvrWindow = dvrWindow
        self.sizes = sizes.sorted { $0.position < $1.position }
        self.stalls = stalls.sorted { $0.position < $1.position }
        self.interruptions = interruptions.sorted { $0.position < $1.position }
        self.failure = failure
        self.expiry = expiry
    }

    /// A live stream of which the last `window` seconds can be played.
    public static func live(window: Double = 60) -> SimulatedMedia {
        SimulatedMedia(duration: nil, playbackType: .live, dvrWindow: window)
    }
}

extension SimulatedMedia {
    /// The script with times that an item can have: finite, and at most thirty years. A duration that is not finite is unknown.
    var bounded: SimulatedMedia {
        func time(_ seconds: Double) -> Double { seconds.isNaN ? 0 : min(max(seconds, 0), 1e9) }
        var media = self
        media.duration = duration.flatMap { $0.isFinite ? time($0) : nil }
        media.loadDelay = time(loadDelay)
        media.seekDelay = time(seekDelay)
        media.keyframeInterval = max(time(keyframeInterval), 0.001)
        media.dvrWindow = dvrWindow.map(time)
        media.liveDelay = time(liveDelay)
        media.bufferAhead = bufferAhead.map(time)
        media.expiry = expiry.map(time)
        media.stalls = stalls.map { Stall(at: time($0.position), for: time($0.duration)) }
        media.sizes = sizes.map { SizeChange(at: time($0.position), $0.size) }
        media.interruptions = interruptions.map {
            Interruption(at: time($0.position), for: time($0.duration), shouldResume: $0.shouldResume)
        }
        media.failure = failure.map { Failure(at: $0.position.map(time), error: $0.error) }
        return media
    }
}

extension VideoTrack {
    var size: VideoSize { VideoSize(width: width, height: height) }
}
