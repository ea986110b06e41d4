import Playback
import Synchronization

/// Is raised once, and can be waited for by the clock of a player.
final class Flag: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var isRaised: Bool { state.withLock { $0.isRaised } }

    func raise() { release { $0.isRaised = true } }

    /// Waits for the flag, or moves a `ManualClock` until it is raised. One waiter at a time.
    ///
    /// - Parameter bound: how long to wait at most, by the clock.
    /// - Returns: whether it is raised.
    @discardableResult
    nonisolated(nonsending) func wait(upTo bound: Duration, by clock: any PlaybackClock) async -> Bool {
        if let clock = clock as? ManualClock { return await clock.advance(by: bound) { isRaised } }
        let timeout = Task {
            try await Task.sleep(for: bound)
            giveUp()
        }
        defer { timeout.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard !state.isRaised, !Task.isCancelled else { return false }
                    state.waiter = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            giveUp()
        }
        return isRaised
    }

    private func giveUp() { release { _ in } }

    private func release(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
