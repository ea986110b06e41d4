/// What a player does with its media, as a person would say it.
public enum PlayerState: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Nothing is loaded.
    case idle
    /// A medium is being opened.
    case load
    /// The medium can be played, and has not been yet.
    case ready
    /// The medium plays.
    case play
    /// The medium has played and stands still.
    case pause
    /// The medium would play, but data are missing.
    case buffer
    /// The medium has played to its end.
    case complete
    /// The medium cannot be played, or not further.
    case failure

    /// The name of the case, as logs give it.
    public var name: String { String(describing: self) }
}

/// What it is that a player shows.
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
    /// Whatever it is, nobody looks: the host is in the background.
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
    /// There; the position is told with it.
    case seeked
    /// Not possible; playback stayed at the position that is told with it.
    case failed
}

/// Why the environment holds playback although the user wants it.
public struct SuppressionReason: RawRepresentable, Codable, Hashable, Sendable {
    /// The host is not in front, and its policy is to pause.
    public static let background = Self(rawValue: "background")
    /// Something more important sounds.
    public static let interruption = Self(rawValue: "interruption")

    /// The name of the reason.
    public let rawValue: String
    /// A reason of the host: it holds playback until it is taken back.
    public init(rawValue: String) { self.rawValue = rawValue }
}
