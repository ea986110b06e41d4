#if VLC
import Foundation
import MediaTransport
import Playback
import Synchronization

/// Plays with libVLC 3.
///
/// Without a display or an audio device, playback runs on the clock, and a notice reports that once.
///
/// The work is done by a `VLCEngine` on its own queue. If a call of libVLC hangs, the backend leaves that engine behind
/// and creates another one. Open items then end with `engineStuck`, and the new engine performs the commands that the
/// old one had not started.
public final class LibVLCBackend: PlaybackBackend {
    // Guarded by `state`: events are sent under the lock, so that nothing follows the end that the watchdog has
    // reported.
    private struct State {
        var receive: @Sendable (BackendEvent) -> Void = { _ in }
        var engine: VLCEngine?
        /// The settings, also for an engine that replaces another one.
        var settings = VLCSettings()
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

    private static let abandoned = Atomic(0)

    /// libVLC chooses between exact and fast seeks once for each item, not for each seek.
    public let capabilities = BackendCapabilities(
        features: Set(BackendCapabilities.Feature.allCases).subtracting([.keyframeSeeking]))
    private let audioOutput: AudioOutput
    private let callTimeout: Double
    private let idleCallTimeout: Double?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - audioOutput: the output for audio.
    ///   - callTimeout: the longest time for a call of libVLC, in seconds. After it the item fails with `engineStuck`,
    ///     and another engine plays the next item.
    ///   - idleCallTimeout: the same while no thread of the process has a core or waits for one; by default `callTimeout`.
    public init(audioOutput: AudioOutput = .auto, callTimeout: Double = 8, idleCallTimeout: Double? = nil) {
        self.audioOutput = audioOutput
        self.callTimeout = callTimeout
        self.idleCallTimeout = idleCallTimeout
        ProcessMemory.limitHeaps
        let engine = makeEngine(VLCSettings())
        state.withLock { $0.engine = engine }
        VLCExit.prepare
        // libVLC starts and its modules are loaded before the first item arrives.
        engine.queue.async {
            VLCExit.start {
                VLCModulePreload.loadCxxModules
                VLCExit.prepareWithLibraries
                VLCModulePreload.start()
                _ = VLCInstance.shared
            }
        }
    }

    deinit {
        let (engine, receive) = state.withLock { ($0.engine, $0.receive) }
        engine?.perform { engine in
            engine.shutDown()
            // The release of the handler shows that everything is closed.
            withExtendedLifetime(receive) {}
        }
    }

    public func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { state.withLock { $0.receive = receive } }

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

    /// The number of engines in this process that were left behind, because a call did not return.
    public static var abandonedEngines: Int { abandoned.load(ordering: .relaxed) }

    /// The descriptor for `BackendRegistry`.
    public static func descriptor(audioOutput: AudioOutput = .auto) -> BackendDescriptor {
        BackendDescriptor(
            name: .vlc, summary: "libVLC 3: files and streams in nearly every format",
            schemes: VLCModules.schemes, installation: { VLCModules.installation },
            make: { LibVLCBackend(audioOutput: audioOutput) })
    }

    // MARK: The engine

    /// The queue identifies the engine: reports of an engine that was left behind are dropped.
    private func makeEngine(_ settings: VLCSettings) -> VLCEngine {
        let queue = WatchdogQueue(label: "swift-flowplayer.vlc", timeout: callTimeout, idleTimeout: idleCallTimeout) {
            [weak self] in self?.replaceEngine(on: $0)
        }
        return VLCEngine(queue: queue, audioOutput: audioOutput, settings: settings) { [weak self] event in
            self?.receive(event, from: queue)
        }
    }

    /// Lets the engine perform one more of the pending commands.
    private func performNext(_ state: borrowing State) {
        state.engine?.perform { [weak self] engine in
            guard let (command, settings) = self?.beginCommand(on: engine.queue) else { return }
            engine.handle(command, settings)
            self?.endCommand(on: engine.queue)
        }
    }

    private func beginCommand(on queue: WatchdogQueue) -> (BackendCommand, VLCSettings)? {
        state.withLock { state -> (BackendCommand, VLCSettings)? in
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
        let count = Self.abandoned.wrappingAdd(1, ordering: .relaxed).newValue
        VLCInstance.renew()
        let time = ContinuousClock().hostTime
        let notice = PlaybackNotice(
            code: "engineStuck",
            message: "A call of libVLC did not return. Its engine was replaced (\(count) in this process so far).")
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

extension BackendName {
    /// libVLC, the default.
    public static let vlc: BackendName = "vlc"
}
#endif
