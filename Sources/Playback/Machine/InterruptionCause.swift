/// The cause of an interruption. Several may hold a player at once, until the last one ends.
public struct InterruptionCause: RawRepresentable, Codable, Hashable, Sendable {
    /// The audio server of the engine. Ends with the opening for which it was reported.
    public static let engine = Self(rawValue: "engine")
    /// The host, which called `suppress(.interruption)`.
    public static let host = Self(rawValue: "host")

    /// The name of the cause.
    public let rawValue: String
    /// A cause of another kind.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The beginning or the end of an interruption.
public enum PlaybackInterruption: String, Codable, Hashable, Sendable, CaseIterable {
    /// Playback is held, even if the user wants it.
    case began
    /// The interruption is over, or the user has overridden it by `play`.
    case ended
}
