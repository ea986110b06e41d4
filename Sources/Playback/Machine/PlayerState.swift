/// The state of a player.
public enum PlayerState: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Nothing is loaded.
    case idle
    /// The item is being opened.
    case load
    /// The item can be played, and has not started yet.
    case ready
    /// The item plays.
    case play
    /// The item has started and is paused.
    case pause
    /// Playback is wanted, but data are missing.
    case buffer
    /// The item has played to its end.
    case complete
    /// The item cannot be played.
    case failure

    /// The name of the case, as logs give it.
    public var name: String { String(describing: self) }

    /// The states that can follow.
    package var successors: Set<PlayerState> {
        switch self {
        case .idle: [.load]
        case .load: [.ready, .failure, .idle]
        case .ready: [.play, .load, .complete, .failure, .idle]
        case .play: [.pause, .buffer, .load, .complete, .failure, .idle]
        case .pause: [.play, .buffer, .load, .complete, .failure, .idle]
        case .buffer: [.play, .pause, .load, .complete, .failure, .idle]
        case .complete, .failure: [.load, .idle]
        }
    }
}

/// The state of the view.
public enum PlaybackState: Int, Codable, Hashable, Sendable, CaseIterable {
    /// No item plays.
    case idle
    /// The item plays.
    case playing
    /// The item plays on another device.
    case casting
    /// An advertisement plays.
    case ads
    /// The item has ended.
    case ended
    /// The host is in the background.
    case background

    /// The name of the case, as logs give it.
    public var name: String { String(describing: self) }
}

/// The state of a seek.
public enum PlaybackSeekState: String, Codable, Hashable, Sendable {
    /// No seek, or another load has replaced it.
    case idle
    /// The player seeks to the target.
    case seeking
    /// The target is reached; the event has the position.
    case seeked
    /// The seek failed; the event has the unchanged position.
    case failed
}

/// The precision of a seek.
public enum SeekTolerance: String, Codable, Hashable, Sendable, CaseIterable {
    /// Playback continues exactly at the target.
    case exact
    /// Playback continues at a keyframe near the target, which is faster. A backend without the feature
    /// `keyframeSeeking` seeks exactly.
    case keyframe
}

/// Why the environment holds playback although the user wants it.
public struct SuppressionReason: RawRepresentable, Codable, Hashable, Sendable {
    /// The host is in the background, and its policy is to pause.
    public static let background = Self(rawValue: "background")
    /// An interruption.
    public static let interruption = Self(rawValue: "interruption")
    /// The item waits for its advertisements.
    public static let adLoading = Self(rawValue: "adLoading")
    /// An advertisement plays in place of the item.
    public static let adBreak = Self(rawValue: "adBreak")

    /// The name of the reason.
    public let rawValue: String
    /// A reason of the host, which holds playback until the host removes it.
    public init(rawValue: String) { self.rawValue = rawValue }
}
