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
}

/// Holds the engine of a backend, and replaces it if one of its calls does not return.
///
/// Open items then end with `engineStuck`, and the new engine performs the commands that the old one had not started.
package final class EngineHost<Engine: BackendEngine>: Sendable {
    /// The parts of a new engine.
    package struct Parts {
        package let queue: WatchdogQueue
        package let settings: BackendSettings
        /// Sends an event. Called on the queue.
        package let send: @Sendable (BackendEvent) -> Void
    }

    // Guarded by `state`: events are sent under the lock, so that nothing follows the end that the watchdog has
    // reported.
    private struct State {
        var receive: @Sendable (BackendEvent) -> Void = { _ in }
        var engine: Engine?
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
            switch event.body {
            case .ended, .failed, .closed: loads[event.generation] = nil
            case .playing(let position), .paused(let position), .stalled(let position), .time(let position),
                .seeked(let position):
                guard case .failed(let error, _)? = loads[event.generation] else { return }
                loads[event.generation] = .failed(error, position: position)
            default: break
            }
        }
    }

    private let state = Mutex(State())
    private let makeQueue: @Sendable (@escaping @Sendable (WatchdogQueue) -> Void) -> WatchdogQueue
    private let make: @Sendable (Parts) -> Engine
    private let reportStuck: @Sendable () -> PlaybackNotice

    /// - Parameters:
    ///   - label: the name of the engine's queue.
    ///   - callTimeout: the longest time for a call of the engine, in seconds.
    ///   - idleCallTimeout: the same while no thread of the process has a core or waits for one; by default `callTimeout`.
    ///   - make: creates an engine.
    ///   - reportStuck: called when an engine is left behind. Returns the notice for the host.
    package init(
        label: String, callTimeout: Double, idleCallTimeout: Double? = nil,
        make: @escaping @Sendable (Parts) -> Engine, reportStuck: @escaping @Sendable () -> PlaybackNotice
    ) {
        makeQueue = { WatchdogQueue(label: label, timeout: callTimeout, idleTimeout: idleCallTimeout, stuck: $0) }
        self.make = make
        self.reportStuck = reportStuck
        let engine = makeEngine(BackendSettings())
        state.withLock { $0.engine = engine }
    }

    deinit {
        let (engine, receive) = state.withLock { ($0.engine, $0.receive) }
        engine?.perform { engine in
            engine.shutDown()
            // The release of the handler shows that everything is closed.
            withExtendedLifetime(receive) {}
        }
    }

    /// Runs the work on the queue of the current engine.
    package func async(_ work: @escaping @Sendable () -> Void) { state.withLock(\.engine)?.queue.async(work) }

    // MARK: PlaybackBackend

    package func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) {
        state.withLock { $0.receive = receive }
    }

    package func send(_ command: BackendCommand) {
        state.withLock { state in
            state.pending.append(command)
            performNext(state)
        }
    }

    package func setVideoOutput(_ output: VideoOutput) {
        let engine = state.withLock { state in
            state.settings.videoOutput = output
            return state.engine
        }
        engine?.perform { $0.setVideoOutput(output) }
    }

    // MARK: The engine

    /// The queue identifies the engine: reports of an engine that was left behind are dropped.
    private func makeEngine(_ settings: BackendSettings) -> Engine {
        let queue = makeQueue { [weak self] in self?.replaceEngine(on: $0) }
        return make(
            Parts(queue: queue, settings: settings) { [weak self] event in
                self?.receive(event, from: queue)
            })
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
        let notice = reportStuck()
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
            state.engine = makeEngine(state.settings)
            for _ in state.pending { performNext(state) }
        }
    }
}
