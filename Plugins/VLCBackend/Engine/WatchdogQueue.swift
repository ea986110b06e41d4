import Foundation
import Playback
import Synchronization

/// A serial queue that detects work that does not return.
///
/// It is the executor of `VLCEngine`. While there is work, a timer on another thread checks its age. Work older than
/// the timeout means that a call of libVLC hangs: the queue gives up, reports it once, and drops all later work.
final class WatchdogQueue: SerialExecutor {
    private enum State: Equatable {
        case idle
        /// No work is running, and the timer has not fired yet.
        case watchedIdle
        case busy(since: Duration)
        case givenUp
    }

    private let queue: DispatchQueue
    private let timeout: Double
    private let stuck: @Sendable (WatchdogQueue) -> Void
    private let state = Mutex(State.idle)

    /// - Parameters:
    ///   - timeout: the longest time for one piece of work, in seconds.
    ///   - stuck: called at most once, on another thread.
    init(label: String, timeout: Double, stuck: @escaping @Sendable (WatchdogQueue) -> Void) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.timeout = timeout
        self.stuck = stuck
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    func async(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in run(work) }
    }

    /// Runs the work after a delay in seconds.
    func async(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
        guard seconds > 0 else { return async(work) }
        queue.asyncAfter(deadline: .now() + seconds) { [self] in run(work) }
    }

    private func run(_ work: () -> Void) {
        let before = state.withLock { state in
            let before = state
            if before != .givenUp { state = .busy(since: ContinuousClock().hostTime) }
            return before
        }
        guard before != .givenUp else { return }
        if before == .idle { check(after: timeout) }
        work()
        state.withLock { if case .busy = $0 { $0 = .watchedIdle } }
    }

    private func check(after seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, let seconds = timeLeft() else { return }
            if seconds > 0 { check(after: seconds) } else { stuck(self) }
        }
    }

    /// Returns the time until the running work is overdue, in seconds, or `nil` without work. Gives up at zero.
    private func timeLeft() -> Double? {
        state.withLock { state in
            guard case .busy(let since) = state else {
                if case .watchedIdle = state { state = .idle }
                return nil
            }
            let timeLeft = timeout - (ContinuousClock().hostTime - since) / .seconds(1)
            if timeLeft <= 0 { state = .givenUp }
            return timeLeft
        }
    }
}
