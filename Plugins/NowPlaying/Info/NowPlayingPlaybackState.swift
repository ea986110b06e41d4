import Playback

/// The playback state that a remote control shows.
public enum NowPlayingPlaybackState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Not set: the player's own state is shown.
    case unknown
    /// The item plays, or starts as soon as it is loaded.
    case playing
    /// The item is paused.
    case paused
    /// The item has stopped or ended, or no item is loaded.
    case stopped
    /// An interruption pauses the item. Shown as paused.
    case interrupted

    init(_ snapshot: PlayerSnapshot) {
        switch snapshot.state {
        case .idle, .complete, .failure: self = .stopped
        case .play, .buffer: self = .playing
        case .load: self = snapshot.isPlaybackWanted ? .playing : .paused
        // An advertisement plays.
        case .ready where snapshot.isPlaybackWanted, .pause where snapshot.isPlaybackWanted: self = .playing
        case .ready, .pause: self = snapshot.suppression.contains(.interruption) ? .interrupted : .paused
        }
    }
}
