import Foundation
import Playback

/// The media that a `BackendContract` plays.
///
/// All files except `missing` must exist. A case whose file does not exist fails.
public struct BackendFixtures: Sendable {
    /// Ends an interruption.
    public typealias EndInterruption = @Sendable () async throws -> Void

    /// One video and one audio track; for a backend without video, audio alone.
    public var clip: URL
    /// The duration of `clip` and `audio`, in seconds, at least 1.5.
    public var duration: Double
    /// Audio without video.
    public var audio: URL
    /// An address without a file.
    public var missing: URL
    /// A file with two audio and two subtitle tracks, as long as `clip`. Needed for backends with `trackSelection`.
    public var tracks: URL?
    /// A subtitle file in SRT or WebVTT. Needed for backends with `externalSubtitles`.
    public var subtitle: URL?
    /// The title in the metadata of `tracks`. Needed for backends with `metadata`.
    public var title: String?
    /// A live stream with a window; `nil` if there is none.
    public var live: URL?
    /// A video whose pixels are not square; `nil` if there is none.
    public var oblong: URL?
    /// The size of `oblong` in square pixels. Needed with it.
    public var oblongSize: VideoSize?
    /// A file as long as `clip`, whose playback is interrupted; `nil` if there is none.
    public var interrupted: URL?
    /// Begins the interruption, and returns what ends it; called during playback. `nil` if the interruption begins
    /// automatically, and ends after half a second or more.
    public var interrupt: (@Sendable () async throws -> EndInterruption)?
    /// A file as long as `clip` on a server; `nil` if there is none.
    public var remote: URL?
    /// A video with several qualities, of ten seconds or more; `nil` if there is none.
    public var qualities: URL?
    /// An address that a server refuses with 401, 403 or 410; `nil` if there is none.
    public var refused: URL?
    /// The tolerance of positions, durations and times, in seconds.
    public var tolerance: Double
    /// The longest time until the backend answers, in seconds of its clock.
    public var timeout: Double
    /// The retry policy of the items. Long times let a busy machine play those of a server.
    public var retryPolicy: RetryPolicy
    /// `true` if other programs may take the cores from the backend. It may then stall, and report positions late.
    public var mayStall: Bool

    /// Durations are in seconds.
    public init(
        clip: URL, duration: Double, audio: URL, missing: URL, tracks: URL? = nil, subtitle: URL? = nil,
        title: String? = nil, live: URL? = nil, oblong: URL? = nil, oblongSize: VideoSize? = nil,
        interrupted: URL? = nil, interrupt: (@Sendable () async throws -> EndInterruption)? = nil, remote: URL? = nil,
        qualities: URL? = nil, refused: URL? = nil, tolerance: Double = 0.25, timeout: Double = 60,
        retryPolicy: RetryPolicy = .standard, mayStall: Bool = false
    ) {
        self.clip = clip
        self.duration = duration
        self.audio = audio
        self.missing = missing
        self.tracks = tracks
        self.subtitle = subtitle
        self.title = title
        self.live = live
        self.oblong = oblong
        self.oblongSize = oblongSize
        self.interrupted = interrupted
        self.interrupt = interrupt
        self.remote = remote
        self.qualities = qualities
        self.refused = refused
        self.tolerance = tolerance
        self.timeout = timeout
        self.retryPolicy = retryPolicy
        self.mayStall = mayStall
    }

    /// The reason why these fixtures are not sufficient; `nil` if they are.
    var problem: String? {
        if duration < 1.5 { return "The media are too short: 1.5 s are needed." }
        let files = [clip, audio, tracks, subtitle, live, oblong, interrupted].compactMap(\.self).filter(\.isFileURL)
        if let file = files.first(where: { !$0.isThere }) { return "The fixture \(file.redacted) is not there." }
        if missing.isFileURL, missing.isThere { return "There is something at \(missing.redacted)." }
        return nil
    }
}

extension URL {
    fileprivate var isThere: Bool { FileManager.default.fileExists(atPath: path(percentEncoded: false)) }
}

// MARK: - Simulated media

extension BackendFixtures {
    /// Media that exist only as scripts: a `SimulatedBackend` with `simulatedMedia` as its script plays them.
    public static let simulated = BackendFixtures(
        clip: address("clip"), duration: 2, audio: address("audio"), missing: address("missing"),
        tracks: address("tracks"), subtitle: address("subtitles.srt"), title: "Simulated", live: address("live"),
        oblong: address("oblong"), oblongSize: VideoSize(width: 320, height: 180),
        interrupted: address("interrupted"), remote: address("remote"),
        qualities: address("qualities"), refused: address("refused"), tolerance: 0.01)

    private static func address(_ name: String) -> URL { URL(string: "simulated://media/\(name)")! }

    /// The script of each simulated file.
    @Sendable
    public static func simulatedMedia(at url: URL) -> SimulatedMedia {
        let audio = AudioTrack(id: 1, name: "English", lang: "en")
        let video = VideoTrack(id: 9, width: 320, height: 180)
        switch url {
        case simulated.audio: return SimulatedMedia(duration: 2, tracks: MediaTracks(audio: [audio]))
        case simulated.tracks:
            let tracks = MediaTracks(
                audio: [audio, AudioTrack(id: 2, name: "Deutsch", lang: "de")],
                subtitles: [
                    SubtitleTrack(id: 3, name: "English", lang: "en"),
                    SubtitleTrack(id: 4, name: "Deutsch", lang: "de"),
                ], video: [video])
            return SimulatedMedia(duration: 2, tracks: tracks, metadata: MediaMetadata(title: simulated.title))
        case simulated.live: return .live(window: 30)
        case simulated.interrupted:
            return SimulatedMedia(
                duration: 2, tracks: MediaTracks(audio: [audio], video: [video]),
                interruptions: [.init(at: 0.5, for: 1)])
        case simulated.remote:
            var media = SimulatedMedia(duration: 2, playbackType: .vod, tracks: MediaTracks(audio: [audio]))
            media.bufferAhead = 1.5
            return media
        case simulated.qualities:
            var media = SimulatedMedia(playbackType: .vod, tracks: MediaTracks(audio: [audio], video: [video]))
            media.qualities = [
                VideoQuality(id: 0, width: 320, height: 180, bitRate: 300_000),
                VideoQuality(id: 1, width: 1280, height: 720, bitRate: 2_000_000),
            ]
            return media
        case simulated.refused: return SimulatedMedia(expiry: 0)
        case simulated.clip, simulated.oblong:
            return SimulatedMedia(duration: 2, tracks: MediaTracks(audio: [audio], video: [video]))
        default: return SimulatedMedia(failure: .init(error: PlaybackError(.fileNotFound, url: url)))
        }
    }
}
