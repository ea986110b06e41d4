/// Finds out when a host is in front and when it is not.
///
/// ```swift
/// let token = ApplicationLifecycle.shared.add(LogindLifecycle())
/// ```
public protocol LifecycleSource: Sendable {
    /// What begins and ends, from now on; each access makes a stream of its own. A stream that ends takes the reasons back
    /// that it has given.
    var changes: AsyncStream<LifecycleChange> { get }
}

/// One reason begins or ends.
public enum LifecycleChange: Hashable, Sendable {
    /// The host is not in front for this reason.
    case began(BackgroundReason)
    /// This reason holds no longer.
    case ended(BackgroundReason)
}
