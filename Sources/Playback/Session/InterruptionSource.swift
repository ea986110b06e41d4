/// Detects interruptions.
///
/// ```swift
/// let token = AudioSession.sharedInstance().add(OtherPlayers())
/// ```
public protocol InterruptionSource: Sendable {
    /// The interruptions from now on. Each access makes a new stream. The end of a stream ends its interruptions.
    var changes: AsyncStream<InterruptionChange> { get }
}

/// One interruption begins or ends.
public enum InterruptionChange: Hashable, Sendable {
    /// The interruption with this name began.
    case began(String)
    /// The interruption ended. If `shouldResume` is `true`, the players resume.
    case ended(String, shouldResume: Bool)
}
