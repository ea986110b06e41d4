/// Undoes one registration, and nothing else.
///
/// Dropping the token keeps the registration; cancelling twice is harmless.
@MainActor
public final class ObservationToken {
    private var undo: (@MainActor () -> Void)?

    /// A token of a registry of one's own.
    public init(_ undo: @escaping @MainActor () -> Void) { self.undo = undo }

    /// Takes the registration back. Nothing is told any more when this returns.
    public func cancel() {
        undo?()
        undo = nil
    }
}
