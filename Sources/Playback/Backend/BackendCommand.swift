import Foundation

/// A command of a player to its backend. Plain data: it can be logged, compared and replayed.
///
/// A command for another generation than the open or the prepared one has no effect.
public enum BackendCommand: Codable, Hashable, Sendable {
    /// Replaces the open item. Ends in exactly one of `ended`, `failed` and `closed`.
    ///
    /// An item that is prepared under this generation is not opened again. It starts at once, and only `playsWhenReady`
    /// is read.
    case open(OpenRequest)
    /// Prepares an item beside the open one, and holds it at its start. Answered with `prepared`, `failed` or `closed`,
    /// perhaps with `addressRefused` before.
    ///
    /// When the open item has ended, a backend may start the prepared one automatically, so that there is no gap. It
    /// reports nothing more about it until `open` names this generation. Replaces the item that was prepared before;
    /// any other `open` closes it.
    ///
    /// `crossfade` is the time before the end of the open item, in seconds, in which it fades out and the prepared one
    /// fades in.
    case prepare(OpenRequest, crossfade: Double = 0)
    /// Plays, as soon as the item is open. Answered with `playing`. After `interruptionBegan` it overrides the
    /// interruption: answered with `interruptionEnded` first.
    case play(Generation)
    /// Pauses and keeps the item open. Answered with `paused`.
    case pause(Generation)
    /// Seeks to a position in seconds, in `0...duration`. Ends in `seeked`, `seekFailed` or the end of the generation.
    /// `keyframe` comes only to a backend with the feature `keyframeSeeking`, which reports the keyframe's position.
    case seek(Generation, to: Double, tolerance: SeekTolerance = .exact)
    /// Selects one of the reported audio tracks.
    case selectAudio(Generation, id: Int)
    /// Selects one of the reported subtitle tracks, or none.
    case selectSubtitle(Generation, id: Int?)
    /// Selects one of the reported qualities, or none: the backend then chooses automatically. Playback continues at its
    /// position, perhaps after `stalled`.
    case selectQuality(Generation, VideoQuality?)
    /// Shows or hides the video. Hidden video is not decoded and, if the stream separates it, not downloaded. Audio
    /// continues without a gap. Holds for later openings too.
    case setVideoVisible(Bool)
    /// Answers `addressRefused` with a new address, at which playback resumes. With `nil` there is none; answered with
    /// `failed`.
    case readdress(Generation, to: URL?)
    /// Releases everything of the generation. Answered with `closed`.
    case close(Generation)
    /// Media seconds a second, within the backend's `rates`. Holds for later openings too.
    case setRate(Double)
    /// In `0...1`. Holds for later openings too.
    case setVolume(Double)
    /// Holds for later openings too, and leaves the volume as it is.
    case setMuted(Bool)
    /// The role of the audio; `nil` for the default of each item. Holds from the next opening on.
    case setRole(AudioRole?)
    /// Shows subtitles so many seconds later; earlier if the number is negative, as far as they are read. Comes only to a
    /// backend with the feature `subtitleDelay`. Holds for later openings too.
    case setSubtitleDelay(Double)
}

/// The item to open, and its settings.
public struct OpenRequest: Codable, Hashable, Sendable {
    /// The generation that every event about this opening carries.
    public let generation: Generation
    /// The item.
    public internal(set) var item: PlayerItem
    /// The position of the start, in seconds.
    public internal(set) var startPosition: Double
    /// `false`: get ready and wait for `play`.
    public internal(set) var playsWhenReady: Bool
    /// `true` if other items precede or follow without a gap, or interstitials interrupt the item.
    public let joinsOthers: Bool
    /// The role of the audio if the host sets none.
    public let defaultRole: AudioRole
    /// `true` if `addressRefused` is answered. Otherwise a refused address fails.
    public let canReaddress: Bool
    /// The quality to open, if the item has it; `nil` for the backend's choice.
    public internal(set) var quality: VideoQuality?

    /// Positions are in seconds.
    public init(
        generation: Generation, item: PlayerItem, startPosition: Double = 0, playsWhenReady: Bool = false,
        joinsOthers: Bool = false, defaultRole: AudioRole = .video, canReaddress: Bool = false,
        quality: VideoQuality? = nil
    ) {
        self.generation = generation
        self.item = item
        self.startPosition = startPosition
        self.playsWhenReady = playsWhenReady
        self.joinsOthers = joinsOthers
        self.defaultRole = defaultRole
        self.canReaddress = canReaddress
        self.quality = quality
    }

    /// A file or any address that the backend plays.
    public var url: URL { item.url }
}
