/// Undoes one registration, and nothing else.
///
/// Dropping the token keeps the registration; cancelling twice is harmless.
@MainActor
public final class ObservationToken {
    private var undo: (@MainActor () -> Void)?

    public init(_ undo: @escaping @MainActor () -> Void) { self.undo = undo }

    public func cancel() {
        undo?()
        undo = nil
    }
}
