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
    /// The address that is played; `nil` until it is known.
    var sourceURL: URL? { get }
    /// The configuration of the `MediaOVP` that is loaded, once it has come.
    var ovpConfig: OVPConfig? { get }
    /// What is known about the medium. An addition to the original interface.
    var metadata: MediaMetadata { get }
    /// `unknown` while nothing is loaded or the medium is being opened.
    var playbackType: PlaybackType { get }

    /// The part of a live stream that can be played; `nil` for everything else.
    var dvrWindow: DVRWindow? { get }

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

    /// How well playback is supplied with data.
    var bufferState: PlaybackBufferState { get }
    /// How much of what the engine wants before it plays is at hand, in `0...100`.
    var bufferLoadedPercentage: Double { get }

    /// How fine the picture is that is shown; `nil` if none is, or the backend does not tell.
    var quality: PlayerQuality? { get }
    /// In bits a second: the limit that the medium was loaded with; `nil` for none.
    var preferredPeakBitRate: Double? { get }

    /// The sounds to choose from; empty until the medium is ready.
    var audioList: [AudioTrack] { get }
    /// The texts to choose from; empty until the medium is ready.
    var subtitleList: [SubtitleTrack] { get }
    /// The sound that is heard.
    var currentAudio: AudioTrack? { get }
    /// The text that is shown; `nil` if none is.
    var currentSubtitle: SubtitleTrack? { get }

    /// The player below, which a host may observe and control too. `nil` while the host has taken it away.
    ///
    /// Setting `nil` takes the picture away: nothing is decoded for it from the next opening on, sound goes on, and the
    /// commands here still reach that player. Setting it again brings the picture back. Setting another player goes over
    /// to that one.
    var avPlayer: MediaPlayer? { get set }
    /// Whether a medium plays as soon as it is loaded and ready. `false` by default.
    var autoPlay: Bool { get set }

    /// Every event from now on, in order, over a stream of its own.
    ///
    /// - Parameters:
    ///   - startsWithCurrent: tells what is the case now first, in the order in which it would have happened.
    ///   - bufferLimit: how many events wait for a slow reader. Beyond that it is told `missed` in place of the oldest.
    func events(startsWithCurrent: Bool, bufferLimit: Int) -> AsyncStream<PlayerEvent>
    /// Calls a handler with each new value of a property, until the token is cancelled.
    ///
    /// A property that has an event of its own is sent with this event. Any other one is sent with the first event after
    /// its change.
    ///
    /// - Parameters:
    ///   - property: a property of the player's snapshot, for example `\.state`.
    ///   - startsWithCurrent: `true` to call the handler at once with the current value.
    ///   - handler: called on the main actor, after delegate and notifications, before streams and plugins.
    @discardableResult func observe<Value: Equatable>(
        _ property: KeyPath<PlayerSnapshot, Value>, startsWithCurrent: Bool,
        handler: @escaping @MainActor (any FlowplayerAPI, Value) -> Void
    ) -> ObservationToken

    /// Replaces what is loaded. Returns at once; whether it can be played is told as events.
    func load(external media: MediaExternal)
    /// Replaces what is loaded by what the video platform says; its configuration is fetched first.
    func load(ovp media: MediaOVP)
    /// Replaces what is loaded by media that play one after another. An addition to the original interface.
    ///
    /// `queue` changes them afterwards.
    func load(queue media: [MediaExternal])
    /// The player with its queue, also while the host has detached it. An addition to the original interface.
    var queue: QueuePlayer? { get }
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

    /// Lets another sound be heard, by the `id` of one of `audioList`. What cannot be is told as a notice.
    func selectTrack(audio id: Int)
    /// Shows another text, by the `id` of one of `subtitleList`; that of `SubtitleTrack.off` shows none.
    func selectTrack(subtitle id: Int)

    /// Attaches a feature. The player keeps the plugin until the token is cancelled or the player goes away.
    @discardableResult func attach(_ plugin: any PlayerPlugin) -> ObservationToken
}

extension FlowplayerAPI {
    /// Every event from now on, in order; each access makes a stream of its own.
    public var events: AsyncStream<PlayerEvent> { events(startsWithCurrent: false) }

    /// Every event from now on, in order, over a stream of its own that keeps 1024 events for a slow reader.
    ///
    /// - Parameter startsWithCurrent: tells what is the case now first, in the order in which it would have happened.
    public func events(startsWithCurrent: Bool) -> AsyncStream<PlayerEvent> {
        events(startsWithCurrent: startsWithCurrent, bufferLimit: 1024)
    }

    /// Calls a handler with each new value of a property, until the token is cancelled.
    ///
    /// ```swift
    /// let token = view.observe(\.state) { player, state in print(player.id, state) }
    /// ```
    @discardableResult
    public func observe<Value: Equatable>(
        _ property: KeyPath<PlayerSnapshot, Value>, handler: @escaping @MainActor (any FlowplayerAPI, Value) -> Void
    ) -> ObservationToken {
        observe(property, startsWithCurrent: false, handler: handler)
    }
}
