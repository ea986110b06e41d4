import Foundation

/// One change of a player. Positions and durations are in seconds.
///
/// Later versions may add cases: a `switch` in a host needs an `@unknown default`.
@nonexhaustive
public enum PlayerEvent: Codable, Hashable, Sendable {
    /// An item was loaded, or loaded again. `nil`: its address is being resolved, and follows as `resolved`.
    case media(URL?)
    /// Another item of the queue is the current one. Sent with its `media`, and again if the same item repeats.
    case item(ItemTransition)
    /// The address of a deferred load is known.
    case resolved(URL)
    /// The type of the item, with `ready`; `unknown` after a new load.
    case playbackType(PlaybackType)
    /// The length, with `ready` and when it is more precise. Never sent for a stream without an end.
    case duration(Double)
    /// The part of a live stream that can be played, whenever it moves.
    case dvrWindow(DVRWindow)
    /// The metadata of the item, and again when more are known.
    case metadata(MediaMetadata)
    /// The whole list of tracks, with `ready` and after each change.
    case tracks(MediaTracks)
    /// The selected audio track, with `ready` and after each change; `nil` for none.
    case selectedAudio(AudioTrack?)
    /// The selected subtitle track, with `ready` and after each change; `nil` for none.
    case selectedSubtitle(SubtitleTrack?)
    /// The quality of the current video, and again after each change.
    case quality(PlayerQuality)
    /// Media seconds a second.
    case rate(Double)
    /// In `0...1`.
    case volume(Double)
    /// `true` if the audio is off.
    case mute(Bool)
    /// The state of a seek. The position is the target while seeking, then the position that the seek has reached.
    case seek(PlaybackSeekState, position: Double)
    /// The state of the buffer.
    case buffer(PlaybackBufferState)
    /// An interruption began or ended. The resulting state follows.
    case interruption(PlaybackInterruption)
    /// The audio moved to another device. If the previous one is gone, playback pauses.
    case route(AudioRouteChange)
    /// A warning. Playback continues.
    case log(PlaybackNotice)
    /// An event of advertisements.
    case ad(AdEvent)
    /// At most five times a second while playing, and when the playhead jumps.
    case position(Double)
    /// The chapter of the position, with `ready` and whenever it changes. `nil` is a position before the first chapter.
    case chapter(Chapter?)
    /// The reason for the state `failure`, which follows at once.
    case error(PlaybackError)
    /// The state of the player.
    case state(PlayerState)
    /// The state of the view.
    case playbackState(PlaybackState)
    /// The number of events that a stream with a slow reader has dropped before the next one.
    case missed(Int)
}

extension PlayerEvent {
    /// The events between two snapshots, in order. No other code makes events.
    package static func differences(from old: PlayerSnapshot, to new: PlayerSnapshot) -> [PlayerEvent] {
        var events: [PlayerEvent] = []
        func compare<Value: Equatable>(_ old: Value, _ new: Value, _ event: (Value) -> PlayerEvent?) {
            if old != new, let event = event(new) { events.append(event) }
        }
        compare(old.item?.number, new.item?.number) { $0.map { _ in .media(new.item?.url) } }
        if let transition = new.item?.transition, old.item?.number != new.item?.number {
            events.append(.item(transition))
        }
        if new.item?.isDeferred == true, old.item?.number == new.item?.number {
            compare(old.item?.url, new.item?.url) { $0.map { .resolved($0) } }
        }
        compare(old.playbackType, new.playbackType) { .playbackType($0) }
        compare(old.duration, new.duration) { $0.map { .duration($0) } }
        compare(old.dvrWindow, new.dvrWindow) { $0.map { .dvrWindow($0) } }
        compare(old.metadata, new.metadata) { $0.isEmpty ? nil : .metadata($0) }
        compare(old.tracks, new.tracks) { $0.map { .tracks($0) } }
        if new.tracks != nil {
            compare(old.currentAudio, new.currentAudio) { .selectedAudio($0) }
            compare(old.currentSubtitle, new.currentSubtitle) { .selectedSubtitle($0) }
        }
        if old.videoSize != new.videoSize { compare(old.quality, new.quality) { $0.map { .quality($0) } } }
        compare(old.rate, new.rate) { .rate($0) }
        compare(old.volume, new.volume) { .volume($0) }
        compare(old.isMuted, new.isMuted) { .mute($0) }
        compare(old.seek, new.seek) { $0.state == .idle ? nil : .seek($0.state, position: $0.position) }
        compare(old.bufferState, new.bufferState) { .buffer($0) }
        compare(old.isInterrupted, new.isInterrupted) { .interruption($0 ? .began : .ended) }
        compare(old.route?.number, new.route?.number) { _ in new.route.map { .route($0.change) } }
        let known = old.notices.last?.number ?? 0
        for notice in new.notices where notice.number > known { events.append(.log(notice.notice)) }
        compare(old.adEvent, new.adEvent) { $0.map { .ad($0.event) } }
        if old.generation == new.generation, new.item != nil, old.item == nil || old.item?.number == new.item?.number {
            compare(old.position, new.position) { .position($0) }
        }
        if new.isReady { compare(old.currentChapter, new.currentChapter) { .chapter($0) } }
        compare(old.error, new.error) { $0.map { .error($0) } }
        compare(old.state, new.state) { .state($0) }
        compare(old.playbackState, new.playbackState) { .playbackState($0) }
        return events
    }

    /// The events that lead a new player to the current state.
    package static func current(of snapshot: PlayerSnapshot) -> [PlayerEvent] {
        var fresh = PlayerSnapshot().withReports(of: snapshot)
        fresh.generation = snapshot.generation
        return differences(from: fresh, to: snapshot)
    }

    /// The events that lead from an unloaded player to another one. The position is sent when it changes.
    package static func replacement(of old: PlayerSnapshot, by new: PlayerSnapshot) -> [PlayerEvent] {
        var old = old.withReports(of: new)
        old.generation = .none
        return differences(from: old, to: new)
    }
}

// MARK: - The table of the events

extension PlayerEvent {
    /// The event as one line of text that is stable from version to version: its name and its values.
    ///
    /// Seconds, rates and volumes have three places at most. Errors and warnings are given by their codes. Addresses
    /// have no credentials and no query.
    public var text: String {
        let row = row
        return "\(row.name.stringValue) \(row.text)"
    }

    /// The name of the case.
    package var name: String { row.name.stringValue }

    /// The table of the events: the name of each one, its values as text, and its values in a log.
    private var row: (name: CodingKeys, text: String, values: LoggedEvent) {
        switch self {
        case .media(let url): (.media, url?.redacted ?? "unknown yet", LoggedEvent(url: url?.redacted))
        case .item(let transition):
            (.item, "\(transition.index) \(transition.reason.rawValue)", LoggedEvent(transition))
        case .resolved(let url): (.resolved, url.redacted, LoggedEvent(url: url.redacted))
        case .playbackType(let type): (.playbackType, type.rawValue, LoggedEvent(type: type))
        case .duration(let duration): (.duration, duration.text, LoggedEvent(duration: duration.roundedToMicros))
        case .dvrWindow(let window): (.dvrWindow, "\(window.start.text)...\(window.end.text)", LoggedEvent(window))
        case .metadata(let metadata): (.metadata, metadata.text, LoggedEvent(metadata))
        case .tracks(let tracks): (.tracks, tracks.text, LoggedEvent(audio: tracks.audio, subtitles: tracks.subtitles))
        case .selectedAudio(let track):
            (.selectedAudio, track.map { String($0.id) } ?? "none", LoggedEvent(id: track?.id))
        case .selectedSubtitle(let track):
            (.selectedSubtitle, track.map { String($0.id) } ?? "none", LoggedEvent(id: track?.id))
        case .quality(let quality): (.quality, quality.rawValue, LoggedEvent(quality: quality))
        case .rate(let rate): (.rate, rate.text, LoggedEvent(rate: rate.roundedToMicros))
        case .volume(let volume): (.volume, volume.text, LoggedEvent(volume: volume.roundedToMicros))
        case .mute(let isMuted): (.mute, "\(isMuted)", LoggedEvent(mute: isMuted))
        case .seek(let state, let position):
            (
                .seek, "\(state.rawValue) \(position.text)",
                LoggedEvent(state: state.rawValue, position: position.roundedToMicros)
            )
        case .buffer(let state): (.buffer, state.rawValue, LoggedEvent(state: state.rawValue))
        case .interruption(let interruption):
            (.interruption, interruption.rawValue, LoggedEvent(state: interruption.rawValue))
        case .route(let change):
            (.route, change.reason.rawValue, LoggedEvent(reason: change.reason.rawValue, device: change.device))
        case .log(let notice): (.log, notice.code, LoggedEvent(code: notice.code, message: notice.message))
        case .ad(let event): (.ad, event.text, event.logged)
        case .position(let position): (.position, position.text, LoggedEvent(position: position.roundedToMicros))
        case .chapter(let chapter):
            (
                .chapter, chapter.map { "\($0.start.text) \"\($0.title)\"" } ?? "none",
                LoggedEvent(start: chapter?.start.roundedToMicros, title: chapter?.title)
            )
        case .error(let error): (.error, error.text, LoggedEvent(error))
        case .state(let state): (.state, state.name, LoggedEvent(state: state.name))
        case .playbackState(let state): (.playbackState, state.name, LoggedEvent(state: state.name))
        case .missed(let count): (.missed, "\(count)", LoggedEvent())
        }
    }

    /// The plain values of the event. The line of `state` has the position of the player.
    fileprivate func logged(at position: Double) -> LoggedEvent {
        let row = row
        var logged = row.values
        logged.event = row.name.stringValue
        if case .state = self { logged.position = position.roundedToMicros }
        return logged
    }

    /// The fields that a line of each event always has.
    private static let requiredFields: [CodingKeys: [String]] = [
        .item: ["index", "reason"], .resolved: ["url"], .playbackType: ["type"], .duration: ["duration"],
        .dvrWindow: ["start", "end"], .tracks: ["audio", "subtitles"], .quality: ["quality"], .rate: ["rate"],
        .volume: ["volume"], .mute: ["mute"], .seek: ["state", "position"], .buffer: ["state"],
        .interruption: ["state"], .route: ["reason"], .log: ["code", "message"], .ad: ["state"],
        .position: ["position"],
        .error: ["code", "message", "retryable"], .state: ["state", "position"], .playbackState: ["state"],
    ]

    /// Returns the fields that a line of an event always has; `nil` if there is no event with the name.
    package static func requiredFields(of name: String) -> [String]? {
        CodingKeys(stringValue: name).map { requiredFields[$0] ?? [] }
    }

    /// The name of the event that reports a property of the snapshot, or `nil` if the property has no event.
    @MainActor
    package static func name(reporting property: PartialKeyPath<PlayerSnapshot>) -> String? {
        reporters[property]?.stringValue
    }

    @MainActor
    private static let reporters: [PartialKeyPath<PlayerSnapshot>: CodingKeys] = [
        \.item?.transition: .item, \.playbackType: .playbackType, \.duration: .duration, \.dvrWindow: .dvrWindow,
        \.metadata: .metadata, \.tracks: .tracks, \.currentAudio: .selectedAudio,
        \.currentSubtitle: .selectedSubtitle, \.quality: .quality, \.rate: .rate, \.volume: .volume,
        \.isMuted: .mute, \.seek: .seek, \.bufferState: .buffer, \.isInterrupted: .interruption,
        \.position: .position, \.currentChapter: .chapter, \.error: .error, \.state: .state,
        \.playbackState: .playbackState,
    ]
}

/// An event as a log has it: a name and plain values. Each event has some of the values.
///
/// Positions and durations are in seconds. Numbers have six decimals at most.
public struct LoggedEvent: Codable, Hashable, Sendable {
    fileprivate(set) var event = ""
    /// The address without credentials and query.
    public internal(set) var url: String?
    /// The index in the queue, from 0.
    public internal(set) var index: Int?
    /// The reason of a queue's transition or of an audio device change.
    public internal(set) var reason: String?
    /// The playback type.
    public internal(set) var type: PlaybackType?
    /// The duration of the item.
    public internal(set) var duration: Double?
    /// The start of the DVR window or of the chapter.
    public internal(set) var start: Double?
    /// The end of the DVR window.
    public internal(set) var end: Double?
    /// The title of the item or of the chapter.
    public internal(set) var title: String?
    /// The artist.
    public internal(set) var artist: String?
    /// The album.
    public internal(set) var album: String?
    /// The address of the cover image, without credentials and query.
    public internal(set) var artwork: String?
    /// The chapters; `nil` if there are none.
    public internal(set) var chapters: [Chapter]?
    /// All audio tracks.
    public internal(set) var audio: [AudioTrack]?
    /// All subtitle tracks.
    public internal(set) var subtitles: [SubtitleTrack]?
    /// The `id` of the selected track; `nil` if none is selected.
    public internal(set) var id: Int?
    /// The quality of the video.
    public internal(set) var quality: PlayerQuality?
    /// The rate.
    public internal(set) var rate: Double?
    /// The volume, in `0...1`.
    public internal(set) var volume: Double?
    /// `true` if the audio is muted.
    public internal(set) var mute: Bool?
    /// The name of the state.
    public internal(set) var state: String?
    /// The position of the playhead, or the target while seeking.
    public internal(set) var position: Double?
    /// The name of the audio device at the audio server.
    public internal(set) var device: String?
    /// The name of the error code, or the code of a warning.
    public internal(set) var code: String?
    /// The message of an error or a warning.
    public internal(set) var message: String?
    /// The original report of the system, the network or the engine.
    public internal(set) var cause: String?
    /// The HTTP status.
    public internal(set) var status: Int?
    /// `true` if the same request may succeed later.
    public internal(set) var retryable: Bool?
    /// The position of the break of an advertisement; `stream` for a stream into which a server inserts advertisements.
    public internal(set) var adType: String?
    /// The number of the error of an advertisement in VAST.
    public internal(set) var vast: Int?

    /// The name of the event, which is that of its case.
    public var name: String { event }

    /// The new state of the player; `nil` if this is not the event `state`.
    public var playerState: PlayerState? {
        name == "state" ? PlayerState.allCases.first { $0.name == state } : nil
    }
}

extension LoggedEvent {
    /// The plain values of an event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - position: the position of the player in seconds, which the event `state` has in a log.
    public init(_ event: PlayerEvent, at position: Double = 0) { self = event.logged(at: position) }

    fileprivate init(_ transition: ItemTransition) {
        self.init(index: transition.index, reason: transition.reason.rawValue)
    }

    fileprivate init(_ window: DVRWindow) {
        self.init(start: window.start.roundedToMicros, end: window.end.roundedToMicros)
    }

    fileprivate init(_ metadata: MediaMetadata) {
        self.init(
            title: metadata.title, artist: metadata.artist, album: metadata.album,
            artwork: metadata.artworkURL?.redacted, chapters: metadata.chapters.isEmpty ? nil : metadata.chapters)
    }

    fileprivate init(_ error: AdError, adType: String, vast: Int? = nil) {
        self.init(
            state: "failed", code: String(describing: error), message: error.rawValue, adType: adType, vast: vast)
    }

    fileprivate init(_ error: PlaybackError) {
        self.init(
            url: error.url, code: error.code.name, message: error.message, cause: error.cause,
            status: error.httpStatus, retryable: error.isRetryable)
    }
}

extension AdEvent {
    private static let streamType = "stream"

    fileprivate var text: String {
        let values = logged
        let parts = [values.state, values.adType, values.code, values.vast.map { String($0) }, values.url]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    fileprivate var logged: LoggedEvent {
        switch self {
        case .state(let state, let type): LoggedEvent(state: state.name, adType: String(describing: type))
        case .failed(let error, let type, _, let code): LoggedEvent(error, adType: String(describing: type), vast: code)
        case .clickThrough(let url): LoggedEvent(url: url.redacted, state: "clickThrough")
        case .streamState(let state): LoggedEvent(state: state.name, adType: Self.streamType)
        case .streamFailed(let error): LoggedEvent(error, adType: Self.streamType)
        }
    }
}
