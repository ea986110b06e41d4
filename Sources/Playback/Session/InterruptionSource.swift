/// Finds out when something more important sounds.
///
/// ```swift
/// let token = AudioSession.sharedInstance().add(OtherPlayers())
/// ```
public protocol InterruptionSource: Sendable {
    /// What begins and ends, from now on; each access makes a stream of its own. With a stream ends what it has begun.
    var changes: AsyncStream<InterruptionChange> { get }
}

/// One interruption begins or ends.
public enum InterruptionChange: Hashable, Sendable {
    /// What the source knows by this name sounds.
    case began(String)
    /// It sounds no more. `shouldResume`: whether what it has stopped goes on by itself.
    case ended(String, shouldResume: Bool)
}
