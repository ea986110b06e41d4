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
        /// What to play has been found out.
        case resolved(url: String)
        case state(PlayerState, position: Double)
        case playbackState(PlaybackState)
        case position(Double)
        case duration(Double)
        case playbackType(PlaybackType)
        case dvrWindow(DVRWindow)
        case metadata(MediaMetadata)
        case seek(PlaybackSeekState, position: Double)
        case rate(Double)
        case volume(Double)
        case mute(Bool)
        case tracks(audio: [AudioTrack], subtitles: [SubtitleTrack])
        /// By the `id` in the list of tracks; `nil` for none.
        case selectedAudio(id: Int?)
        /// By the `id` in the list of tracks; `nil` for none.
        case selectedSubtitle(id: Int?)
        case quality(PlayerQuality)
        case buffer(PlaybackBufferState)
        case error(code: String, message: String, url: String?, status: Int?, retryable: Bool)
        /// A warning of the SDK.
        case log(code: String, message: String)
    }
}

extension EventLogEntry.Event {
    /// What logs write of an event of a player, and of the snapshot that it belongs to; `nil` for what they leave out.
    public init?(_ event: PlayerEvent, snapshot: PlayerSnapshot) {
        switch event {
        case .media(let url): self = .media(url: url?.redacted)
        case .resolved(let url): self = .resolved(url: url.redacted)
        case .state(let state): self = .state(state, position: snapshot.position)
        case .playbackState(let state): self = .playbackState(state)
        case .position(let position): self = .position(position)
        case .duration(let duration): self = .duration(duration)
        case .seek(let state, let position): self = .seek(state, position: position)
        case .rate(let rate): self = .rate(rate)
        case .volume(let volume): self = .volume(volume)
        case .mute(let isMuted): self = .mute(isMuted)
        case .playbackType(let type): self = .playbackType(type)
        case .dvrWindow(let window): self = .dvrWindow(window)
        case .metadata(let metadata): self = .metadata(metadata)
        case .selectedAudio(let track): self = .selectedAudio(id: track?.id)
        case .selectedSubtitle(let track): self = .selectedSubtitle(id: track?.id)
        case .quality(let quality): self = .quality(quality)
        case .buffer(let state): self = .buffer(state)
        case .tracks(let tracks): self = .tracks(audio: tracks.audio, subtitles: tracks.subtitles)
        case .error(let error):
            self = .error(
                code: error.code.name, message: error.message, url: error.url, status: error.httpStatus,
                retryable: error.isRetryable)
        case .log(let notice): self = .log(code: notice.code, message: notice.message)
        case .missed: return nil
        }
    }
}
