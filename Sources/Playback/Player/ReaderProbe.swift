import Synchronization

/// Tells from outside of a task whether it has handled all that is in the player's stream that it reads.
package final class ReaderProbe: Sendable {
    /// The probe that watches this task, and those that it begins.
    @TaskLocal package static var current: ReaderProbe?

    private struct State {
        var isIdle = false
        var clock: (any SteppedClock)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether the reader has handled everything, and waits for more. Never of a stream from elsewhere.
    package var isIdle: Bool { state.withLock { $0.isIdle } }

    /// The clock that waits for the reader; `nil` if it has not asked yet, or no clock does.
    package var clock: (any SteppedClock)? { state.withLock { $0.clock } }

    func waits(for clock: (any SteppedClock)?) {
        state.withLock { $0 = State(isIdle: true, clock: clock) }
    }

    func goesOn() { state.withLock { $0.isIdle = false } }
}
