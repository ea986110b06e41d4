import FlowplayerSDK
import Foundation

/// One line of an event log.
public struct EventLogEntry: Hashable, Sendable {
    /// Seconds since the log began, to the microsecond. Never less than in the line before.
    public var t: Double
    /// The time of day at which the log began; in the first line only.
    public var ts: Date?
    /// The player's `id`.
    public var player: String
    /// The opening that the event is about, as `Generation` counts them.
    public var item: Int
    /// What happened, with its own fields.
    public var event: Event

    /// An entry as a test or a tool makes it; `EventLog` makes those of players.
    public init(t: Double, ts: Date? = nil, player: String, item: Int, event: Event) {
        self.t = t
        self.ts = ts
        self.player = player
        self.item = item
        self.event = event
    }

    /// What happened. Positions and durations are in seconds.
    public enum Event: Hashable, Sendable {
        /// Without credentials and query; `nil` while it is being found out what to play.
        case media(url: String?)
        /// Another item of a queue is the current one: its place from 0, and why.
        case item(index: Int, reason: PlaybackQueue.TransitionReason)
        /// What to play has been found out.
        case resolved(url: String)
        /// What the player does now, and where the playhead is.
        case state(PlayerState, position: Double)
        /// What the player shows now.
        case playbackState(PlaybackState)
        /// Where the playhead is.
        case position(Double)
        /// The length is known, or known better.
        case duration(Double)
        /// How the medium reaches the player.
        case playbackType(PlaybackType)
        /// The part of a live stream that can be played.
        case dvrWindow(DVRWindow)
        /// What is known about the medium, all of it.
        case metadata(MediaMetadata)
        /// The target while seeking, else where the playhead came to be or stayed.
        case seek(PlaybackSeekState, position: Double)
        /// Media seconds a second.
        case rate(Double)
        /// In `0...1`.
        case volume(Double)
        /// Whether the sound is off.
        case mute(Bool)
        /// Both lists as they are now.
        case tracks(audio: [AudioTrack], subtitles: [SubtitleTrack])
        /// By the `id` in the list of tracks; `nil` for none.
        case selectedAudio(id: Int?)
        /// By the `id` in the list of tracks; `nil` for none.
        case selectedSubtitle(id: Int?)
        /// How fine the picture is that is shown.
        case quality(PlayerQuality)
        /// How well playback is supplied with data.
        case buffer(PlaybackBufferState)
        /// Why the state becomes `failure`: the parts of a `PlaybackError`, the code by its name.
        case error(code: String, message: String, cause: String?, url: String?, status: Int?, retryable: Bool)
        /// Something more important sounds, or does no more.
        case interruption(PlaybackInterruption)
        /// Sound goes to another device, by the sound server's name if that is known.
        case route(reason: AudioRouteChange.Reason, device: String?)
        /// A warning of the SDK.
        case log(code: String, message: String)
    }
}

extension EventLogEntry.Event {
    /// What logs write of an event of a player, and of the snapshot that it belongs to, with numbers rounded as lines show
    /// them; `nil` for what they leave out.
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
    /// To the millionth: finer than any clock here, and free of what binary fractions add.
    var roundedToMicros: Double { (self * 1e6).rounded() / 1e6 }
}
