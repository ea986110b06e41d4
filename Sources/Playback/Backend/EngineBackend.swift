import Foundation
import Synchronization

/// An engine that plays the items of one backend, on a queue with a watchdog.
package protocol BackendEngine: Actor {
    nonisolated var queue: WatchdogQueue { get }
    /// - Parameter settings: those that apply with the command.
    func handle(_ command: BackendCommand, _ settings: BackendSettings)
    func setVideoOutput(_ output: VideoOutput)
    /// Closes everything. Nothing follows.
    func shutDown()
}

extension BackendEngine {
    /// Calls `body` on the engine's queue, after the work that is already there.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated Self) -> Void) {
        queue.async { self.assumeIsolated { body($0) } }
    }

    /// Closes everything after the running call of the engine, also if that call returns after its timeout.
    ///
    /// - Parameter completion: called on the queue.
    fileprivate nonisolated func shutDownUnwatched(completion: @escaping @Sendable () -> Void = {}) {
        queue.asyncUnwatched {
            self.assumeIsolated { $0.shutDown() }
            completion()
        }
    }
}

/// The numbers of engines that were left behind, by the kind of backend. A generic type has no stored static properties.
private let abandonedCounts = Mutex<[ObjectIdentifier: Int]>([:])

/// A backend whose engine works on its own queue, and is replaced if one of its calls does not return.
///
/// Open items then end with `engineStuck`, and the new engine performs the commands that the old one had not started.
///
/// The engines of this package are such backends: `LibVLCBackend` and `LibGStreamerBackend`. For another engine,
/// implement `PlaybackBackend`.
public final class EngineBackend<Library>: PlaybackBackend {
    /// Creates an engine. It calls its last argument with each event, on its queue.
    package typealias Make =
        @Sendable (WatchdogQueue, BackendSettings, @escaping @Sendable (BackendEvent) -> Void) -> any BackendEngine

    // Guarded by `state`: events are sent under the lock, so that nothing follows the end that the watchdog has
    // reported.
    private struct State {
        var receive: @Sendable (BackendEvent) -> Void = { _ in }
        var engine: (any BackendEngine)?
        /// The settings, also for an engine that replaces another one.
        var settings = BackendSettings()
        /// Commands that the engine has not started, in order.
        var pending: [BackendCommand] = []
        var executing: BackendCommand?
        /// The loads that have not ended yet, and their last events if the engine is left behind.
        var loads: [Generation: BackendEvent.Body] = [:]

        mutating func begin(_ command: BackendCommand) {
            executing = command
            settings.apply(command)
            switch command {
            case .open(let request):
                loads = loads.mapValues { _ in .closed }
                let error = PlaybackError(.engineStuck, url: request.url)
                loads[request.generation] = .failed(error, position: request.startPosition)
            case .prepare(let request, _): loads[request.generation] = .closed
            case .close(let generation): if loads[generation] != nil { loads[generation] = .closed }
            default: break
            }
        }

        mutating func update(after event: BackendEvent) {
            if event.body.isTerminal {
                loads[event.generation] = nil
            } else if let position = event.body.position, case .failed(let error, _)? = loads[event.generation] {
                loads[event.generation] = .failed(error, position: position)
            }
        }
    }

    public let capabilities: BackendCapabilities
    private let state = Mutex(State())
    private let makeQueue: @Sendable (@escaping @Sendable (WatchdogQueue) -> Void) -> WatchdogQueue
    private let make: Make
    private let library: String
    private let onStuck: @Sendable () -> Void

    /// - Parameters:
    ///   - label: the name of the engine's queue.
    ///   - library: the name of the engine in messages.
    ///   - callTimeout: the longest time for a call of the engine, in seconds.
    ///   - idleCallTimeout: the same while no thread of the process has a core or waits for one; by default `callTimeout`.
    ///   - onStuck: called when an engine is left behind.
    package init(
        label: String, library: String, capabilities: BackendCapabilities, callTimeout: Double,
        idleCallTimeout: Double? = nil, make: @escaping Make, onStuck: @escaping @Sendable () -> Void = {}
    ) {
        self.capabilities = capabilities
        makeQueue = { WatchdogQueue(label: label, timeout: callTimeout, idleTimeout: idleCallTimeout, stuck: $0) }
        self.make = make
        (self.library, self.onStuck) = (library, onStuck)
        let engine = makeEngine(BackendSettings())
        state.withLock { $0.engine = engine }
    }

    deinit {
        let (engine, receive) = state.withLock { ($0.engine, $0.receive) }
        engine?.shutDownUnwatched {
            // The release of the handler shows that everything is closed.
            withExtendedLifetime(receive) {}
        }
    }

    /// The number of engines of this kind in the process that were left behind, because a call did not return.
    public static var abandonedEngines: Int {
        abandonedCounts.withLock { $0[ObjectIdentifier(Library.self), default: 0] }
    }

    /// Runs the work on the queue of the current engine.
    package func async(_ work: @escaping @Sendable () -> Void) { state.withLock(\.engine)?.queue.async(work) }

    // MARK: PlaybackBackend

    public func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) {
        state.withLock { $0.receive = receive }
    }

    public func send(_ command: BackendCommand) {
        state.withLock { state in
            state.pending.append(command)
            performNext(state)
        }
    }

    public func setVideoOutput(_ output: VideoOutput) {
        let engine = state.withLock { state in
            state.settings.videoOutput = output
            return state.engine
        }
        engine?.perform { $0.setVideoOutput(output) }
    }

    // MARK: The engine

    /// The queue identifies the engine: reports of an engine that was left behind are dropped.
    private func makeEngine(_ settings: BackendSettings) -> any BackendEngine {
        let queue = makeQueue { [weak self] in self?.replaceEngine(on: $0) }
        return make(queue, settings) { [weak self] in self?.receive($0, from: queue) }
    }

    /// Lets the engine perform one more of the pending commands.
    private func performNext(_ state: borrowing State) {
        state.engine?.perform { [weak self] engine in
            guard let (command, settings) = self?.beginCommand(on: engine.queue) else { return }
            engine.handle(command, settings)
            self?.endCommand(on: engine.queue)
        }
    }

    private func beginCommand(on queue: WatchdogQueue) -> (BackendCommand, BackendSettings)? {
        state.withLock { state -> (BackendCommand, BackendSettings)? in
            guard queue === state.engine?.queue, !state.pending.isEmpty else { return nil }
            let command = state.pending.removeFirst()
            state.begin(command)
            return (command, state.settings)
        }
    }

    private func endCommand(on queue: WatchdogQueue) {
        state.withLock { if queue === $0.engine?.queue { $0.executing = nil } }
    }

    private func receive(_ event: BackendEvent, from queue: WatchdogQueue) {
        state.withLock { state in
            guard queue === state.engine?.queue else { return }
            state.update(after: event)
            state.receive(event)
        }
    }

    private func replaceEngine(on queue: WatchdogQueue) {
        onStuck()
        let count = abandonedCounts.withLock { counts in
            counts[ObjectIdentifier(Library.self), default: 0] += 1
            return counts[ObjectIdentifier(Library.self), default: 0]
        }
        let notice = PlaybackNotice(
            code: "engineStuck",
            message: "A call of \(library) did not return. Its engine was replaced (\(count) in this process so far).")
        let time = ContinuousClock().hostTime
        state.withLock { state in
            guard queue === state.engine?.queue else { return }
            // The command hangs while it closes the previous item, so its own item was not opened.
            if case .open(let request)? = state.executing, state.loads.count > 1 {
                state.pending.insert(.open(request), at: 0)
            }
            for case .open(let request) in state.pending { state.loads[request.generation] = nil }
            // The preloaded item ends before the current one fails, because that failure starts the next item.
            let loads = state.loads.sorted { $0.key > $1.key }
            if let oldest = loads.last?.key {
                state.receive(BackendEvent(.notice(notice), generation: oldest, hostTime: time))
            }
            for (generation, end) in loads {
                state.receive(BackendEvent(end, generation: generation, hostTime: time))
            }
            (state.loads, state.executing) = ([:], nil)
            state.engine?.shutDownUnwatched()
            state.engine = makeEngine(state.settings)
            for _ in state.pending { performNext(state) }
        }
    }
}

/// A serial queue that detects work that does not return.
///
/// It is the executor of an engine. While there is work, a timer on another thread checks its age. Work older than
/// the timeout means that a call of the engine hangs: the queue gives up, reports it once, and drops all later work that is watched. With
/// a shorter timeout for an idle process, it gives up earlier if no thread works, because then the call waits for nothing that a busy machine
/// delays.
///
/// Several checks count the age. A clock would also count the time in which the process or the machine is stopped.
package final class WatchdogQueue: SerialExecutor {
    private enum State: Equatable {
        case idle
        /// No work is running, and the timer has not fired yet.
        case watchedIdle
        /// The age in seconds; `nil` before the first check.
        case busy(age: Double?)
        case givenUp
    }

    /// A thread that works may wait for a lock at the moment.
    private static let (neededSamples, sampleInterval) = (3, 0.05)

    private let queue: DispatchQueue
    private let timeout: Double
    private let idleTimeout: Double
    private var checkInterval: Double { idleTimeout / 4 }
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

    /// Runs the work without a timeout, also after the queue has given up.
    package func asyncUnwatched(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    private func run(_ work: () -> Void) {
        let before = state.withLock { state in
            let before = state
            if before != .givenUp { state = .busy(age: nil) }
            return before
        }
        guard before != .givenUp else { return }
        if before == .idle { check(after: checkInterval) }
        work()
        state.withLock { if case .busy = $0 { $0 = .watchedIdle } }
    }

    /// - Parameter idleSamples: how often in a row the process was idle.
    private func check(after seconds: Double, idleSamples: Int = 0) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, let age = countedAge(after: seconds) else { return }
            guard age >= idleTimeout else { return check(after: checkInterval) }
            let samples = age < timeout && ThreadStates.isBusy ? 0 : idleSamples + 1
            if age >= timeout || samples >= Self.neededSamples {
                if giveUp() { stuck(self) } else { check(after: checkInterval) }
            } else {
                check(after: min(Self.sampleInterval, timeout - age), idleSamples: samples)
            }
        }
    }

    /// - Parameter seconds: the time since the last check.
    /// - Returns: the age of the running work in seconds, or `nil` without work.
    private func countedAge(after seconds: Double) -> Double? {
        state.withLock { state in
            guard case .busy(let last) = state else {
                if case .watchedIdle = state { state = .idle }
                return nil
            }
            let age = last.map { $0 + seconds } ?? 0
            state = .busy(age: age)
            return age
        }
    }

    /// Returns `false` if the work has ended meanwhile, and younger work may run.
    private func giveUp() -> Bool {
        state.withLock { state in
            guard case .busy(let age?) = state, age >= idleTimeout else { return false }
            state = .givenUp
            return true
        }
    }
}
