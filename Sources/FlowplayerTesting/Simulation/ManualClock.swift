import Playback
import Synchronization

/// A clock that moves only when a test moves it.
///
/// `advance(by:)` runs everything that becomes due, in order, on the main actor. Simulated backends with this clock send
/// their events meanwhile, and players handle them at once. Hours pass in an instant, and the outcome is always the same.
///
/// A task that sleeps by this clock, or reads a stream of events, runs on its own once it is woken. A test that depends
/// on such a task awaits it: its value, an event that it brings about, or `untilSleeping()`.
public final class ManualClock: PlaybackClock {
    /// A moment of one clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// The moment at an offset from the creation of the clock.
        public init(offset: Duration) { self.offset = offset }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct Timer {
        let id: Int
        let deadline: Duration
        let isSleeper: Bool
        let action: @MainActor @Sendable () -> Void
    }

    private struct State {
        var now = Duration.zero
        var lastID = 0
        /// The earliest first. Timers with the same deadline stay in the order in which they were scheduled.
        var timers: [Timer] = []
        /// The calls of `untilSleeping` that wait.
        var waiting: [Flag] = []
    }

    private let state = Mutex(State())

    /// A clock at zero.
    public init() {}

    public var now: Instant { Instant(offset: hostTime) }
    public var hostTime: Duration { state.withLock { $0.now } }
    public var minimumResolution: Duration { .zero }

    /// Advances the time. Returns when everything that became due has run.
    ///
    /// - Parameter duration: not negative.
    public nonisolated(nonsending) func advance(by duration: Duration) async {
        await advance(by: duration) { false }
    }

    /// Advances the time until a condition is true, and stops at that moment.
    ///
    /// - Parameters:
    ///   - bound: the longest time to move.
    ///   - condition: checked at the beginning and after each step.
    /// - Returns: `false` if the condition did not become true within the bound.
    @discardableResult
    public nonisolated(nonsending) func advance(by bound: Duration, until condition: () -> Bool) async -> Bool {
        let end = hostTime + bound
        while !condition() {
            guard let timer = nextTimer(until: end) else {
                state.withLock { $0.now = max($0.now, end) }
                return condition()
            }
            await timer.action()
        }
        return true
    }

    /// Runs everything that is due now, without advancing the time.
    public nonisolated(nonsending) func settle() async { await advance(by: .zero) }

    /// `true` if anything waits for a later time.
    public var isAwaited: Bool { state.withLock { !$0.timers.isEmpty } }

    /// Waits until a task sleeps by this clock. Returns at once if one does.
    public func untilSleeping() async {
        let isSleeping = Flag()
        state.withLock { state in
            guard state.timers.contains(where: \.isSleeper) else { return state.waiting.append(isSleeping) }
            isSleeping.raise()
        }
        await isSleeping.wait()
    }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        guard deadline.offset > hostTime else { return try Task.checkCancellation() }
        let wakeUp = Flag()
        let id = addTimer(at: deadline.offset, isSleeper: true) { wakeUp.raise() }
        await withTaskCancellationHandler {
            await wakeUp.wait()
        } onCancel: {
            cancel(id)
            wakeUp.raise()
        }
        try Task.checkCancellation()
    }

    public func schedule(
        at time: Duration, _ action: @escaping @MainActor @Sendable () -> Void
    ) -> ObservationToken {
        let id = addTimer(at: time, action)
        return ObservationToken { [weak self] in self?.cancel(id) }
    }

    /// Runs an action when its time comes. An action that is due already runs with the next move.
    func addTimer(
        at deadline: Duration, isSleeper: Bool = false, _ action: @escaping @MainActor @Sendable () -> Void
    ) -> Int {
        state.withLock { state in
            state.lastID += 1
            let timer = Timer(id: state.lastID, deadline: deadline, isSleeper: isSleeper, action: action)
            let index = state.timers.firstIndex { $0.deadline > deadline } ?? state.timers.count
            state.timers.insert(timer, at: index)
            if isSleeper {
                for waiting in state.waiting { waiting.raise() }
                state.waiting = []
            }
            return timer.id
        }
    }

    func cancel(_ id: Int) {
        state.withLock { $0.timers.removeAll { $0.id == id } }
    }

    private func nextTimer(until end: Duration) -> Timer? {
        state.withLock { state in
            guard let timer = state.timers.first, timer.deadline <= end else { return nil }
            state.timers.removeFirst()
            state.now = max(state.now, timer.deadline)
            return timer
        }
    }
}

extension MediaPlayer {
    /// Seeks without waiting for the end of the seek.
    ///
    /// In async code, `seek(to:)` waits. A test that advances the clock itself would wait forever.
    public func startSeek(to seconds: Double, tolerance: SeekTolerance = .exact) {
        seek(to: seconds, tolerance: tolerance)
    }
}
