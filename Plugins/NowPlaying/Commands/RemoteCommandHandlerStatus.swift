/// What has become of a command.
public enum RemoteCommandHandlerStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// It was done.
    case success
    /// There is nothing to do it to.
    case noSuchContent
    /// It could not be done.
    case commandFailed
}
