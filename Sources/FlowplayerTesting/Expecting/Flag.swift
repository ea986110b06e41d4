import Playback
import Synchronization

/// A signal that is raised once and has one waiter.
final class Flag: Sendable {
    private struct State {
        var isRaised = false
        /// `true` after the longest time to wait, which may have passed before the waiter has begun.
        var hasGivenUp = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var isRaised: Bool { state.withLock { $0.isRaised } }

    func raise() { release { $0.isRaised = true } }

    /// Waits until the flag is raised.
    func wait() async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                guard !state.isRaised, !state.hasGivenUp, !Task.isCancelled else { return false }
                state.waiter = continuation
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// Waits for the flag, or moves a `ManualClock` until it is raised.
    ///
    /// - Parameter bound: the longest time to wait, by the clock.
    /// - Returns: `true` if the flag is raised.
    @discardableResult
    nonisolated(nonsending) func wait(upTo bound: Duration, by clock: any PlaybackClock) async -> Bool {
        if let clock = clock as? ManualClock { return await clock.advance(by: bound) { isRaised } }
        // An earlier wait may have been too short.
        state.withLock { $0.hasGivenUp = false }
        let timeout = Task {
            try await Task.sleep(for: bound)
            giveUp()
        }
        defer { timeout.cancel() }
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            giveUp()
        }
        return isRaised
    }

    private func giveUp() { release { $0.hasGivenUp = true } }

    private func release(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
