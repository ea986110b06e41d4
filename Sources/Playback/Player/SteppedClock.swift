/// A clock that moves in steps, and before each waits for those who have something to do now.
package protocol SteppedClock: PlaybackClock, AnyObject {
    /// Adds somebody to wait for, as long as there is anybody who keeps it.
    func join(_ participant: any StepParticipant)
    /// Whether a task waits for this clock: it has nothing to do before the next step.
    func isAwaited(by task: TaskIdentity) -> Bool
}

/// Somebody whom a clock waits for.
package protocol StepParticipant: AnyObject, Sendable {
    /// Returns when there is nothing more to do now.
    ///
    /// - Returns: whether there was anything.
    nonisolated(nonsending) func settle(by clock: any SteppedClock) async -> Bool
}

/// Tells tasks apart as long as they run.
package struct TaskIdentity: Hashable, Sendable {
    private let hash: Int

    /// The task that asks; `nil` outside of tasks.
    package static var current: TaskIdentity? {
        withUnsafeCurrentTask { task in task.map { TaskIdentity(hash: $0.hashValue) } }
    }
}
