/// A warning. Playback continues.
public struct PlaybackNotice: Codable, Hashable, Sendable {
    /// A stable name, for programs.
    public let code: String
    /// A sentence, for people.
    public let message: String

    /// A warning as a backend or a machine makes it.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
