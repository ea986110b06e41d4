import Playback

/// A medium that exists only in a script: how long it is, and what happens while it plays. Times are in seconds.
public struct SimulatedMedia: Codable, Hashable, Sendable {
    /// Data are missing at a position, for a while.
    public struct Stall: Codable, Hashable, Sendable {
        /// Where playback stalls, in seconds.
        public let position: Double
        /// How long it takes for data to come, in seconds of the clock.
        public let duration: Double

        /// Both in seconds.
        public init(at position: Double, for duration: Double) {
            self.position = position
            self.duration = duration
        }
    }

    /// The picture has another size from a position on.
    public struct SizeChange: Codable, Hashable, Sendable {
        /// From where on, in seconds.
        public let position: Double
        /// `nil`: there is no picture from here on.
        public let size: VideoSize?

        /// From a position in seconds on, the picture has this size.
        public init(at position: Double, _ size: VideoSize?) {
            self.position = position
            self.size = size
        }
    }

    /// Something more important sounds from a position on.
    public struct Interruption: Codable, Hashable, Sendable {
        /// Where playback is interrupted, in seconds.
        public let position: Double
        /// How long that sounds, in seconds of the clock.
        public let duration: Double
        /// Whether playback is to go on by itself afterwards.
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
        /// Where playback fails, if it gets there and is not begun or sought beyond; `nil`: the medium cannot be opened.
        public let position: Double?
        /// What the player is told.
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
    /// Whether seeks succeed.
    public var isSeekable: Bool
    /// What the medium says that it is.
    public var playbackType: PlaybackType
    /// What the medium says that it holds. Texts that lie beside it come after these.
    public var tracks: MediaTracks
    /// The `id` of the text that is shown without being asked for.
    public var subtitle: Int?
    /// What the medium says about itself.
    public var metadata: MediaMetadata
    /// Of a live stream: how many seconds before its edge can still be played. It moves on with the clock, from
    /// `0...dvrWindow` at the opening.
    public var dvrWindow: Double?
    /// In the order of their positions. Until the first, the picture has the size of the first video track.
    public var sizes: [SizeChange]
    /// In the order of their positions. After a seek back they happen again.
    public var stalls: [Stall]
    /// In the order of their positions. After a seek back they happen again.
    public var interruptions: [Interruption]
    /// `nil` for a medium that plays to its end.
    public var failure: Failure?
    /// In seconds: from here on, once, the server refuses the address with 403; 0: from the beginning. `nil`: it never does. If the
    /// player has a `MediaURLProvider`, what the script has for the new address is played from there.
    public var expiry: Double?

    /// A file of ten seconds with picture and sound, unless told otherwise.
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
