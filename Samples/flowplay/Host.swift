import Advertising
import ArgumentParser
import EventLog
import FlowplayerSDK
import FlowplayerTerminal
import Foundation
import NowPlaying
import Playback
import PlayerControls
import ResumePositions
import TerminalLifecycle

/// Plays the items of the command line, and handles keys and signals.
@MainActor
final class Host: PlayerPlugin {
    private let options: Options
    private let program: Program
    private let queue: QueuePlayer
    private let view: FlowplayerView
    private let display: Display
    private let ads: AdPlugin?
    private var window: Window?
    private let outputs: EventOutputs
    private let positions: ResumeStore?
    /// The items that have started at a stored position, with the number of that load.
    private var resumed: [PlayerItem.ID: Int] = [:]
    private let lifecycle = ApplicationLifecycle.shared
    private var job: TerminalJob?

    private var background: BackgroundReport
    private var interruptions = InterruptionReport()
    /// The subtitle files of the command line; `nil` for those that are not local.
    private let subtitleLines: [SubtitleLines?]
    /// The tracks of these files in the item that plays. The engine may remove a file from its list later.
    private var subtitleTracks: [SubtitleTrack.ID] = []
    private var shownSubtitle = ""
    private var statistics: [Int: String] = [:]
    private var hasPlayed = false
    private var hasFailed: Bool
    private var following: ObservationToken?
    private var observations: [ObservationToken] = []
    /// `nil` before the start and after the end.
    private var ending: CheckedContinuation<ExitCode, Never>?

    init(options: Options, backend: BackendName, program: Program, positions: ResumeStore?) throws {
        self.options = options
        self.program = program
        self.positions = positions
        hasFailed = program.hasFailed
        background = BackgroundReport(resumes: options.resume, showsVideo: options.showsVideo)
        subtitleLines = options.subtitles.map { SubtitleLines(file: $0.url) }
        queue = QueuePlayer(backend: backend)
        view = FlowplayerView(avPlayer: queue)
        view.id = "flowplay"
        let schedule = options.adAddress.map { AdScheduleRemote(url: $0) }
        ads =
            schedule != nil || options.streamAds
            ? AdPlugin(backend: backend, schedule: schedule, options: options.adOptions) : nil
        outputs = try EventOutputs(options)
        display = Display(Self.style(options, outputs))
    }

    private static func style(_ options: Options, _ outputs: EventOutputs) -> Display.Style {
        if options.view == .terminal {
            do throws(TerminalViewError) { return .screen(try TerminalView(asksForImages: isatty(0) == 1)) } catch {
                Messages.print(error.localizedDescription)
            }
        }
        if options.quiet || outputs.usesStandardOutput { return .messages }
        return isatty(0) == 1 && isatty(1) == 1 ? .statusLine : .lines
    }

    func run() async -> ExitCode {
        setUpView()
        publishToDesktop()
        let signals = Signals { [weak self] in self?.handle($0) }
        let terminal = isatty(0) == 1 ? makeTerminal() : nil
        let job = TerminalJob(
            lifecycle: lifecycle, leaveScreen: { terminal?.leave() },
            enterScreen: { [weak self] in
                terminal?.enter()
                self?.updateVisibility()
            }, keepsPlaying: { [queue] in queue.snapshot.isPlaybackWanted })
        self.job = job
        if job.isBehindShell {
            display.isVisible = false
        } else {
            terminal?.enter()
            display.begin()
        }
        view.attach(self)

        let status = await withCheckedContinuation { continuation in
            ending = continuation
            load(program.items)
            following = lifecycle.follow { [weak self] in self?.backgroundDidChange($0) }
        }

        keepStatistics(of: queue.snapshot)
        // A finished item needs no stop, and the log ends with its end.
        if view.state != .complete, view.state != .failure { view.stop() }
        display.end()
        terminal?.leave()
        // Another Ctrl-C ends the wait for the trackers.
        signals.cancel()
        await ads?.finishTracking()
        job.cancel()
        outputs.finish()
        positions?.flush()
        if options.stats {
            for line in statistics.sorted(by: { $0.key < $1.key }) { Messages.write(line.value + "\n", to: 2) }
        }
        // A write may have failed since the last event, and the reader may have gone.
        if outputs.isStandardOutputClosed { return .signal(SIGPIPE) }
        guard status == .success, let error = outputs.error else { return status }
        Messages.print(error.description)
        return .itemFailed
    }

    private func keepStatistics(of snapshot: PlayerSnapshot) {
        guard options.stats, let item = snapshot.item, let url = item.url else { return }
        statistics[item.number] = "\(url.shortName): \(snapshot.statistics.text)"
    }

    private func setUpView() {
        outputs.attach(to: view)
        positions?.onError = { [display] in display.message($0.description) }
        if let positions { view.attach(positions) }
        if let ads {
            view.attach(ads)
            observations.append(view.observe(\.advertisement) { [weak self] _, _ in self?.redraw() })
        }
        switch (options.shownView, display.style) {
        case (_, .screen(let terminal)): view.videoOutput = .frames(terminal)
        case (.gtk, _):
            window = Window(
                view, onKey: { [weak self] in self?.press($0, $1) ?? false },
                onEnd: { [weak self] in self?.endByRequest() })
        case (.window, _): view.videoOutput = .window
        case (.terminal, _), (.none, _): view.videoOutput = .none
        }
        if options.fullscreen { view.openFullscreen() }
        view.volume = Float(options.volume / 100)
        view.isMuted = options.mute
        view.preferredAudioLanguages = options.alang ?? []
        view.preferredSubtitleLanguages = options.slang ?? []
        view.defaultRate = Float(options.rate)
        view.backgroundPolicy = options.background.policy
        view.resumesAfterBackground = options.resume
        queue.audioRole = options.role
        queue.urlProvider = options.renew.map { RenewCommand(command: $0) }
    }

    private func makeTerminal() -> Terminal {
        let controls = ControlsModel(view: view, keyMap: .flowplay)
        controls.offersFullscreen = false
        controls.onChange = { [weak self] state in
            let shown = (state.message, state.prompt, state.loop)
            guard let self, (display.notice, display.prompt, display.loop) != shown else { return }
            (display.notice, display.prompt, display.loop) = shown
            redraw()
        }
        display.showMessage = { controls.show(message: $0) }
        let screen: TerminalView? = if case .screen(let view) = display.style { view } else { nil }
        let terminal = Terminal(
            leaving: display.leaving, hasStatusLine: display.hasStatusLine, screen: screen
        ) { [weak self] key in
            // While the user types a time, all keys belong to it.
            if controls.state.prompt != nil || self?.press(key, controls) != true { controls.press(key) }
        }
        terminal.onFrameSizeChange = { [view] in
            if let screen { view.videoOutput = .frames(screen) }
        }
        return terminal
    }

    /// Handles a key of the program itself. Returns `false` for other keys.
    ///
    /// - Parameter controls: the controls of the view that has received the key. They show a message about it.
    private func press(_ key: ControlsKey, _ controls: ControlsModel) -> Bool {
        switch key {
        case .character("q"): endByRequest()
        case .character("s"):
            Task { [view] in controls.show(message: await Screenshot.save(view)) }
        case .character("?"), .character("h"): showKeys()
        default: return false
        }
        return true
    }

    private func showKeys() {
        display.message((["Keys:"] + KeyMap.flowplayLines).joined(separator: "\n"))
        redraw()
    }

    /// Publishes the player over MPRIS, if there is a session bus.
    private func publishToDesktop() {
        guard !options.noMPRIS else { return }
        let center = NowPlayingCenter.shared
        center.identity = NowPlayingIdentity(name: "flowplay", displayName: "flowplay")
        center.quitHandler = { [weak self] in self?.endByRequest() }
        center.attach(queue)
    }

    private func load(_ items: [PlayerItem]) {
        guard !items.isEmpty else { return end(.itemFailed) }
        queue.repeatMode = options.repeatMode
        queue.crossfade = options.crossfade
        guard options.shuffle else { return queue.load(items, autoPlay: true) }
        let seed = options.shuffleSeed ?? .random(in: 0 ... .max)
        queue.load(items, autoPlay: true, startIndex: Int(seed % UInt64(items.count)))
        queue.shuffle(seed: seed)
    }

    private func end(_ status: ExitCode) {
        ending?.resume(returning: status)
        ending = nil
    }

    private func endByRequest() { end(hasFailed ? .itemFailed : .success) }

    // MARK: Player events

    /// Names an engine that plays addresses like this one.
    private func reportEngine(for url: String?) {
        let scheme = url?.prefix { $0 != ":" }.lowercased() ?? ""
        let engines = BackendRegistry.shared.descriptors.filter { $0.isAutomatic && $0.schemes.contains(scheme) }
        guard let engine = engines.first?.name.rawValue else { return }
        display.message("The engine \(engine) plays \(scheme) addresses: --engine \(engine)")
    }

    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        guard ending != nil else { return }
        keepStatistics(of: snapshot)
        switch event {
        case .item(let transition): begin(transition)
        case .state(let state):
            display.show(Status(snapshot), isNewState: true)
            stateDidChange(to: state)
        case .metadata(let metadata): if let title = metadata.title { name(title) }
        case .position(let position):
            display.show(Status(snapshot), isNewState: false)
            printSubtitle(at: position, snapshot)
        case .volume, .mute, .rate: display.show(Status(snapshot), isNewState: false)
        case .error(let error):
            hasFailed = true
            let name = error.url == program.standardInput?.redacted ? "standard input" : error.url ?? "item"
            display.message("\(name): \(error.message)")
            if error.code == .unsupportedScheme { reportEngine(for: error.url) }
        case .log(let notice):
            if notice.code == "noDisplay" { background.showsVideo = false }
            report(notice.message)
        case .ad(.failed(let error, _, let ad, let code)):
            let name = ad == nil ? options.adAddress?.redacted : ad?.adTitle ?? ad?.adId
            let subject = ["advertisement", name].compactMap(\.self).joined(separator: " ")
            report("\(subject): \(error.rawValue)" + (code.map { " (VAST \($0))" } ?? ""))
        case .ad(.state(.play, _)), .ad(.streamState(.adStarted)): display.show(Status(snapshot), isNewState: true)
        case .ad(.clickThrough(let url)):
            report("advertisement: \(url.absoluteString)")
            window?.openPage(url)
        case .interruption(let interruption): report(interruptions.text(for: interruption, snapshot))
        case .route(let change): report(InterruptionReport.text(for: change))
        default: break
        }
        checkOutputs()
    }

    private func begin(_ transition: ItemTransition) {
        name(transition.item.metadata.title ?? transition.item.url.shortName)
    }

    private func name(_ title: String) {
        let items = queue.queue
        let place = items.items.count > 1 ? "[\((items.currentIndex ?? 0) + 1)/\(items.items.count)] " : ""
        display.name = place + title
        window?.title = display.name
    }

    private func stateDidChange(to state: PlayerState) {
        switch state {
        case .ready:
            selectSubtitles()
            seekToStart()
            resumePosition()
        case .play: playbackDidStart()
        // The queue may already be past this event: an item that could not be preloaded fails at once.
        case .complete, .failure: if queue.isOver, state == queue.snapshot.state { endByRequest() }
        default: break
        }
    }

    /// Selects the first subtitle track of the command line. It follows the item's own tracks.
    private func selectSubtitles() {
        subtitleTracks = view.subtitleList.suffix(program.subtitles.count).map(\.id)
        if let first = subtitleTracks.first { view.selectTrack(subtitle: first) }
    }

    /// Prints the text of the selected subtitle file, if no video can show it.
    private func printSubtitle(at position: Double, _ snapshot: PlayerSnapshot) {
        guard case .statusLine = display.style, !options.quiet,
            !background.showsVideo || snapshot.tracks?.video.isEmpty == true,
            let track = snapshot.currentSubtitle, let index = subtitleTracks.firstIndex(of: track.id),
            let text = subtitleLines[index]?.text(at: position - snapshot.subtitleDelay), text != shownSubtitle
        else { return }
        shownSubtitle = text
        if !text.isEmpty { display.message(text) }
    }

    /// Seeks to a start that depends on the duration.
    private func seekToStart() {
        guard let start = options.start, start.needsDuration else { return }
        guard let duration = view.snapshot.duration, view.snapshot.isSeekable else {
            return report("--start \(start) needs a known duration. The item starts at its beginning.")
        }
        view.seek(start.seconds(in: duration))
    }

    /// Reports that the item starts at a stored position. An item that plays again starts at its beginning.
    private func resumePosition() {
        guard let item = view.snapshot.item, let source = item.source, program.resumed.contains(source.id) else {
            return
        }
        switch resumed.updateValue(item.number, forKey: source.id) {
        case nil: report("Resuming at \(TimeText.clock(source.startPosition)).")
        // The engine has opened the item again.
        case item.number: break
        default: view.seek(0)
        }
    }

    /// Starts the timer of `--stop-after` and the script of `--lifecycle`.
    private func playbackDidStart() {
        guard !hasPlayed else { return }
        hasPlayed = true
        if let script = options.lifecycle { Task { [lifecycle] in try await script.run(on: lifecycle) } }
        guard let seconds = options.stopAfter else { return }
        Task { [weak self] in
            try await Task.sleep(for: .seconds(seconds))
            self?.endByRequest()
        }
    }

    private func report(_ message: String) {
        if !options.quiet { display.message(message) }
    }

    /// Ends if a log cannot be written.
    private func checkOutputs() {
        // In this order: a log finds its error at any time.
        guard let error = outputs.error else { return }
        if outputs.isStandardOutputClosed { return end(.signal(SIGPIPE)) }
        display.message(error.description)
        end(.itemFailed)
    }

    // MARK: Signals

    private func handle(_ signal: Int32) {
        switch signal {
        case SIGWINCH:
            if case .screen(let terminal) = display.style, terminal.resize() { view.videoOutput = .frames(terminal) }
            redraw()
        case SIGHUP where job?.outlivesHangUp == true: break
        default: end(.signal(signal))
        }
    }

    private func redraw() {
        if ending != nil { display.show(Status(queue.snapshot), isNewState: false) }
    }

    // MARK: Foreground and background

    /// Reports the change. The view has already applied its background policy.
    private func backgroundDidChange(_ reasons: Set<BackgroundReason>) {
        guard ending != nil, let text = background.text(for: reasons, queue.snapshot) else { return }
        if !reasons.isEmpty { display.isVisible = false }
        report(text)
        updateVisibility()
        guard queue.snapshot.background == .stop else { return }
        // The policy has stopped playback, so the process ends and leaves no job behind.
        job?.cancel()
        endByRequest()
    }

    private func updateVisibility() {
        display.isVisible = !lifecycle.isInBackground && job?.isBehindShell != true
        redraw()
    }
}
