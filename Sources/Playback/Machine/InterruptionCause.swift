/// Who interrupts a player. Several may at once: it is held until the last of them has let go.
public struct InterruptionCause: RawRepresentable, Codable, Hashable, Sendable {
    /// The sound server that the engine plays through. Ends with the opening that it was told of.
    public static let engine = Self(rawValue: "engine")
    /// Who has called `suppress(.interruption)`.
    public static let host = Self(rawValue: "host")

    /// The name of the cause.
    public let rawValue: String
    /// A cause of another kind.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// How an interruption of a player stands.
public enum PlaybackInterruption: String, Codable, Hashable, Sendable, CaseIterable {
    /// Something more important sounds: nothing is played although it may be wanted.
    case began
    /// Nothing interrupts any more, or the user has played all the same.
    case ended
}
