import Foundation
import Playback

/// The media that a `BackendContract` plays.
///
/// All but `missing` must be there: a file that is not is a failure, never a pass.
public struct BackendFixtures: Sendable {
    /// One video and one audio track.
    public var clip: URL
    /// How long `clip` and `sound` last, in seconds: two are enough, 1.5 the least.
    public var duration: Double
    /// Audio without video.
    public var sound: URL
    /// An address at which there is nothing.
    public var missing: URL
    /// A file with two audio and two subtitle tracks, as long as `clip`. Needed for backends with `trackSelection`.
    public var tracks: URL?
    /// A text in SRT or WebVTT. Needed for backends with `externalSubtitles`.
    public var subtitle: URL?
    /// The title in the metadata of `tracks`. Needed for backends with `metadata`.
    public var title: String?
    /// A live stream of which some part before the edge can be played; `nil` if there is none.
    public var live: URL?
    /// A file as long as `clip`, whose playback is interrupted for half a second to two; `nil` if there is none.
    public var interrupted: URL?
    /// Begins the interruption; called during playback. `nil` if it begins automatically.
    public var interrupt: (@Sendable () async throws -> Void)?
    /// An address that a server refuses with 401, 403 or 410; `nil` if there is none.
    public var refused: URL?
    /// How far positions, durations and times may be off, in seconds.
    public var tolerance: Double
    /// How long an answer of the backend may take, in seconds of its clock.
    public var timeout: Double

    /// Durations are in seconds.
    public init(
        clip: URL, duration: Double, sound: URL, missing: URL, tracks: URL? = nil, subtitle: URL? = nil,
        title: String? = nil, live: URL? = nil, interrupted: URL? = nil,
        interrupt: (@Sendable () async throws -> Void)? = nil, refused: URL? = nil, tolerance: Double = 0.25,
        timeout: Double = 60
    ) {
        self.clip = clip
        self.duration = duration
        self.sound = sound
        self.missing = missing
        self.tracks = tracks
        self.subtitle = subtitle
        self.title = title
        self.live = live
        self.interrupted = interrupted
        self.interrupt = interrupt
        self.refused = refused
        self.tolerance = tolerance
        self.timeout = timeout
    }

    /// Why nothing can be tested with these; `nil` if it can.
    var problem: String? {
        if duration < 1.5 { return "The media are too short: 1.5 s are needed." }
        let files = [clip, sound, tracks, subtitle, live, interrupted].compactMap(\.self).filter(\.isFileURL)
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
        clip: address("clip"), duration: 2, sound: address("sound"), missing: address("missing"),
        tracks: address("tracks"), subtitle: address("texts.srt"), title: "Simulated", live: address("live"),
        interrupted: address("interrupted"), refused: address("refused"), tolerance: 0.01)

    private static func address(_ name: String) -> URL { URL(string: "simulated://media/\(name)")! }

    /// The script of each simulated file.
    @Sendable
    public static func simulatedMedia(at url: URL) -> SimulatedMedia {
        let sound = AudioTrack(id: 1, name: "English", lang: "en")
        let picture = VideoTrack(id: 9, width: 320, height: 180)
        switch url {
        case simulated.sound: return SimulatedMedia(duration: 2, tracks: MediaTracks(audio: [sound]))
        case simulated.tracks:
            let tracks = MediaTracks(
                audio: [sound, AudioTrack(id: 2, name: "Deutsch", lang: "de")],
                subtitles: [
                    SubtitleTrack(id: 3, name: "English", lang: "en"),
                    SubtitleTrack(id: 4, name: "Deutsch", lang: "de"),
                ], video: [picture])
            return SimulatedMedia(duration: 2, tracks: tracks, metadata: MediaMetadata(title: simulated.title))
        case simulated.live: return .live(window: 30)
        case simulated.interrupted:
            return SimulatedMedia(
                duration: 2, tracks: MediaTracks(audio: [sound], video: [picture]),
                interruptions: [.init(at: 0.5, for: 1)])
        case simulated.refused: return SimulatedMedia(expiry: 0)
        case simulated.clip: return SimulatedMedia(duration: 2, tracks: MediaTracks(audio: [sound], video: [picture]))
        default: return SimulatedMedia(failure: .init(error: PlaybackError(.fileNotFound, url: url)))
        }
    }
}
