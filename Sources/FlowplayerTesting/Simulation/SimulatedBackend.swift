import Foundation
import Playback
import Synchronization

/// A backend that plays scripts instead of files: the same events, in the same order, without media.
///
/// With a `ManualClock` it plays in virtual time; with a `ContinuousClock`, in real time.
public final class SimulatedBackend: PlaybackBackend {
    public let capabilities: BackendCapabilities
    /// All features except video output and crossfades.
    public static let everything = BackendCapabilities(
        features: Set(BackendCapabilities.Feature.allCases).subtracting([.window, .frames, .crossfading]))

    private struct Timer {
        let deadline: Duration
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var stage: SimulatedStage
        var receive: @Sendable (BackendEvent) -> Void = { _ in }
        /// Events that are not sent yet. `send` never sends any itself.
        var pending: ArraySlice<BackendEvent> = []
        /// `true` while `wake` sends events.
        var isSending = false
        var commands: [BackendCommand] = []
        var timer: Timer?
    }

    private let clock: any PlaybackClock
    private let state: Mutex<State>

    /// - Parameters:
    ///   - clock: the clock of the scripts.
    ///   - capabilities: the declared capabilities.
    ///   - script: the script of each address.
    public init(
        clock: any PlaybackClock = ContinuousClock(), capabilities: BackendCapabilities = SimulatedBackend.everything,
        script: @escaping @Sendable (URL) -> SimulatedMedia
    ) {
        self.clock = clock
        self.capabilities = capabilities
        state = Mutex(State(stage: SimulatedStage(script: script)))
    }

    /// Every address has the same script.
    public convenience init(
        clock: any PlaybackClock = ContinuousClock(), capabilities: BackendCapabilities = SimulatedBackend.everything,
        media: SimulatedMedia = SimulatedMedia()
    ) {
        self.init(clock: clock, capabilities: capabilities, script: { _ in media })
    }

    /// The first opening plays the first script, the next one the second. The last script is for all later openings.
    ///
    /// For tests in which another attempt has another outcome.
    ///
    /// - Parameter openings: not empty.
    public convenience init(
        clock: any PlaybackClock = ContinuousClock(), capabilities: BackendCapabilities = SimulatedBackend.everything,
        openings: [SimulatedMedia]
    ) {
        let coming = Mutex(openings[...])
        self.init(clock: clock, capabilities: capabilities) { _ in
            coming.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? SimulatedMedia() }
        }
    }

    deinit { state.withLock { $0.timer?.cancel() } }

    public func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) {
        state.withLock { $0.receive = receive }
    }

    /// Every command so far, the oldest first.
    public var commands: [BackendCommand] { state.withLock { $0.commands } }

    public func send(_ command: BackendCommand) {
        run { state, now in
            state.commands.append(command)
            return state.stage.handle(command, at: now)
        }
    }

    public func setVideoOutput(_ output: VideoOutput) {}

    // MARK: The environment

    /// Begins an interruption, which also affects items that are opened meanwhile.
    public func beginInterruption() {
        run { $0.stage.perform(at: $1, isInterrupted: true) { $0.beginInterruption() } }
    }

    /// Ends the interruption.
    ///
    /// - Parameter shouldResume: `true` to resume playback.
    public func endInterruption(shouldResume: Bool = true) {
        run { $0.stage.perform(at: $1, isInterrupted: false) { $0.endInterruption(shouldResume: shouldResume) } }
    }

    /// Moves the audio to another device. Reported if an item is open.
    public func changeRoute(_ change: AudioRouteChange) { run { $0.stage.perform(at: $1) { $0.changeRoute(change) } } }

    private func run(_ body: (inout State, Duration) -> [BackendEvent]) {
        let now = clock.hostTime
        state.withLock { state in
            state.pending += body(&state, now)
            schedule(&state, at: now)
        }
    }

    /// Schedules the next `wake`: at once if events are pending.
    private func schedule(_ state: inout State, at now: Duration) {
        let deadline = state.pending.isEmpty ? state.stage.deadline : min(now, state.timer?.deadline ?? now)
        guard deadline != state.timer?.deadline else { return }
        state.timer?.cancel()
        state.timer = deadline.map { Timer(deadline: $0, cancel: timer(at: $0)) }
    }

    /// - Returns: a closure that cancels the timer.
    private func timer(at deadline: Duration) -> @Sendable () -> Void {
        if let manual = clock as? ManualClock {
            let id = manual.addTimer(at: deadline) { [weak self] in self?.wake() }
            return { manual.cancel(id) }
        }
        let task = Task { [weak self, clock] in
            try await clock.sleep(for: deadline - clock.hostTime)
            self?.wake()
        }
        return { task.cancel() }
    }

    /// Sends all events that are due, in order. A `ManualClock` calls this on the main actor.
    private func wake() {
        let mustSend = state.withLock { state in
            state.timer = nil
            state.pending += state.stage.advance(to: clock.hostTime)
            defer { state.isSending = true }
            return !state.isSending
        }
        guard mustSend else { return }
        while let (event, receive) = nextEvent() { receive(event) }
    }

    /// The next event to send. Without one, schedules the next `wake`.
    private func nextEvent() -> (BackendEvent, @Sendable (BackendEvent) -> Void)? {
        state.withLock { state in
            if let event = state.pending.popFirst() { return (event, state.receive) }
            state.isSending = false
            schedule(&state, at: clock.hostTime)
            return nil
        }
    }
}
