import Playback
import Synchronization

/// A clock that stands still until a test moves it.
///
/// `advance(by:)` lets everything happen in its order that is due meanwhile. Before each step it waits until all have
/// dealt with the one before: the players whose simulated backends keep this clock, and those who read the events of
/// players with this clock as a stream. Tasks that sleep by this clock get their turn when they wake. Hours pass in an
/// instant, and the outcome is always the same.
///
/// A reader that is busy with something else for a quarter of a second of real time is no longer waited for until it reads again.
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

    private struct Timer {
        let id: Int
        let deadline: Duration
        /// Who sleeps until then; `nil` if nobody does, and only the action is to be run.
        let sleeper: TaskIdentity?
        let action: @Sendable () -> Void
    }

    private struct Participant {
        weak var value: (any StepParticipant)?
    }

    private struct State {
        var now = Duration.zero
        var lastID = 0
        /// The earliest first; of several at once, the one that was scheduled first.
        var timers: [Timer] = []
        var participants: [Participant] = []
    }

    private let state = Mutex(State())

    /// A clock that stands at zero.
    public init() {}

    public var now: Instant { Instant(offset: hostTime) }
    public var hostTime: Duration { state.withLock { $0.now } }
    public var minimumResolution: Duration { .zero }

    /// Moves the time on. Returns when all that became due has been handled.
    ///
    /// - Parameter duration: not negative.
    public nonisolated(nonsending) func advance(by duration: Duration) async {
        await advance(by: duration) { false }
    }

    /// Moves the time on until something is the case, and stops at that moment.
    ///
    /// - Parameters:
    ///   - bound: how far to move at most.
    ///   - condition: asked at the beginning and after each step.
    /// - Returns: `false` if it was not the case within the bound.
    @discardableResult
    public nonisolated(nonsending) func advance(by bound: Duration, until condition: () -> Bool) async -> Bool {
        let end = hostTime + bound
        await giveWay()
        await settle()
        while !condition() {
            guard let timer = nextTimer(until: end) else {
                state.withLock { $0.now = max($0.now, end) }
                await settle()
                return condition()
            }
            timer.action()
            if timer.sleeper != nil { await giveWay() }
            await settle()
        }
        return true
    }

    /// Waits until the players, and those who read their events, have handled what is due now, without moving the time.
    public nonisolated(nonsending) func settle() async {
        var isSettled = false
        while !isSettled {
            isSettled = true
            for participant in participants where await participant.settle(by: self) {
                // What it did may concern those that were asked before it.
                isSettled = false
            }
        }
    }

    private var participants: [any StepParticipant] {
        state.withLock { state in
            let present = state.participants.compactMap(\.value)
            if present.count < state.participants.count { state.participants.removeAll { $0.value == nil } }
            return present
        }
    }

    /// Whether anything waits for the time to move on.
    public var isAwaited: Bool { state.withLock { !$0.timers.isEmpty } }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        guard deadline.offset > hostTime else { return try Task.checkCancellation() }
        let wakeUp = WakeUp()
        let id = schedule(at: deadline.offset, sleeper: .current) { wakeUp.ring() }
        await withTaskCancellationHandler {
            await wakeUp.wait()
        } onCancel: {
            cancel(id)
            wakeUp.ring()
        }
        try Task.checkCancellation()
    }

    /// Runs an action when the time comes, or with the next move if it has.
    ///
    /// - Parameter sleeper: the task that the action wakes.
    func schedule(at deadline: Duration, sleeper: TaskIdentity? = nil, _ action: @escaping @Sendable () -> Void) -> Int
    {
        state.withLock { state in
            state.lastID += 1
            let timer = Timer(id: state.lastID, deadline: deadline, sleeper: sleeper, action: action)
            let index = state.timers.firstIndex { $0.deadline > deadline } ?? state.timers.count
            state.timers.insert(timer, at: index)
            return timer.id
        }
    }

    func cancel(_ id: Int) {
        state.withLock { state in
            if let index = state.timers.firstIndex(where: { $0.id == id }) { state.timers.remove(at: index) }
        }
    }

    private func nextTimer(until end: Duration) -> Timer? {
        state.withLock { state in
            guard let timer = state.timers.first, timer.deadline <= end else { return nil }
            state.timers.removeFirst()
            state.now = max(state.now, timer.deadline)
            return timer
        }
    }

    /// Lets tasks that have just been made or woken do what they do at once: nothing tells when they have.
    private nonisolated(nonsending) func giveWay() async {
        for _ in 1...20 { await Task.yield() }
    }
}

extension ManualClock: SteppedClock {
    package func join(_ participant: any StepParticipant) {
        state.withLock { $0.participants.append(Participant(value: participant)) }
    }

    package func isAwaited(by task: TaskIdentity) -> Bool {
        state.withLock { $0.timers.contains { $0.sleeper == task } }
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
