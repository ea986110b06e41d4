import Playback

/// What a player does, as a remote control shows it.
public enum NowPlayingPlaybackState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Nobody has said: the player's own state counts.
    case unknown
    /// It plays, or is about to.
    case playing
    /// It stands, and can go on.
    case paused
    /// It begins from the beginning, or there is nothing to play.
    case stopped
    /// Something more important sounds. Shown as paused.
    case interrupted

    init(_ snapshot: PlayerSnapshot) {
        switch snapshot.state {
        case .idle, .complete, .failure: self = .stopped
        case .play, .buffer: self = .playing
        case .load: self = snapshot.shouldPlay ? .playing : .paused
        case .ready, .pause: self = snapshot.suppression.contains(.interruption) ? .interrupted : .paused
        }
    }
}
