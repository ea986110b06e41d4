import Foundation
import Playback

/// A player, as hosts and their delegates know it.
@preconcurrency @MainActor
public protocol FlowplayerAPI: AnyObject, Sendable {
    /// The identity of the player. Random, unless it is set.
    var id: String { get set }
    /// Called first. Not retained by the player.
    var delegate: (any FlowplayerDelegate)? { get set }

    /// The state of the player.
    var state: PlayerState { get }
    /// The states, the newest first: element 0 is the current one. At most 100.
    var stateList: [PlayerState] { get }
    /// The state of the view.
    var playbackState: PlaybackState { get }
    /// The playback states, the newest first: element 0 is the current one. At most 100.
    var playbackStateList: [PlaybackState] { get }
    /// `true` if the item is open and can be played at once.
    var isReady: Bool { get }
    /// `true` while audio and video run. An addition to the original interface.
    var isPlaying: Bool { get }
    /// The error of the item; `nil` unless the state is `failure`. An addition to the original interface.
    var error: PlaybackError? { get }
    /// Everything about the player at this instant. An addition to the original interface.
    var snapshot: PlayerSnapshot { get }

    /// The loaded item.
    var media: (any Media)? { get }
    /// The items that were loaded before, the newest first, without the current one. At most 100.
    var mediaHistoryList: [any Media] { get }
    /// The address that is played; `nil` until it is known.
    var sourceURL: URL? { get }
    /// The configuration of the loaded `MediaOVP`, once it is fetched.
    var ovpConfig: OVPConfig? { get }
    /// The metadata of the item. An addition to the original interface.
    var metadata: MediaMetadata { get }
    /// `unknown` while no item is loaded or the item is being opened.
    var playbackType: PlaybackType { get }

    /// The part of a live stream that can be played; `nil` for everything else.
    var dvrWindow: DVRWindow? { get }

    /// `nil` while it is not known, and for a stream without an end.
    var duration: MediaTime? { get }
    /// The position of the playhead; `nil` if no item is loaded.
    var position: MediaTime? { get }
    /// Media seconds a second, also while playback waits for data; 0 while it is paused or suppressed, and after its end.
    ///
    /// Setting a rate plays at that rate, clamped to the rates of the backend. Setting 0 pauses.
    var rate: Float { get set }
    /// The rate of `play()`, in media seconds a second. 1 by default. Setting it does not change `rate`. An addition
    /// to the original interface.
    var defaultRate: Float { get set }
    /// In `0...1`; other values are clamped.
    var volume: Float { get set }
    /// Leaves the volume as it is.
    var isMuted: Bool { get set }

    /// The state of the buffer.
    var bufferState: PlaybackBufferState { get }
    /// The filled part of the buffer that the engine needs before it plays, in `0...100`.
    var bufferLoadedPercentage: Double { get }
    /// The parts of the item that the engine has received, in seconds. An addition to the original interface.
    ///
    /// See ``PlayerSnapshot/bufferedRanges``. Observe them with `observe(\.bufferedRanges)`.
    var bufferedRanges: [ClosedRange<Double>] { get }
    /// Figures about the playback of the loaded item. An addition to the original interface.
    var statistics: PlaybackStatistics { get }

    /// The quality of the current video; `nil` if there is none, or the backend does not report it.
    var quality: PlayerQuality? { get }
    /// The limit of the loaded item's bit rate, in bits a second; `nil` for none.
    var preferredPeakBitRate: Double? { get }

    /// The available audio tracks; empty until the item is ready.
    var audioList: [AudioTrack] { get }
    /// The available subtitle tracks; empty until the item is ready.
    var subtitleList: [SubtitleTrack] { get }
    /// The selected audio track.
    var currentAudio: AudioTrack? { get }
    /// The selected subtitle track; `nil` for none.
    var currentSubtitle: SubtitleTrack? { get }

    /// The underlying player, which a host may also observe and control. `nil` while the host has detached it.
    ///
    /// Setting `nil` detaches the video: it is no longer decoded, audio continues, and the commands here still reach
    /// that player. Setting the same player attaches the video again. Setting another player replaces it.
    var avPlayer: MediaPlayer? { get set }
    /// `true` to play an item as soon as it is loaded and ready. `false` by default.
    var autoPlay: Bool { get set }

    /// Returns a new stream of every event from now on, in order.
    ///
    /// - Parameters:
    ///   - startsWithCurrent: `true` to begin with the events that lead to the current state.
    ///   - bufferLimit: the number of events that are kept for a slow reader. Beyond it, `missed` replaces the oldest.
    func events(startsWithCurrent: Bool, bufferLimit: Int) -> AsyncStream<PlayerEvent>
    /// Returns a new stream of the values of a property: the current one, and then each new one.
    ///
    /// The stream ends when the player is closed or released. It keeps the newest 1024 values for a slow reader.
    ///
    /// - Parameter property: a property of the player's snapshot, for example `\.state`.
    func values<Value: Equatable & Sendable>(of property: KeyPath<PlayerSnapshot, Value>) -> AsyncStream<Value>
    /// Calls a handler with each new value of a property, until the token is cancelled or released.
    ///
    /// A property that has its own event is sent with this event. Any other one is sent with the first event after its
    /// change. Changes of `bufferedRanges`, `qualities` and `selectedQuality` are sent at once.
    ///
    /// - Parameters:
    ///   - property: a property of the player's snapshot, for example `\.state`.
    ///   - startsWithCurrent: `true` to call the handler at once with the current value.
    ///   - handler: called on the main actor, after delegate and notifications, before streams and plugins.
    func observe<Value: Equatable>(
        _ property: KeyPath<PlayerSnapshot, Value>, startsWithCurrent: Bool,
        handler: @escaping @MainActor (any FlowplayerAPI, Value) -> Void
    ) -> ObservationToken

    /// Replaces the loaded item, and waits until the new one can be played. An addition to the original interface.
    ///
    /// If the task is cancelled before, the player stops and unloads the item.
    ///
    /// - Parameter media: a `MediaExternal`, `MediaOVP` or `MediaDAI`.
    /// - Throws: the `PlaybackError` of an item that fails. `CancellationError` if another load or `stop` replaces the
    ///   item, or if the task is cancelled.
    func load(_ media: any Media) async throws
    /// Replaces the loaded item. Returns at once; the outcome is sent as events.
    func load(external media: MediaExternal)
    /// Replaces the loaded item by one of the video platform, after its configuration is fetched.
    func load(ovp media: MediaOVP)
    /// Replaces the loaded item by a queue. An addition to the original interface.
    ///
    /// `queue` changes them afterwards. The configuration of a `MediaOVP` is fetched shortly before its turn.
    func load(queue media: [any Media])
    /// Appends media to the queue. They play at once if nothing else is left to play. An addition to the original
    /// interface.
    func append(_ media: [any Media])
    /// The player with its queue, also while the host has detached it. An addition to the original interface.
    var queue: QueuePlayer? { get }
    /// Loads the same item again. `false` if none is loaded.
    @discardableResult func reload() -> Bool
    /// Plays at `defaultRate`, as soon as possible.
    ///
    /// After the end, playback starts from the beginning. After a failure, the player tries again.
    func play()
    /// Pauses. Only `play` resumes playback.
    func pause()
    /// Stops and unloads.
    func stop()
    /// Seeks to a position, clamped to the item. If several seeks are requested, only the last one is performed.
    func seek(_ seconds: Double)

    /// Skips the advertisement that plays, if the viewer may skip it now. An addition to the original interface.
    func skipAd()
    /// The viewer clicked the advertisement that plays. It pauses, and `adDelegate` receives the address to open. An addition to the
    /// original interface.
    func clickAd()

    /// Selects an audio track by the `id` of one of `audioList`. An impossible choice is reported as a notice.
    func selectTrack(audio id: Int)
    /// Selects a subtitle track by the `id` of one of `subtitleList`; the `id` of `SubtitleTrack.off` selects none.
    func selectTrack(subtitle id: Int)

    /// Attaches a feature. The player keeps the plugin until the token is cancelled or the player is released.
    ///
    /// A plugin that refuses the player is not attached, and the player reports its notice.
    @discardableResult func attach(_ plugin: any PlayerPlugin) -> ObservationToken
}

// The additions to the original interface, for hosts whose own types conform, such as doubles in tests.
extension FlowplayerAPI {
    public var metadata: MediaMetadata { snapshot.metadata }
    public var statistics: PlaybackStatistics { snapshot.statistics }
    public var queue: QueuePlayer? { avPlayer }
    public var snapshot: PlayerSnapshot { queue?.snapshot ?? PlayerSnapshot() }
    public var isPlaying: Bool { state == .play }
    public var error: PlaybackError? { snapshot.error }
    public var bufferedRanges: [ClosedRange<Double>] { snapshot.bufferedRanges }

    public var defaultRate: Float {
        get { queue?.defaultRate ?? 1 }
        set { queue?.defaultRate = newValue }
    }

    /// Skips nothing, because a double has no plugin.
    public func skipAd() {}

    /// Clicks nothing, because a double has no plugin.
    public func clickAd() {}

    public func events(startsWithCurrent: Bool, bufferLimit: Int) -> AsyncStream<PlayerEvent> {
        avPlayer?.events(startsWithCurrent: startsWithCurrent, bufferLimit: bufferLimit) ?? AsyncStream { nil }
    }

    public func values<Value: Equatable & Sendable>(of property: KeyPath<PlayerSnapshot, Value>) -> AsyncStream<Value> {
        avPlayer?.values(of: property) ?? AsyncStream { nil }
    }

    /// Loads the item without waiting.
    public func load(_ media: any Media) async throws {
        switch media {
        case let media as MediaExternal: load(external: media)
        case let media as MediaOVP: load(ovp: media)
        default: throw PlaybackError(.pluginMissing, url: nil)
        }
    }

    /// Observes nothing, because a double has no snapshot.
    public func observe<Value: Equatable>(
        _ property: KeyPath<PlayerSnapshot, Value>, startsWithCurrent: Bool,
        handler: @escaping @MainActor (any FlowplayerAPI, Value) -> Void
    ) -> ObservationToken { ObservationToken {} }

    /// Loads the first item that has an address or is on a platform.
    public func load(queue media: [any Media]) {
        switch media.first {
        case let media as MediaExternal: load(external: media)
        case let media as MediaOVP: load(ovp: media)
        default: break
        }
    }

    /// Appends nothing, because a double has no queue.
    public func append(_ media: [any Media]) {}

    @discardableResult public func attach(_ plugin: any PlayerPlugin) -> ObservationToken {
        if let notice = plugin.refusal(of: self) {
            queue?.warn(notice)
            return ObservationToken {}
        }
        plugin.attach(to: self)
        return ObservationToken { plugin.detach() }
    }
}

extension FlowplayerAPI {
    /// Appends media to the queue. They play at once if nothing else is left to play.
    public func append(_ media: any Media...) { append(media) }

    /// Returns a new stream of every event from now on, in order, which keeps 1024 events for a slow reader.
    ///
    /// - Parameter startsWithCurrent: `true` to begin with the events that lead to the current state.
    public func events(startsWithCurrent: Bool = false) -> AsyncStream<PlayerEvent> {
        events(startsWithCurrent: startsWithCurrent, bufferLimit: 1024)
    }

    /// Calls a handler with each new value of a property, until the token is cancelled or released.
    ///
    /// ```swift
    /// let token = view.observe(\.state) { player, state in print(player.id, state) }
    /// ```
    public func observe<Value: Equatable>(
        _ property: KeyPath<PlayerSnapshot, Value>, handler: @escaping @MainActor (any FlowplayerAPI, Value) -> Void
    ) -> ObservationToken {
        observe(property, startsWithCurrent: false, handler: handler)
    }
}
