/// Something that a host declares to do while it is in the background.
public enum BackgroundMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Sound goes on.
    case audio
}
