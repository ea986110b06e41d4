import Foundation

/// Plays each item with the first of several engines that can.
///
/// If an engine cannot play the format of an item, the next one that claims the item opens it, once. The position, the
/// intent, the settings, the selected tracks and the video output stay. The player sees a notice. If the other engine
/// fails too, its error names the first engine's.
///
/// All state belongs to one task, because an engine may hold a lock while it reports an event.
package final class AutomaticBackend: PlaybackBackend {
    package let capabilities: BackendCapabilities
    private let inputs: AsyncStream<EngineSelection.Input>.Continuation

    /// - Parameter engines: the engines in the order of their use. Not empty.
    package init(engines: [BackendDescriptor]) {
        let first = engines[0].make()
        capabilities = first.capabilities
        let (stream, inputs) = AsyncStream.makeStream(of: EngineSelection.Input.self)
        self.inputs = inputs
        Task.detached(priority: .userInitiated) {
            let selection = EngineSelection(engines: engines, first: first, inputs: inputs)
            for await input in stream { selection.handle(input) }
        }
    }

    deinit { inputs.finish() }

    package func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { inputs.yield(.start(receive)) }

    package func send(_ command: BackendCommand) { inputs.yield(.command(command)) }

    package func setVideoOutput(_ output: VideoOutput) { inputs.yield(.output(output)) }
}

/// Passes commands to one engine and its events to the player, and replaces the engine.
private final class EngineSelection {
    enum Input: Sendable {
        case start(@Sendable (BackendEvent) -> Void)
        case command(BackendCommand)
        case output(VideoOutput)
        /// From the engine of that number.
        case event(BackendEvent, engine: Int)
    }

    /// The errors after which another engine may succeed.
    private static let refusals: Set<PlaybackErrorCode> = [
        .unrecognisedFormat, .noPlayableStream, .unsupportedCodec, .unsupportedScheme, .backendUnavailable,
    ]

    private let engines: [BackendDescriptor]
    private let inputs: AsyncStream<Input>.Continuation
    private var receive: @Sendable (BackendEvent) -> Void = { _ in }
    private var output = VideoOutput.none
    private var recovery = EngineRecovery()
    private var backend: any PlaybackBackend
    /// The place of the current engine in the list.
    private var index = 0
    /// The number of the current engine. Events of earlier ones are dropped.
    private var number = 0
    private var request: OpenRequest?
    /// `true` if the current engine has opened the item of the request.
    private var isOpened = false
    /// The generation that the current engine prepares.
    private var prepared: Generation?
    /// The failure of an item that the current engine should have prepared.
    private var refusedPreload: BackendEvent?
    /// The refusal of the engine that opened the item first.
    private var refusal: RecoveryAttempt?

    init(engines: [BackendDescriptor], first: any PlaybackBackend, inputs: AsyncStream<Input>.Continuation) {
        self.engines = engines
        self.inputs = inputs
        backend = first
        start(first)
    }

    func handle(_ input: Input) {
        switch input {
        case .start(let receive): self.receive = receive
        case .command(let command): perform(command)
        case .output(let output):
            self.output = output
            backend.setVideoOutput(output)
        case .event(let event, let number): if number == self.number { handle(event) }
        }
    }

    // MARK: Commands

    private func perform(_ command: BackendCommand) {
        switch command {
        case .open(let request): return open(request)
        case .prepare(let request, _):
            // Without an answer, the item is opened when its turn comes.
            guard backend.capabilities.can(.preparing), candidates(for: request).contains(index) else { return }
            prepared = request.generation
        default: break
        }
        recovery.record(command)
        backend.send(command)
    }

    private func open(_ request: OpenRequest) {
        let isKnown = prepared == request.generation || isOpened && self.request?.item.id == request.item.id
        let first = candidates(for: request).first ?? index
        let (before, now) = (self.request?.generation, ContinuousClock().hostTime)
        self.request = request
        (isOpened, prepared, refusal) = (false, nil, nil)
        recovery.record(.open(request))
        if let failure = refusedPreload, failure.generation == request.generation {
            // The engine has ended this generation, so it cannot open it.
            if let before { backend.send(.close(before)) }
            handle(BackendEvent(failure.body, generation: failure.generation, hostTime: now))
        } else if isKnown || first == index {
            backend.send(.open(request))
        } else {
            send(recovery.endOthers(), at: now)
            use(first, for: request.generation, at: now)
        }
    }

    /// The places of the engines that claim an item.
    private func candidates(for request: OpenRequest) -> [Int] {
        engines.indices.filter { engines[$0].claims(request.url) }
    }

    private func use(_ index: Int, for generation: Generation, at time: Duration) {
        let capabilities = backend.capabilities
        self.index = index
        refusedPreload = nil
        backend = engines[index].make()
        start(backend)
        backend.setVideoOutput(output)
        if backend.capabilities != capabilities {
            send([(generation, .capabilitiesChanged(backend.capabilities))], at: time)
        }
        for command in recovery.commands() { backend.send(command) }
    }

    private func start(_ backend: any PlaybackBackend) {
        number += 1
        backend.start { [inputs, number] in inputs.yield(.event($0, engine: number)) }
    }

    // MARK: Events

    private func handle(_ event: BackendEvent) {
        guard recovery.isCurrent(event) else { return }
        var body = event.body
        if case .failed(let error, let position) = body {
            let isRefusal = Self.refusals.contains(error.code)
            if isRefusal, event.generation != request?.generation {
                // Another engine opens a prepared item when its turn comes.
                if event.generation == prepared {
                    refusedPreload = event
                    return
                }
                body = .closed
            } else if isRefusal, refusal == nil, useNext(after: error, event) {
                return
            } else if let refusal {
                body = .failed(error.after(refusal), position: position)
            }
        } else if case .opened = body {
            isOpened = true
        }
        let reaction = recovery.handle(BackendEvent(body, generation: event.generation, hostTime: event.hostTime))
        send(reaction.events.map { (event.generation, $0) }, at: event.hostTime)
        for command in reaction.commands { backend.send(command) }
    }

    /// Opens the item with another engine that claims it. Returns `false` if there is none.
    private func useNext(after error: PlaybackError, _ event: BackendEvent) -> Bool {
        guard let request, request.generation == event.generation,
            let next = candidates(for: request).first(where: { $0 != index })
        else { return false }
        let (name, other) = (engines[index].name.rawValue, engines[next].name.rawValue)
        let message = "The engine \(name) cannot play this item. Trying the engine \(other)."
        refusal = .engine(name: name, summary: error.summary)
        if let prepared { recovery.record(.close(prepared)) }
        prepared = nil
        send(
            recovery.interrupt(PlaybackNotice(code: "engineChanged", message: message), at: event.hostTime),
            at: event.hostTime)
        use(next, for: request.generation, at: event.hostTime)
        return true
    }

    private func send(_ events: [(Generation, BackendEvent.Body)], at time: Duration) {
        for (generation, body) in events { receive(BackendEvent(body, generation: generation, hostTime: time)) }
    }
}
