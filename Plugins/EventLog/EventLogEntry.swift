import FlowplayerSDK
import Foundation

/// One line of an event log.
public struct EventLogEntry: Hashable, Sendable {
    /// The time since the start of the log, in seconds with microseconds. Never less than in the line before.
    public var t: Double
    /// The date at which the log starts; in the first line only.
    public var ts: Date?
    /// The player's `id`.
    public var player: String
    /// The load that the event belongs to, as `Generation` counts them.
    public var item: Int
    /// The event, with its own fields.
    public var event: Event

    /// Creates an entry for a test or a tool; `EventLog` creates the entries of players.
    public init(t: Double, ts: Date? = nil, player: String, item: Int, event: Event) {
        self.t = t
        self.ts = ts
        self.player = player
        self.item = item
        self.event = event
    }

    /// An event as a log has it. Positions and durations are in seconds.
    public enum Event: Hashable, Sendable {
        /// An item was loaded. The URL has no credentials and no query, and is `nil` while the player resolves it.
        case media(url: String?)
        /// Another item of the queue became current, with its index from 0 and the reason.
        case item(index: Int, reason: PlaybackQueue.TransitionReason)
        /// The URL of the item was resolved.
        case resolved(url: String)
        /// The player state changed, at this position.
        case state(PlayerState, position: Double)
        /// The playback state changed.
        case playbackState(PlaybackState)
        /// The playhead moved.
        case position(Double)
        /// The duration is known, or a better value is known.
        case duration(Double)
        /// The playback type changed.
        case playbackType(PlaybackType)
        /// The DVR window of a live stream moved.
        case dvrWindow(DVRWindow)
        /// The metadata of the item, complete.
        case metadata(MediaMetadata)
        /// A seek started or finished. The position is the target while seeking, then the actual position.
        case seek(PlaybackSeekState, position: Double)
        /// The rate changed.
        case rate(Double)
        /// The volume changed, in `0...1`.
        case volume(Double)
        /// The audio was muted or unmuted.
        case mute(Bool)
        /// The tracks of the item, both lists complete.
        case tracks(audio: [AudioTrack], subtitles: [SubtitleTrack])
        /// An audio track was selected, by its `id`; `nil` for none.
        case selectedAudio(id: Int?)
        /// A subtitle track was selected, by its `id`; `nil` for none.
        case selectedSubtitle(id: Int?)
        /// The quality of the video changed.
        case quality(PlayerQuality)
        /// The buffer state changed.
        case buffer(PlaybackBufferState)
        /// The reason for the state `failure`: the parts of a `PlaybackError`, the code by its name.
        case error(code: String, message: String, cause: String?, url: String?, status: Int?, retryable: Bool)
        /// An interruption started or stopped.
        case interruption(PlaybackInterruption)
        /// The audio moved to another device, with the name that the sound server has for it.
        case route(reason: AudioRouteChange.Reason, device: String?)
        /// A warning of the SDK.
        case log(code: String, message: String)
    }
}

extension EventLogEntry.Event {
    /// The line's event for an event of a player, with rounded numbers; `nil` for events that are not logged.
    public init?(_ event: PlayerEvent, snapshot: PlayerSnapshot) {
        switch event {
        case .media(let url): self = .media(url: url?.redacted)
        case .item(let transition): self = .item(index: transition.index, reason: transition.reason)
        case .resolved(let url): self = .resolved(url: url.redacted)
        case .state(let state): self = .state(state, position: snapshot.position.roundedToMicros)
        case .playbackState(let state): self = .playbackState(state)
        case .position(let position): self = .position(position.roundedToMicros)
        case .duration(let duration): self = .duration(duration.roundedToMicros)
        case .seek(let state, let position): self = .seek(state, position: position.roundedToMicros)
        case .rate(let rate): self = .rate(rate.roundedToMicros)
        case .volume(let volume): self = .volume(volume.roundedToMicros)
        case .mute(let isMuted): self = .mute(isMuted)
        case .playbackType(let type): self = .playbackType(type)
        case .dvrWindow(let window):
            self = .dvrWindow(DVRWindow(start: window.start.roundedToMicros, end: window.end.roundedToMicros))
        case .metadata(let metadata): self = .metadata(metadata)
        case .selectedAudio(let track): self = .selectedAudio(id: track?.id)
        case .selectedSubtitle(let track): self = .selectedSubtitle(id: track?.id)
        case .quality(let quality): self = .quality(quality)
        case .buffer(let state): self = .buffer(state)
        case .tracks(let tracks): self = .tracks(audio: tracks.audio, subtitles: tracks.subtitles)
        case .error(let error):
            self = .error(
                code: error.code.name, message: error.message, cause: error.cause, url: error.url,
                status: error.httpStatus, retryable: error.isRetryable)
        case .interruption(let interruption): self = .interruption(interruption)
        case .route(let change): self = .route(reason: change.reason, device: change.device)
        case .log(let notice): self = .log(code: notice.code, message: notice.message)
        case .missed: return nil
        }
    }
}

extension Double {
    /// The number with six decimals. Clocks are coarser, and the noise of binary fractions is gone.
    var roundedToMicros: Double { (self * 1e6).rounded() / 1e6 }
}
