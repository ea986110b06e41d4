import Foundation

/// One change of a player, as its observers are told. Positions and durations are in seconds.
///
/// More cases may come: give a `switch` over this a `default`.
public enum PlayerEvent: Codable, Hashable, Sendable {
    /// A medium was loaded, or loaded again.
    case media(URL)
    /// Known with `ready`; `unknown` again after a new load.
    case playbackType(PlaybackType)
    /// Known with `ready`, and again when it is known better. Never told for a stream without an end.
    case duration(Double)
    /// The whole list, with `ready` and whenever it changes.
    case tracks(MediaTracks)
    /// Media seconds a second.
    case rate(Double)
    /// In `0...1`.
    case volume(Double)
    /// Whether the sound is off.
    case mute(Bool)
    /// The target while seeking, else where the playhead came to be or stayed.
    case seek(PlaybackSeekState, position: Double)
    /// A warning: playback goes on.
    case log(PlaybackNotice)
    /// Several times a second while playing, and when the playhead jumps.
    case position(Double)
    /// Why the state becomes `failure`, which follows at once.
    case error(PlaybackError)
    /// What the player does now.
    case state(PlayerState)
    /// What the player shows now.
    case playbackState(PlaybackState)
}

extension PlayerEvent {
    /// What an observer is told when one snapshot follows another, in this order: nothing else makes events.
    static func differences(from old: PlayerSnapshot, to new: PlayerSnapshot) -> [PlayerEvent] {
        var events: [PlayerEvent] = []
        func compare<Value: Equatable>(_ old: Value, _ new: Value, _ event: (Value) -> PlayerEvent?) {
            if old != new, let event = event(new) { events.append(event) }
        }
        compare(old.item, new.item) { $0.map { .media($0.url) } }
        compare(old.playbackType, new.playbackType) { .playbackType($0) }
        compare(old.duration, new.duration) { $0.map { .duration($0) } }
        compare(old.tracks, new.tracks) { $0.map { .tracks($0) } }
        compare(old.rate, new.rate) { .rate($0) }
        compare(old.volume, new.volume) { .volume($0) }
        compare(old.isMuted, new.isMuted) { .mute($0) }
        compare(old.seek, new.seek) { $0.state == .idle ? nil : .seek($0.state, position: $0.position) }
        compare(old.notice, new.notice) { ($0?.notice).map { .log($0) } }
        if old.generation == new.generation, new.item != nil { compare(old.position, new.position) { .position($0) } }
        compare(old.error, new.error) { $0.map { .error($0) } }
        compare(old.state, new.state) { .state($0) }
        compare(old.playbackState, new.playbackState) { .playbackState($0) }
        return events
    }
}
