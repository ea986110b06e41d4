import Foundation

/// What a player asks of its backend. Plain data: it can be logged, compared and replayed.
///
/// A command about a generation other than the one that was opened last has no effect.
public enum BackendCommand: Codable, Hashable, Sendable {
    /// Replaces whatever is open. Ends in exactly one of `ended`, `failed` and `closed`.
    ///
    /// What is being prepared under this generation is not opened anew: it begins at once, and is asked only whether it plays.
    case open(OpenRequest)
    /// Gets an item ready beside the one that is open, and holds it at its start: answered with `prepared`, `failed` or
    /// `closed`, perhaps with `addressRefused` before. When the open one has ended, a backend may let it sound by itself, so that there is no gap; it tells nothing more
    /// of it until `open` asks for this generation. Replaces what was prepared before; any other `open` closes it.
    /// `crossfade`: in the last so many seconds of the open one it fades in, while that fades out.
    case prepare(OpenRequest, crossfade: Double = 0)
    /// Runs, or does so as soon as the item is open. Answered with `playing`. After `interruptionBegan` it overrides the
    /// interruption: answered with `interruptionEnded` first.
    case play(Generation)
    /// Stands still and keeps the item open. Answered with `paused`.
    case pause(Generation)
    /// To a position in seconds, in `0...duration`. Ends in `seeked`, `seekFailed` or the end of the generation.
    case seek(Generation, to: Double)
    /// Lets another sound be heard: one of those that were told.
    case selectAudio(Generation, id: Int)
    /// Shows another text, one of those that were told, or none.
    case selectSubtitle(Generation, id: Int?)
    /// Whether somebody sees the picture. Where nobody does, video is not decoded and, where the stream keeps it apart, not
    /// downloaded; sound goes on without a gap, then and when the picture comes back. Holds for later openings too.
    case setPicture(isShown: Bool)
    /// Answers `addressRefused`: the medium is at this address now, and goes on where it was. `nil`: there is no other; answered with
    /// `failed`.
    case readdress(Generation, to: URL?)
    /// Lets go of everything that the generation holds; answered with `closed`.
    case close(Generation)
    /// Media seconds a second, within the backend's `rates`. Holds for later openings too.
    case setRate(Double)
    /// In `0...1`. Holds for later openings too.
    case setVolume(Double)
    /// Holds for later openings too, and leaves the volume as it is.
    case setMuted(Bool)
    /// What the sound is for; `nil`: what the backend takes it for. Holds from the next opening on.
    case setRole(AudioRole?)
}

/// What to open, and how.
public struct OpenRequest: Codable, Hashable, Sendable {
    /// The generation that every event about this opening carries.
    public let generation: Generation
    /// The medium, and what belongs to it.
    public let item: PlayerItem
    /// Where to begin, in seconds.
    public let startPosition: Double
    /// `false`: get ready and wait for `play`.
    public let playsWhenReady: Bool
    /// Whether other items follow or came before it without a gap.
    public let joinsOthers: Bool
    /// Whether somebody answers `addressRefused`; otherwise a refused address has failed.
    public let canReaddress: Bool

    /// Positions are in seconds.
    public init(
        generation: Generation, item: PlayerItem, startPosition: Double = 0, playsWhenReady: Bool = false,
        joinsOthers: Bool = false, canReaddress: Bool = false
    ) {
        self.generation = generation
        self.item = item
        self.startPosition = startPosition
        self.playsWhenReady = playsWhenReady
        self.joinsOthers = joinsOthers
        self.canReaddress = canReaddress
    }

    /// A file or any address that the backend plays.
    public var url: URL { item.url }
}
