/// Follows the background reasons of a lifecycle, for a view or a layer.
@MainActor
package final class BackgroundFollower {
    /// The reasons that the handler has received.
    package private(set) var reasons: Set<BackgroundReason> = []
    private var lifecycle: ApplicationLifecycle?
    private var token: ObservationToken?

    package init() {}

    /// - Parameter change: called with the reasons, now and after each change, once the host's own handlers have been
    ///   called.
    package func follow(
        _ lifecycle: ApplicationLifecycle, change: @escaping @MainActor (Set<BackgroundReason>) -> Void
    ) {
        self.lifecycle = lifecycle
        token = lifecycle.follow { [weak self] reasons in
            self?.reasons = reasons
            change(reasons)
        }
    }

    /// `true` while the host's own handlers are called for the return to the foreground, before the handler here.
    package var isComingBack: Bool { !reasons.isEmpty && lifecycle?.isInBackground == false }

    package func end() { token?.cancel() }
}
