import Foundation

/// A player, as hosts and their delegates know it.
@MainActor
public protocol FlowplayerAPI: AnyObject {
    /// Tells players apart. Random, unless it is set.
    var id: String { get set }
    /// Is told first. Not kept alive by the player.
    var delegate: (any FlowplayerDelegate)? { get set }

    /// What the player does with its media.
    var state: PlayerState { get }
    /// The states, the newest first: element 0 is the current one. At most 100.
    var stateList: [PlayerState] { get }
    /// What it is that the player shows.
    var playbackState: PlaybackState { get }
    /// The playback states, the newest first: element 0 is the current one. At most 100.
    var playbackStateList: [PlaybackState] { get }
    /// Whether the medium is open and can be played at once.
    var isReady: Bool { get }

    /// What is loaded.
    var media: (any Media)? { get }
    /// What was loaded before, the newest first, without what is loaded now. At most 100.
    var mediaHistoryList: [any Media] { get }
    /// The address that is played.
    var sourceURL: URL? { get }
    /// `unknown` while nothing is loaded or the medium is being opened.
    var playbackType: PlaybackType { get }

    /// `nil` while it is not known, and for a stream without an end.
    var duration: MediaTime? { get }
    /// Where the playhead is; `nil` with nothing loaded.
    var position: MediaTime? { get }
    /// Media seconds a second, held to what the backend can do. Setting 0 pauses and keeps the rate.
    var rate: Float { get set }
    /// In `0...1`; other values are held to it.
    var volume: Float { get set }
    /// Leaves the volume as it is.
    var isMuted: Bool { get set }

    /// The player below, which a host may observe and control too.
    var avPlayer: MediaPlayer? { get }
    /// Whether a medium plays as soon as it is loaded and ready. `false` by default.
    var autoPlay: Bool { get set }

    /// Every event from now on, in order; each access makes a stream of its own.
    var events: AsyncStream<PlayerEvent> { get }

    /// Replaces what is loaded. Returns at once; whether it can be played is told as events.
    func load(external media: MediaExternal)
    /// Loads the same medium again. `false` if none is loaded.
    @discardableResult func reload() -> Bool
    /// Plays, or does so once that is possible. After the end, from the beginning; after a failure, tries again.
    func play()
    /// Stops where it is. Never undone but by `play`.
    func pause()
    /// Stops and unloads.
    func stop()
    /// Goes to a position, held to the medium's length. Of several at once, the last one counts.
    func seek(_ seconds: Double)

    /// Attaches a feature. The player keeps the plugin until the token is cancelled or the player goes away.
    @discardableResult func attach(_ plugin: any PlayerPlugin) -> ObservationToken
}
