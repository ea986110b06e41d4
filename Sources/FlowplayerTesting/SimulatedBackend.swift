import Foundation
import Playback
import Synchronization

/// A backend that plays scripts instead of files: the same events, in the same order, without media.
///
/// With a `ManualClock` it plays in virtual time; with a `ContinuousClock`, in real time.
public final class SimulatedBackend: PlaybackBackend {
    public let capabilities: BackendCapabilities
    /// Everything but pictures, which it has none of.
    public static let everything = BackendCapabilities(
        features: Set(BackendCapabilities.Feature.allCases).subtracting([.window, .frames]))

    private struct State {
        var engine: SimulatedEngine
        var commands: [BackendCommand] = []
        var timer: (@Sendable () -> Void)?
    }

    private let clock: any PlaybackClock
    private let state: Mutex<State>
    private let queue = EventQueue<BackendEvent>()

    /// - Parameters:
    ///   - clock: by which the scripts play.
    ///   - capabilities: what it declares that it can do.
    ///   - script: what each address stands for.
    public init(
        clock: any PlaybackClock = ContinuousClock(), capabilities: BackendCapabilities = SimulatedBackend.everything,
        script: @escaping @Sendable (URL) -> SimulatedMedia
    ) {
        self.clock = clock
        self.capabilities = capabilities
        state = Mutex(State(engine: SimulatedEngine(script: script)))
        (clock as? ManualClock)?.join { [queue] in await queue.settle() }
    }

    /// Every address stands for the same medium.
    public convenience init(
        clock: any PlaybackClock = ContinuousClock(), capabilities: BackendCapabilities = SimulatedBackend.everything,
        media: SimulatedMedia = SimulatedMedia()
    ) {
        self.init(clock: clock, capabilities: capabilities, script: { _ in media })
    }

    deinit {
        state.withLock { $0.timer?() }
        queue.finish()
    }

    public var events: AsyncStream<BackendEvent> { queue.makeStream() }

    /// Every command so far, the oldest first.
    public var commands: [BackendCommand] { state.withLock { $0.commands } }

    public func send(_ command: BackendCommand) {
        run { state, now in
            state.commands.append(command)
            return state.engine.handle(command, at: now)
        }
    }

    public func setVideoOutput(_ output: VideoOutput) {}

    private func run(_ body: (inout State, Duration) -> [BackendEvent]) {
        let now = clock.hostTime
        state.withLock { state in
            for event in body(&state, now) { queue.push(event) }
            state.timer?()
            state.timer = state.engine.deadline.map { schedule(at: $0) }
        }
    }

    /// Gives what cancels it.
    private func schedule(at deadline: Duration) -> @Sendable () -> Void {
        if let manual = clock as? ManualClock {
            let id = manual.schedule(at: deadline) { [weak self] in self?.wake() }
            return { manual.cancel(id) }
        }
        let task = Task { [weak self, clock] in
            try await clock.sleep(for: deadline - clock.hostTime)
            self?.wake()
        }
        return { task.cancel() }
    }

    private func wake() {
        run { state, now in state.engine.advance(to: now) }
    }
}
