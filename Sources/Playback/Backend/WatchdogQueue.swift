import Foundation
import Synchronization

/// A serial queue that detects work that does not return.
///
/// It is the executor of an engine. While there is work, a timer on another thread checks its age. Work older than
/// the timeout means that a call of the engine hangs: the queue gives up, reports it once, and drops all later work. With a shorter timeout
/// for an idle process, it gives up earlier if no thread works, because then the call waits for nothing that a busy machine delays.
package final class WatchdogQueue: SerialExecutor {
    private enum State: Equatable {
        case idle
        /// No work is running, and the timer has not fired yet.
        case watchedIdle
        case busy(since: Duration)
        case givenUp
    }

    /// A thread that works may wait for a lock at the moment.
    private static let (neededSamples, sampleInterval) = (3, 0.05)

    private let queue: DispatchQueue
    private let timeout: Double
    private let idleTimeout: Double
    private let stuck: @Sendable (WatchdogQueue) -> Void
    private let state = Mutex(State.idle)

    /// - Parameters:
    ///   - timeout: the longest time for one piece of work, in seconds.
    ///   - idleTimeout: the same while no thread of the process has a core or waits for one; by default `timeout`.
    ///   - stuck: called at most once, on another thread.
    package init(
        label: String, timeout: Double, idleTimeout: Double? = nil,
        stuck: @escaping @Sendable (WatchdogQueue) -> Void
    ) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.timeout = timeout
        self.idleTimeout = idleTimeout ?? timeout
        self.stuck = stuck
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    package func async(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in run(work) }
    }

    /// Runs the work after a delay in seconds.
    package func async(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
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
        if before == .idle { check(after: idleTimeout) }
        work()
        state.withLock { if case .busy = $0 { $0 = .watchedIdle } }
    }

    /// - Parameter idleSamples: how often in a row the process was idle.
    private func check(after seconds: Double, idleSamples: Int = 0) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, let age = age() else { return }
            guard age >= idleTimeout else { return check(after: idleTimeout - age) }
            let samples = age < timeout && ThreadStates.isBusy ? 0 : idleSamples + 1
            if age >= timeout || samples >= Self.neededSamples {
                if giveUp() { stuck(self) }
            } else {
                check(after: min(Self.sampleInterval, timeout - age), idleSamples: samples)
            }
        }
    }

    /// The age of the running work in seconds, or `nil` without work.
    private func age() -> Double? {
        state.withLock { state in
            if case .busy(let since) = state { return (ContinuousClock().hostTime - since) / .seconds(1) }
            if case .watchedIdle = state { state = .idle }
            return nil
        }
    }

    /// Returns `false` if the work has ended meanwhile.
    private func giveUp() -> Bool {
        state.withLock { state in
            guard case .busy(let since) = state, ContinuousClock().hostTime - since >= .seconds(idleTimeout) else {
                if case .watchedIdle = state { state = .idle }
                return false
            }
            state = .givenUp
            return true
        }
    }
}
