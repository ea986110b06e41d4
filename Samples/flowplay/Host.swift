import EventLog
import FlowplayerSDK
import Foundation
import NowPlaying
import TerminalLifecycle

/// Plays the arguments of the command line, one after another, and answers keys and signals.
@MainActor
final class Host: FlowplayerDelegate {
    private let options: Options
    private let names: [PlayerItem.ID: String]
    private let items: [PlayerItem]
    private let subtitles: [ExternalSubtitle]
    private let view: FlowplayerView
    private let display: any Display
    private let logs: [EventLog]
    private let standardOutputLog: EventLog?
    private let summary: SummaryPlugin?
    /// As it was told last: by then the player may be further.
    private var status = Status(state: .idle, position: 0, duration: nil, volume: 1, rate: 1)
    private var hasPlayed = false
    private var hasFailed = false
    private var ending: CheckedContinuation<ExitStatus, Never>?
    private var endStatus: ExitStatus?
    private var stopTimer: Task<Void, Never>?
    private let lifecycle = ApplicationLifecycle.shared
    private var job: TerminalLifecycle?
    private var report: BackgroundReport
    private var interruptions = InterruptionReport()
    private var script: Task<Void, any Error>?
    private var following: ObservationToken?
    private var hearing: ObservationToken?

    private static let seekStep = 5.0
    private static let volumeStep: Float = 0.05
    private static let rates: [Float] = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4]

    init(options: Options, backend: BackendName, program: Program) throws {
        self.options = options
        hasFailed = program.hasFailed
        report = BackgroundReport(resumes: options.resume)
        let subtitles = try options.subtitles.map { ExternalSubtitle(url: try MediaArgument($0).url) }
        self.subtitles = subtitles
        items = program.entries.map { entry in
            PlayerItem(
                url: entry.item.url, subtitles: subtitles,
                preferredPeakBitRate: options.maxBitRate.map { $0 * 1000 }, metadata: entry.item.metadata,
                startPosition: options.start)
        }
        names = Dictionary(uniqueKeysWithValues: zip(items.map(\.id), program.entries.map(\.name)))
        view = FlowplayerView(backend: backend)
        view.id = "flowplay"
        standardOutputLog = options.json || options.log == "-" ? EventLog(descriptor: 1) : nil
        let fileLog = try options.log.flatMap { $0 == "-" ? nil : try EventLog(path: $0) }
        logs = [standardOutputLog, fileLog].compactMap(\.self)
        summary = options.summary ? SummaryPlugin() : nil
        if options.quiet || standardOutputLog != nil {
            display = NoDisplay()
        } else if isatty(0) == 1, isatty(1) == 1 {
            display = StatusDisplay()
        } else {
            display = PlainDisplay()
        }
    }

    func run() async throws -> ExitStatus {
        setUpView()
        letOthersControl()
        let signals = Signals { [weak self] in self?.handle($0) }
        let terminal = display.wantsKeys ? Terminal { [weak self] in self?.handle($0) } : nil
        let job = TerminalLifecycle(
            lifecycle: lifecycle, leaveScreen: { terminal?.leave() },
            enterScreen: { [weak self] in
                terminal?.enter()
                self?.showWhatIsSeen()
            }, keepsPlaying: { [view] in view.avPlayer?.snapshot.shouldPlay == true })
        self.job = job
        if job.isBehindShell { display.setVisible(false) } else { terminal?.enter() }
        view.delegate = self
        hearing = view.avPlayer?.observe { [weak self] in self?.hear($0, $1) }
        let events = view.events
        let notices = Task { [weak self] in
            for await event in events { self?.tell(event) }
        }
        let status = await withCheckedContinuation { continuation in
            ending = continuation
            begin(items)
            following = lifecycle.follow { [weak self] in self?.follow($0) }
        }
        hearing?.cancel()
        notices.cancel()
        stopTimer?.cancel()
        script?.cancel()
        following?.cancel()
        // After the end there is nothing to stop, and nothing more is told.
        if view.state != .complete, view.state != .failure { view.stop() }
        display.end()
        terminal?.leave()
        signals.cancel()
        job.cancel()
        for log in logs { log.flush() }
        summary?.print()
        return status
    }

    private func setUpView() {
        for log in logs { view.attach(log) }
        if let summary { view.attach(summary) }
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

    /// Over MPRIS, where there is a bus.
    private func letOthersControl() {
        guard !options.noMPRIS, let queue = view.queue else { return }
        let center = NowPlayingCenter.shared
        center.identity = NowPlayingIdentity(name: "flowplay", displayName: "flowplay")
        center.quitHandler = { [weak self] in self?.endByRequest() }
        center.attach(queue)
    }

    private func begin(_ items: [PlayerItem]) {
        guard !items.isEmpty, let queue = view.queue else { return end(.mediumFailed) }
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

    private func endByRequest() { end(hasFailed ? .mediumFailed : .success) }

    // MARK: What the player tells

    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        guard endStatus == nil else { return }
        status.state = state
        display.show(status, isNewState: true)
        switch state {
        case .ready: showSubtitles()
        case .play: begin()
        case .complete, .failure: if view.queue?.isOver == true { endByRequest() }
        default: break
        }
    }

    func player(_ player: any FlowplayerAPI, didChangeItem transition: ItemTransition) {
        guard let queue = view.queue?.queue else { return }
        (status.position, status.duration) = (options.start, nil)
        let place = queue.items.count > 1 ? "[\(transition.index + 1)/\(queue.items.count)] " : ""
        display.begin(place + (names[transition.item.id] ?? transition.item.url.lastPathComponent))
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
        display.message("\(error.url ?? "medium"): \(error.message)")
    }

    private func tell(_ event: PlayerEvent) {
        if case .log(let notice) = event, !options.quiet { display.message(notice.message) }
        // The reader of a pipe that went away has seen enough.
        if standardOutputLog?.error != nil { return end(.signal(SIGPIPE)) }
        if let error = logs.lazy.compactMap(\.error).first, endStatus == nil {
            display.message(error.description)
            end(.mediumFailed)
        }
    }

    /// What else sounds, and where.
    private func hear(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        guard endStatus == nil, !options.quiet else { return }
        switch event {
        case .interruption(let interruption): display.message(interruptions.text(for: interruption, snapshot))
        case .route(let change): display.message(InterruptionReport.text(for: change))
        default: break
        }
    }

    /// Those from the command line come after the medium's own.
    private func showSubtitles() {
        guard !subtitles.isEmpty, let first = view.subtitleList.suffix(subtitles.count).first else { return }
        view.selectTrack(subtitle: first.id)
    }

    /// From here on times count.
    private func begin() {
        guard !hasPlayed else { return }
        hasPlayed = true
        script = options.lifecycle.map { script in Task { [lifecycle] in try await script.run(on: lifecycle) } }
        guard let seconds = options.stopAfter else { return }
        stopTimer = Task { [weak self] in
            guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
            self?.endByRequest()
        }
    }

    private func redraw() {
        (status.volume, status.rate) = (view.isMuted ? nil : Double(view.volume), Double(view.rate))
        if endStatus == nil { display.show(status, isNewState: false) }
    }

    // MARK: What people want

    private func handle(_ key: Key) {
        let position = view.position?.seconds ?? 0
        switch key {
        case .space: if view.avPlayer?.snapshot.shouldPlay == true { view.pause() } else { view.play() }
        case .left: view.seek(position - Self.seekStep)
        case .right: view.seek(position + Self.seekStep)
        case .up: view.volume += Self.volumeStep
        case .down: view.volume -= Self.volumeStep
        case .character("m"): view.isMuted.toggle()
        case .character("["): view.rate = Self.rates.last { $0 < view.rate } ?? view.rate
        case .character("]"): view.rate = Self.rates.first { $0 > view.rate } ?? view.rate
        case .character("0"): view.seek(0)
        case .character("a"): chooseNextAudio()
        case .character("s"): chooseNextSubtitle()
        case .character("n"): if view.queue?.queue.nextItem != nil { view.queue?.advanceToNextItem() }
        case .character("p"): view.queue?.returnToPreviousItem()
        case .character("q"): endByRequest()
        case .character: break
        }
    }

    private func chooseNextAudio() {
        let tracks = view.audioList
        guard tracks.count > 1, let current = tracks.firstIndex(where: { $0 == view.currentAudio }) else { return }
        let next = tracks[(current + 1) % tracks.count]
        view.selectTrack(audio: next.id)
        display.message("sound: \(next.name)")
    }

    private func chooseNextSubtitle() {
        let tracks = view.subtitleList + [.off]
        guard tracks.count > 1 else { return }
        let current = tracks.firstIndex { $0.id == view.currentSubtitle?.id } ?? tracks.count - 1
        let next = tracks[(current + 1) % tracks.count]
        view.selectTrack(subtitle: next.id)
        display.message("subtitles: \(next.name)")
    }

    private func handle(_ signal: Signals.Signal) {
        switch signal {
        case .end(SIGHUP) where job?.outlivesHangUp == true: break
        case .end(let number): end(.signal(number))
        case .resized: redraw()
        }
    }

    // MARK: Foreground and background

    /// The reasons have changed, and the view has acted on it.
    private func follow(_ reasons: Set<BackgroundReason>) {
        guard endStatus == nil, let snapshot = view.avPlayer?.snapshot,
            let text = report.text(for: reasons, snapshot)
        else { return }
        if !reasons.isEmpty { display.setVisible(false) }
        if !options.quiet { display.message(text) }
        showWhatIsSeen()
        guard snapshot.background == .stop else { return }
        // Nobody plays what the background has stopped; and there is no job to come back to.
        job?.cancel()
        endByRequest()
    }

    private func showWhatIsSeen() {
        display.setVisible(!lifecycle.isInBackground && job?.isBehindShell != true)
        redraw()
    }
}
