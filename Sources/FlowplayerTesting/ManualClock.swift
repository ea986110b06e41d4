import Playback
import Synchronization

/// A clock that stands still until a test moves it.
///
/// `advance(by:)` lets everything happen in its order that is due meanwhile, and waits until the players whose
/// simulated backends keep this clock have handled it. Hours pass in an instant, and the outcome is always the same.
public final class ManualClock: PlaybackClock {
    /// A moment of one clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// The moment that comes so long after the clock was made.
        public init(offset: Duration) { self.offset = offset }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Duration.zero
        var lastID = 0
        var timers: [Int: (deadline: Duration, action: @Sendable () -> Void)] = [:]
        var participants: [@Sendable () async -> Void] = []
    }

    private let state = Mutex(State())

    /// A clock that stands at zero.
    public init() {}

    public var now: Instant { Instant(offset: hostTime) }
    public var hostTime: Duration { state.withLock { $0.now } }
    public var minimumResolution: Duration { .zero }

    /// Moves the time on. Returns when all that became due has been handled.
    public func advance(by duration: Duration) async {
        let end = hostTime + duration
        await settle()
        while let action = nextAction(until: end) {
            action()
            await settle()
        }
        state.withLock { $0.now = max($0.now, end) }
        await settle()
    }

    /// Waits until the players have handled what is due now, without moving the time.
    public func settle() async {
        for participant in state.withLock({ $0.participants }) { await participant() }
    }

    /// Whether anything waits for the time to move on.
    public var isAwaited: Bool { state.withLock { !$0.timers.isEmpty } }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        guard deadline.offset > hostTime else { return try Task.checkCancellation() }
        let wakeUp = WakeUp()
        let id = schedule(at: deadline.offset) { wakeUp.ring() }
        await withTaskCancellationHandler {
            await wakeUp.wait()
        } onCancel: {
            cancel(id)
            wakeUp.ring()
        }
        try Task.checkCancellation()
    }

    /// Runs an action when the time comes, or with the next move if it has.
    func schedule(at deadline: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.timers[state.lastID] = (deadline, action)
            return state.lastID
        }
    }

    func cancel(_ id: Int) {
        state.withLock { _ = $0.timers.removeValue(forKey: id) }
    }

    /// Adds somebody to wait for after each step.
    func join(_ participant: @escaping @Sendable () async -> Void) {
        state.withLock { $0.participants.append(participant) }
    }

    private func nextAction(until end: Duration) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let due = state.timers.filter { $0.value.deadline <= end }
            guard let next = due.min(by: { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }) else {
                return nil
            }
            state.timers[next.key] = nil
            state.now = max(state.now, next.value.deadline)
            return next.value.action
        }
    }
}

/// Wakes one sleeper once, whether the bell or the sleeper comes first.
private final class WakeUp: Sendable {
    private enum State {
        case silent
        case waiting(CheckedContinuation<Void, Never>)
        case rung
    }

    private let state = Mutex(State.silent)

    func ring() {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .rung }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        sleeper?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasRung = state.withLock { state -> Bool in
                if case .rung = state { return true }
                state = .waiting(continuation)
                return false
            }
            if hasRung { continuation.resume() }
        }
    }
}
