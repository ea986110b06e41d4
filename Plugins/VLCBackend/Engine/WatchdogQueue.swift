import Foundation
import Playback
import Synchronization

/// A serial queue that says when something done on it does not return. After that it does nothing any more.
final class WatchdogQueue: Sendable {
    private struct State {
        /// When what is being done began.
        var since: Duration?
        /// Whether somebody will look.
        var isWatched = false
        var isGivenUp = false
    }

    private enum Finding {
        case idle
        case busy(secondsLeft: Double)
        case stuck
    }

    private let queue: DispatchQueue
    private let patience: Double
    private let stuck: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: in seconds: what takes longer will not return.
    ///   - stuck: called once at most, on another thread.
    init(label: String, patience: Double, stuck: @escaping @Sendable () -> Void) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.patience = patience
        self.stuck = stuck
    }

    func async(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in run(work) }
    }

    func asyncAfter(deadline: DispatchTime, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: deadline) { [self] in run(work) }
    }

    /// Unless it is cancelled before.
    func asyncAfter(deadline: DispatchTime, execute work: DispatchWorkItem) {
        nonisolated(unsafe) let work = work
        asyncAfter(deadline: deadline) { if !work.isCancelled { work.perform() } }
    }

    private func run(_ work: () -> Void) {
        let (begins, isFirst) = state.withLock { state in
            guard !state.isGivenUp else { return (false, false) }
            state.since = ContinuousClock().hostTime
            defer { state.isWatched = true }
            return (true, !state.isWatched)
        }
        guard begins else { return }
        if isFirst { look(in: patience) }
        work()
        state.withLock { $0.since = nil }
    }

    private func look(in seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            switch find() {
            case .idle: break
            case .busy(let left): look(in: left)
            case .stuck: stuck()
            }
        }
    }

    private func find() -> Finding {
        state.withLock { state in
            guard let since = state.since else {
                state.isWatched = false
                return .idle
            }
            let left = patience - (ContinuousClock().hostTime - since) / .seconds(1)
            guard left <= 0 else { return .busy(secondsLeft: left) }
            state.isGivenUp = true
            return .stuck
        }
    }
}
