#if GStreamer
import AudioMixer
import Foundation
import Playback

/// Plays the items of one backend with GStreamer.
///
/// The actor runs on a serial queue with a watchdog, because GStreamer's calls can block. Commands, GStreamer's messages
/// and timers enter it through `perform`, which keeps their order. No function of GStreamer that changes a state is
/// called on one of GStreamer's threads, because that would block forever.
///
/// A `GStreamerPlayback` is not `Sendable`: code outside of the queue names it by its generation, and its work is dropped
/// once the item is closed.
actor GStreamerEngine: BackendEngine {
    nonisolated let queue: WatchdogQueue
    nonisolated let audioOutput: AudioOutput
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private(set) var settings: BackendSettings
    private let send: @Sendable (BackendEvent) -> Void
    private var current: GStreamerPlayback?
    private var next: PreparedItem?
    private var reportedNotices: Set<PlaybackNotice> = []
    /// Plays the audio of all items over PulseAudio; `nil` before the first one.
    private var mixer: PulseMixer?
    /// `true` while the audio server wants the mixer to be silent.
    private var isMixerCorked = false
    private var window = WindowState.closed
    /// The windows that the compositor has refused since the item was opened.
    private var refusals = 0

    /// - Parameter send: called on the queue.
    init(
        queue: WatchdogQueue, audioOutput: AudioOutput, settings: BackendSettings,
        send: @escaping @Sendable (BackendEvent) -> Void
    ) {
        self.queue = queue
        self.audioOutput = audioOutput
        self.settings = settings
        self.send = send
    }

    /// Calls `body` with an item after a delay in seconds, unless the item is closed by then.
    nonisolated func perform(
        on generation: Generation, after seconds: Double = 0, _ body: @escaping @Sendable (GStreamerPlayback) -> Void
    ) {
        queue.async(after: seconds) { [weak self] in
            self?.assumeIsolated { engine in
                if let playback = engine.playback(generation) { body(playback) }
            }
        }
    }

    private func playback(_ generation: Generation) -> GStreamerPlayback? {
        [current, next?.playback].compactMap(\.self).first { $0.request.generation == generation }
    }

    private func open(_ generation: Generation) -> GStreamerPlayback? {
        current?.request.generation == generation ? current : nil
    }

    // MARK: Commands

    func handle(_ command: BackendCommand, _ settings: BackendSettings) {
        self.settings = settings
        switch command {
        case .open(let request): open(request)
        case .prepare(let request, let crossfade): prepare(request, crossfade: crossfade)
        case .play(let generation): open(generation)?.play()
        case .pause(let generation): open(generation)?.setPlaying(false)
        case .seek(let generation, let target, let tolerance): open(generation)?.seek(to: target, tolerance)
        case .selectAudio(let generation, let id): open(generation)?.selectAudio(id)
        case .selectSubtitle(let generation, let id): open(generation)?.selectSubtitle(id)
        case .selectQuality(let generation, let quality): open(generation)?.selectQuality(quality)
        case .readdress(let generation, let url): playback(generation)?.readdress(to: url)
        case .close(let generation): close(generation)
        case .setRate: forEachItem { $0.rateChanged() }
        case .setVolume, .setMuted: forEachItem { $0.volumeChanged() }
        case .setSubtitleDelay: forEachItem { $0.subtitleDelayChanged() }
        case .setVideoVisible: forEachItem { $0.videoOutputChanged() }
        case .setRole: current?.roleChanged()
        }
        plan()
        closeUnusedWindow()
    }

    func setVideoOutput(_ output: VideoOutput) {
        settings.videoOutput = output
        if case .closedForItem = window { window = .closed }
        forEachItem { $0.videoOutputChanged() }
        closeUnusedWindow()
    }

    func shutDown() {
        closeAll()
        closeUnusedWindow()
        mixer?.close()
    }

    private func forEachItem(_ body: (GStreamerPlayback) -> Void) {
        if let current { body(current) }
        if let next { body(next.playback) }
    }

    private func open(_ request: OpenRequest) {
        let prepared = next?.generation == request.generation ? next?.playback : nil
        if prepared != nil { next = nil }
        closeAll()
        if case .closedForItem = window { window = .closed }
        refusals = 0
        let playback = prepared ?? GStreamerPlayback(request, engine: self)
        current = playback
        if isMixerCorked { playback.mixerCorked(true) }
        if prepared != nil { playback.openPrepared(playing: request.playsWhenReady) } else { playback.open() }
    }

    private func close(_ generation: Generation) {
        if next?.generation == generation { closeNext() }
        guard let closing = open(generation) else { return }
        current = nil
        closing.close()
    }

    private func closeNext() {
        let closing = next
        next = nil
        closing?.playback.close()
    }

    private func closeAll() {
        if let current { close(current.request.generation) }
        closeNext()
    }

    // MARK: The next item

    private func prepare(_ request: OpenRequest, crossfade: Double) {
        closeNext()
        next = PreparedItem(request, crossfade: crossfade, engine: self)
        next?.open()
    }

    /// Starts the next item in time. Each event of the current one can move its end.
    nonisolated func planTransition() { assumeIsolated { $0.plan() } }

    private func plan() {
        if let current { next?.plan(after: current) }
    }

    // MARK: Video

    private enum WindowState {
        case closed
        case open(GStreamerWindow)
        /// The user has closed it, or the compositor has refused too many. It returns with the next item, or when the host sets the
        /// output again.
        case closedForItem
    }

    /// The destination of the visible item's video. All items share a window, so it stays between those of a queue.
    func videoOutput() -> GStreamerVideoOutput {
        if let sink = settings.sink { return .sink(sink) }
        guard settings.showsVideo, settings.opensWindow else { return .none }
        if case .closed = window {
            let opened = GStreamerWindow { [weak self] in self?.perform { $0.windowLost() } }
            if let opened {
                window = .open(opened)
                replaceIfRefused(opened)
            } else {
                current?.report(.notice(GStreamerWindow.unavailable))
            }
        }
        if case .open(let window) = window { return .window(window) }
        return .none
    }

    private func windowLost() {
        guard case .open(let lost) = window, lost.isLost else { return }
        window = .closedForItem
        forEachItem { $0.videoOutputChanged() }
        lost.close()
    }

    /// How often a new window is checked, each half second.
    private static let windowChecks = 20
    /// After so many refused windows, the item has none.
    private static let mostRefusals = 10

    /// Opens another window if the compositor refuses a new one.
    private nonisolated func replaceIfRefused(_ opened: GStreamerWindow, checks: Int = windowChecks) {
        guard checks > 0 else { return }
        queue.async(after: 0.5) { [weak self, weak opened] in
            self?.assumeIsolated { engine in
                guard case .open(let current) = engine.window, current === opened else { return }
                guard current.isRefused else { return engine.replaceIfRefused(current, checks: checks - 1) }
                engine.refusals += 1
                let isHopeless = engine.refusals >= Self.mostRefusals
                engine.window = isHopeless ? .closedForItem : .closed
                if isHopeless { engine.current?.report(.notice(GStreamerWindow.unavailable)) }
                engine.forEachItem { $0.videoOutputChanged() }
                current.close()
            }
        }
    }

    private func closeUnusedWindow() {
        guard case .open(let unused) = window else { return }
        if case .window = settings.videoOutput, settings.showsVideo, current != nil || next != nil { return }
        window = .closed
        unused.close()
    }

    // MARK: The mixer

    /// The client name for audio servers, which remember volumes by it.
    static let clientName = ProcessInfo.processInfo.processName

    /// The mixer, created for the first item that needs it.
    var sharedMixer: PulseMixer {
        if let mixer { return mixer }
        let mixer = PulseMixer(client: Self.clientName) { [weak self] in
            self?.perform { $0.audioServerLost() }
        } ready: { [weak self] in
            self?.perform { $0.forEachItem { $0.progress() } }
        } receive: { [weak self] event in
            self?.perform { $0.mixerChanged(event) }
        }
        self.mixer = mixer
        return mixer
    }

    private func mixerChanged(_ event: PulseStream.Event) {
        switch event {
        case .corked, .uncorked:
            isMixerCorked = event == .corked
            current?.mixerCorked(isMixerCorked)
        case .moved(let old, let new): current?.mixerMoved(from: old, to: new)
        }
    }

    private func audioServerLost() {
        current?.report(.notice(.audioServerGone))
    }

    // MARK: Events

    func report(_ body: BackendEvent.Body, at time: Duration, for generation: Generation) {
        if case .notice(let notice) = body, !reportedNotices.insert(notice).inserted { return }
        send(BackendEvent(body, generation: generation, hostTime: time))
        guard open(generation) != nil else {
            if case .failed = body, next?.generation == generation { next = nil }
            return
        }
        switch body {
        case .ended:
            current = nil
            next?.start()
        case .failed: current = nil
        default: plan()
        }
        closeUnusedWindow()
    }
}
#endif
