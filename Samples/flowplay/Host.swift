import EventLog
import FlowplayerSDK
import Foundation
import NowPlaying
import TerminalLifecycle

/// Plays the items of the command line, and handles keys and signals.
@MainActor
final class Host: FlowplayerDelegate {
    private let options: Options
    private let program: Program
    private let view: FlowplayerView
    private let display: any Display
    private let outputs: EventOutputs
    private let lifecycle = ApplicationLifecycle.shared
    private var job: TerminalLifecycle?

    /// The values of the last events. The player's own values may be newer.
    private var status = Status(state: .idle, position: 0, duration: nil, volume: 1, rate: 1)
    private var background: BackgroundReport
    private var interruptions = InterruptionReport()
    private var hasPlayed = false
    private var hasFailed: Bool

    private var ending: CheckedContinuation<ExitStatus, Never>?
    private var endStatus: ExitStatus?
    private var tasks: [Task<Void, any Error>] = []
    private var observations: [ObservationToken] = []

    init(options: Options, backend: BackendName, program: Program) throws {
        self.options = options
        self.program = program
        hasFailed = program.hasFailed
        background = BackgroundReport(resumes: options.resume, showsVideo: !options.noVideo)
        view = FlowplayerView(backend: backend)
        view.id = "flowplay"
        outputs = try EventOutputs(options)
        if options.quiet || outputs.usesStandardOutput {
            display = NoDisplay()
        } else if isatty(0) == 1, isatty(1) == 1 {
            display = StatusDisplay()
        } else {
            display = PlainDisplay()
        }
    }

    func run() async throws -> ExitStatus {
        setUpView()
        publishToDesktop()
        let signals = Signals { [weak self] in self?.handle($0) }
        let keys = KeyControls(view: view, display: display) { [weak self] in self?.endByRequest() }
        let terminal = display.wantsKeys ? Terminal { keys.handle($0) } : nil
        let job = TerminalLifecycle(
            lifecycle: lifecycle, leaveScreen: { terminal?.leave() },
            enterScreen: { [weak self] in
                terminal?.enter()
                self?.updateVisibility()
            }, keepsPlaying: { [view] in view.avPlayer?.snapshot.shouldPlay == true })
        self.job = job
        if job.isBehindShell { display.setVisible(false) } else { terminal?.enter() }
        view.delegate = self
        observations = [view.avPlayer?.observe { [weak self] in self?.reportAudio($0, $1) }].compactMap(\.self)
        let events = view.events
        tasks.append(Task { [weak self] in for await event in events { self?.report(event) } })

        let status = await withCheckedContinuation { continuation in
            ending = continuation
            load(program.items)
            observations.append(lifecycle.follow { [weak self] in self?.backgroundDidChange($0) })
        }

        for observation in observations { observation.cancel() }
        for task in tasks { task.cancel() }
        // A finished item needs no stop, and the log ends with its end.
        if view.state != .complete, view.state != .failure { view.stop() }
        display.end()
        terminal?.leave()
        signals.cancel()
        job.cancel()
        outputs.finish()
        return status
    }

    private func setUpView() {
        outputs.attach(to: view)
        if options.noVideo { view.videoOutput = .none }
        view.autoPlay = true
        view.volume = Float(options.volume / 100)
        view.isMuted = options.mute
        view.rate = Float(options.rate)
        view.avPlayer?.audioRole = options.role
        view.avPlayer?.urlProvider = options.renew.map { RenewCommand(command: $0) }
        view.backgroundPolicy = options.background.policy
        view.resumesAfterBackground = options.resume
    }

    /// Publishes the player over MPRIS, if there is a session bus.
    private func publishToDesktop() {
        guard !options.noMPRIS, let queue = view.queue else { return }
        let center = NowPlayingCenter.shared
        center.identity = NowPlayingIdentity(name: "flowplay", displayName: "flowplay")
        center.quitHandler = { [weak self] in self?.endByRequest() }
        center.attach(queue)
    }

    private func load(_ items: [PlayerItem]) {
        guard !items.isEmpty, let queue = view.queue else { return end(.itemFailed) }
        queue.repeatMode = options.repeatMode
        queue.crossfade = options.crossfade
        guard options.shuffle else { return queue.load(items, autoPlay: true) }
        let seed = options.shuffleSeed ?? .random(in: 0 ... .max)
        queue.load(items, autoPlay: true, startIndex: Int(seed % UInt64(items.count)))
        queue.shuffle(seed: seed)
    }

    private func end(_ status: ExitStatus) {
        guard endStatus == nil else { return }
        endStatus = status
        ending?.resume(returning: status)
        ending = nil
    }

    private func endByRequest() { end(hasFailed ? .itemFailed : .success) }

    // MARK: Player events

    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        guard endStatus == nil else { return }
        status.state = state
        display.show(status, isNewState: true)
        switch state {
        case .ready: selectSubtitles()
        case .play: playbackDidStart()
        // The queue may already be past this event: an item that could not be preloaded fails at once.
        case .complete, .failure: if view.queue?.isOver == true, state == player.state { endByRequest() }
        default: break
        }
    }

    func player(_ player: any FlowplayerAPI, didChangeItem transition: ItemTransition) {
        guard let queue = view.queue?.queue else { return }
        (status.position, status.duration) = (options.start, nil)
        let place = queue.items.count > 1 ? "[\(transition.index + 1)/\(queue.items.count)] " : ""
        display.begin(place + program.name(of: transition.item))
    }

    func player(_ player: any FlowplayerAPI, didChangeDuration duration: Double) { status.duration = duration }

    func player(_ player: any FlowplayerAPI, didChangePosition position: Double) {
        status.position = position
        redraw()
    }

    func player(_ player: any FlowplayerAPI, didChangeVolume volume: Float) { redraw() }
    func player(_ player: any FlowplayerAPI, didChangeMute isMuted: Bool) { redraw() }
    func player(_ player: any FlowplayerAPI, didChangeRate rate: Float) { redraw() }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        hasFailed = true
        guard let error = error.playbackError else { return }
        display.message("\(error.url ?? "item"): \(error.message)")
    }

    private func report(_ event: PlayerEvent) {
        if case .log(let notice) = event {
            if notice.code == "noDisplay" { background.showsVideo = false }
            if !options.quiet { display.message(notice.message) }
        }
        if outputs.isStandardOutputClosed { return end(.signal(SIGPIPE)) }
        if let error = outputs.error, endStatus == nil {
            display.message(error.description)
            end(.itemFailed)
        }
    }

    /// Reports interruptions and changes of the audio device.
    private func reportAudio(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        guard endStatus == nil, !options.quiet else { return }
        switch event {
        case .interruption(let interruption): display.message(interruptions.text(for: interruption, snapshot))
        case .route(let change): display.message(InterruptionReport.text(for: change))
        default: break
        }
    }

    /// Selects the first subtitle track of the command line. It follows the item's own tracks.
    private func selectSubtitles() {
        let count = program.subtitles.count
        guard count > 0, let first = view.subtitleList.suffix(count).first else { return }
        view.selectTrack(subtitle: first.id)
    }

    /// Starts the timer of `--stop-after` and the script of `--lifecycle`.
    private func playbackDidStart() {
        guard !hasPlayed else { return }
        hasPlayed = true
        if let script = options.lifecycle { tasks.append(Task { [lifecycle] in try await script.run(on: lifecycle) }) }
        guard let seconds = options.stopAfter else { return }
        tasks.append(
            Task { [weak self] in
                try await Task.sleep(for: .seconds(seconds))
                self?.endByRequest()
            })
    }

    private func redraw() {
        (status.volume, status.rate) = (view.isMuted ? nil : Double(view.volume), Double(view.rate))
        if endStatus == nil { display.show(status, isNewState: false) }
    }

    // MARK: Signals

    private func handle(_ signal: Signals.Signal) {
        switch signal {
        case .end(SIGHUP) where job?.outlivesHangUp == true: break
        case .end(let number): end(.signal(number))
        case .resized: redraw()
        }
    }

    // MARK: Foreground and background

    /// Reports the change. The view has already applied its background policy.
    private func backgroundDidChange(_ reasons: Set<BackgroundReason>) {
        guard endStatus == nil, let snapshot = view.avPlayer?.snapshot,
            let text = background.text(for: reasons, snapshot)
        else { return }
        if !reasons.isEmpty { display.setVisible(false) }
        if !options.quiet { display.message(text) }
        updateVisibility()
        guard snapshot.background == .stop else { return }
        // The policy has stopped playback, so the process ends and leaves no job behind.
        job?.cancel()
        endByRequest()
    }

    private func updateVisibility() {
        display.setVisible(!lifecycle.isInBackground && job?.isBehindShell != true)
        redraw()
    }
}
