/// Finds out when a host is in front and when it is not.
///
/// ```swift
/// let token = ApplicationLifecycle.shared.add(LogindLifecycle())
/// ```
public protocol LifecycleSource: Sendable {
    /// The reasons that begin and end from now on. Each access makes a new stream. The end of a stream ends its
    /// reasons.
    var changes: AsyncStream<LifecycleChange> { get }
}

/// One reason begins or ends.
public enum LifecycleChange: Hashable, Sendable {
    /// The host is not in front for this reason.
    case began(BackgroundReason)
    /// This reason holds no longer.
    case ended(BackgroundReason)
}
