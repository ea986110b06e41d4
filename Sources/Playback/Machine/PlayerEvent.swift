import Foundation

/// One change of a player. Positions and durations are in seconds.
///
/// More cases may come: give a `switch` over this a `default`.
public enum PlayerEvent: Codable, Hashable, Sendable {
    /// An item was loaded, or loaded again. `nil`: its address is being resolved, and follows as `resolved`.
    case media(URL?)
    /// Another item of the queue is the current one. Sent with its `media`, and again if the same item repeats.
    case item(ItemTransition)
    /// The address of a deferred load is known.
    case resolved(URL)
    /// Known with `ready`; `unknown` again after a new load.
    case playbackType(PlaybackType)
    /// Known with `ready`, and again when it is known better. Never sent for a stream without an end.
    case duration(Double)
    /// The part of a live stream that can be played; again whenever it moves.
    case dvrWindow(DVRWindow)
    /// The metadata of the item, and again when more are known.
    case metadata(MediaMetadata)
    /// The whole list, with `ready` and whenever it changes.
    case tracks(MediaTracks)
    /// The selected audio track, with `ready` and after each change; `nil`: none any more.
    case selectedAudio(AudioTrack?)
    /// The text that is shown, and again whenever it changes; `nil`: none any more.
    case selectedSubtitle(SubtitleTrack?)
    /// The quality of the current video, and again after each change.
    case quality(PlayerQuality)
    /// Media seconds a second.
    case rate(Double)
    /// In `0...1`.
    case volume(Double)
    /// `true` if the audio is off.
    case mute(Bool)
    /// The target while seeking, else where the playhead came to be or stayed.
    case seek(PlaybackSeekState, position: Double)
    /// How well playback is supplied with data.
    case buffer(PlaybackBufferState)
    /// An interruption began or ended. The resulting state follows.
    case interruption(PlaybackInterruption)
    /// The audio moved to another device. If the previous one is gone, playback pauses.
    case route(AudioRouteChange)
    /// A warning. Playback continues.
    case log(PlaybackNotice)
    /// Several times a second while playing, and when the playhead jumps.
    case position(Double)
    /// Why the state becomes `failure`, which follows at once.
    case error(PlaybackError)
    /// The state of the player.
    case state(PlayerState)
    /// The state of the view.
    case playbackState(PlaybackState)
    /// Only in a stream whose reader is slow: so many events before the next one were left out.
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
        if old.generation == new.generation, new.item != nil, old.item == nil || old.item?.number == new.item?.number {
            compare(old.position, new.position) { .position($0) }
        }
        compare(old.error, new.error) { $0.map { .error($0) } }
        compare(old.state, new.state) { .state($0) }
        compare(old.playbackState, new.playbackState) { .playbackState($0) }
        return events
    }

    /// The events that lead a new player to the current state.
    package static func current(of snapshot: PlayerSnapshot) -> [PlayerEvent] {
        var fresh = PlayerSnapshot()
        fresh.generation = snapshot.generation
        fresh.notices = snapshot.notices
        fresh.route = snapshot.route
        return differences(from: fresh, to: snapshot)
    }
}

// MARK: - The table of the events

extension PlayerEvent {
    /// The event as one line of text that is stable from version to version: its name and its values.
    ///
    /// Seconds, rates and volumes have three places at most. Errors and warnings are given by their codes. Addresses
    /// have no credentials and no query.
    public var text: String { "\(entry.name) \(entry.values)" }

    /// The name of the case.
    package var name: String { entry.name }

    /// The table of the events: the name of each one, and its values as text.
    private var entry: (name: String, values: String) {
        switch self {
        case .media(let url): ("media", url?.redacted ?? "unknown yet")
        case .item(let transition): ("item", "\(transition.index) \(transition.reason.rawValue)")
        case .resolved(let url): ("resolved", url.redacted)
        case .playbackType(let type): ("playbackType", type.rawValue)
        case .duration(let duration): ("duration", duration.text)
        case .dvrWindow(let window): ("dvrWindow", "\(window.start.text)...\(window.end.text)")
        case .metadata(let metadata): ("metadata", metadata.text)
        case .tracks(let tracks): ("tracks", tracks.text)
        case .selectedAudio(let track): ("selectedAudio", track.map { String($0.id) } ?? "none")
        case .selectedSubtitle(let track): ("selectedSubtitle", track.map { String($0.id) } ?? "none")
        case .quality(let quality): ("quality", quality.rawValue)
        case .rate(let rate): ("rate", rate.text)
        case .volume(let volume): ("volume", volume.text)
        case .mute(let isMuted): ("mute", "\(isMuted)")
        case .seek(let state, let position): ("seek", "\(state.rawValue) \(position.text)")
        case .buffer(let state): ("buffer", state.rawValue)
        case .interruption(let interruption): ("interruption", interruption.rawValue)
        case .route(let change): ("route", change.reason.rawValue)
        case .log(let notice): ("log", notice.code)
        case .position(let position): ("position", position.text)
        case .error(let error): ("error", error.text)
        case .state(let state): ("state", state.name)
        case .playbackState(let state): ("playbackState", state.name)
        case .missed(let count): ("missed", "\(count)")
        }
    }

    /// The name of the event that reports a property of the snapshot, or `nil` if the property has no event.
    @MainActor
    package static func name(reporting property: PartialKeyPath<PlayerSnapshot>) -> String? { reporters[property] }

    @MainActor
    private static let reporters: [PartialKeyPath<PlayerSnapshot>: String] = [
        \.item?.transition: "item", \.playbackType: "playbackType", \.duration: "duration", \.dvrWindow: "dvrWindow",
        \.metadata: "metadata", \.tracks: "tracks", \.currentAudio: "selectedAudio", \.currentSubtitle: "selectedSubtitle",
        \.quality: "quality", \.rate: "rate", \.volume: "volume", \.isMuted: "mute", \.seek: "seek", \.bufferState: "buffer",
        \.isInterrupted: "interruption", \.position: "position", \.error: "error", \.state: "state", \.playbackState: "playbackState",
    ]
}
