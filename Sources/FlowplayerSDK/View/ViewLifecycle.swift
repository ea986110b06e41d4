/// Whether a view is there.
public enum ViewLifecycle: Int, Codable, Hashable, Sendable, CaseIterable {
    /// The view has come into being.
    case created
    /// The view is gone.
    case destroyed
}
