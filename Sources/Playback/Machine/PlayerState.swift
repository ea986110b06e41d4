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
    /// Nothing yet, or nothing any more.
    case idle
    /// The content.
    case playing
    /// The content, on another device.
    case casting
    /// An advertisement.
    case ads
    /// The content is over.
    case ended
    /// The host is in the background.
    case background

    /// The name of the case, as logs give it.
    public var name: String { String(describing: self) }
}

/// How far a seek has come.
public enum PlaybackSeekState: String, Codable, Hashable, Sendable {
    /// No seek yet, or one that another load has overtaken.
    case idle
    /// On the way to the target.
    case seeking
    /// The target is reached; the event has the position.
    case seeked
    /// The seek failed; the event has the unchanged position.
    case failed
}

/// Why the environment holds playback although the user wants it.
public struct SuppressionReason: RawRepresentable, Codable, Hashable, Sendable {
    /// The host is not in front, and its policy is to pause.
    public static let background = Self(rawValue: "background")
    /// An interruption.
    public static let interruption = Self(rawValue: "interruption")

    /// The name of the reason.
    public let rawValue: String
    /// A reason of the host: it holds playback until it is taken back.
    public init(rawValue: String) { self.rawValue = rawValue }
}
