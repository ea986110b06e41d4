#if VLC
import AudioMixer
import Playback

/// Plays the items of one backend with libVLC.
///
/// The actor runs on a serial queue with a watchdog, because libVLC's calls can block, and some never return. Commands,
/// libVLC's callbacks and timers enter it through `perform`, which keeps their order.
///
/// One item is `current`, and `next` holds the preloaded one. Only the actor changes them. A `VLCPlayback` is not
/// `Sendable`: code outside of the queue names it by its generation, and its work is dropped once the item is closed.
///
/// References point down only: backend, engine, item, libVLC player. An engine that was left behind closes, with its
/// players, when the stuck call returns.
actor VLCEngine: BackendEngine {
    nonisolated let queue: WatchdogQueue
    nonisolated let audioOutput: AudioOutput
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private(set) var settings: BackendSettings
    private let send: @Sendable (BackendEvent) -> Void
    private var current: VLCPlayback?
    private(set) var next: GaplessTransition?
    /// Items that have ended. Their last audio is still in the output.
    private var ended: [VLCPlayback] = []
    private var reportedNotices: Set<PlaybackNotice> = []
    /// The output of all items that follow each other without a gap.
    private var mixer: PulseMixer?
    /// `true` while the audio server wants the mixer to be silent.
    private var isMixerCorked = false

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

    // MARK: Entering the queue

    /// Calls `body` after a delay in seconds, if the engine still exists.
    nonisolated func perform(after seconds: Double, _ body: @escaping @Sendable (isolated VLCEngine) -> Void) {
        queue.async(after: seconds) { [weak self] in self?.assumeIsolated { body($0) } }
    }

    /// Calls `body` with an item after a delay in seconds, unless the item is closed by then.
    nonisolated func perform(
        on generation: Generation, after seconds: Double = 0, _ body: @escaping @Sendable (VLCPlayback) -> Void
    ) {
        perform(after: seconds) { engine in
            if let item = engine.item(generation) { body(item) }
        }
    }

    private func item(_ generation: Generation) -> VLCPlayback? {
        if let next, next.generation == generation { return next.playback }
        return playback(generation) ?? ended.first { $0.generation == generation }
    }

    private func playback(_ generation: Generation) -> VLCPlayback? {
        current?.generation == generation ? current : nil
    }

    // MARK: Commands

    /// - Parameter settings: those that apply with the command.
    func handle(_ command: BackendCommand, _ settings: BackendSettings) {
        self.settings = settings
        switch command {
        case .open(let request): open(request)
        case .prepare(let request, let crossfade): prepare(request, crossfade: crossfade)
        case .play(let generation): playback(generation)?.play()
        case .pause(let generation): playback(generation)?.pause()
        case .seek(let generation, let target, _): playback(generation)?.perform { $0.seek(to: target, at: $1) }
        case .selectAudio(let generation, let id):
            playback(generation)?.perform { machine, _ in machine.selectAudio(id) }
        case .selectSubtitle(let generation, let id):
            playback(generation)?.perform { machine, _ in machine.selectSubtitle(id) }
        case .selectQuality(let generation, let quality): playback(generation)?.selectQuality(quality)
        case .readdress(let generation, let url): item(generation)?.readdress(to: url)
        case .close(let generation): close(generation)
        case .setRate: forEachItem { $0.rateChanged() }
        case .setVolume: forEachItem { $0.volumeChanged() }
        case .setMuted: forEachItem { $0.mutePlayer() }
        case .setVideoVisible: forEachItem { $0.videoSettingsChanged() }
        case .setSubtitleDelay: forEachItem { $0.subtitleDelayChanged() }
        case .setRole: if let current { mixer?.setRole(current.role) }
        }
        planTransition()
    }

    func setVideoOutput(_ output: VideoOutput) {
        settings.videoOutput = output
        forEachItem { $0.videoSettingsChanged() }
    }

    private func forEachItem(_ body: (VLCPlayback) -> Void) {
        if let current { body(current) }
        if let next { body(next.playback) }
    }

    func shutDown() {
        closeAll()
        mixer?.close()
    }

    private func open(_ request: OpenRequest) {
        let preloaded = next?.generation == request.generation ? next?.playback : nil
        if preloaded != nil { next = nil }
        closeAll()
        let playback = preloaded ?? VLCPlayback(request, isPreloaded: false, engine: self)
        current = playback
        if isMixerCorked { playback.mixerCorked(true) }
        playback.begin(playing: request.playsWhenReady)
    }

    private func prepare(_ request: OpenRequest, crossfade: Double) {
        closeNext()
        let playback = VLCPlayback(request, isPreloaded: true, engine: self)
        next = GaplessTransition(to: playback, crossfade: crossfade, engine: self)
        playback.start(playing: false)
    }

    private func close(_ generation: Generation) {
        if next?.generation == generation { closeNext() }
        guard let playback = playback(generation) else { return }
        current = nil
        playback.close()
    }

    private func closeNext() {
        let closing = next
        next = nil
        closing?.playback.close()
    }

    private func closeAll() {
        if let current { close(current.generation) }
        closeNext()
    }

    /// Closes the player of an ended item after a delay in seconds. Closed now, it would cut off its last audio.
    nonisolated func closeEnded(_ generation: Generation, after seconds: Double) {
        queue.async(after: seconds) {
            self.assumeIsolated { engine in
                engine.item(generation)?.closePlayers()
                engine.ended.removeAll { $0.generation == generation }
            }
        }
    }

    // MARK: The mixer

    /// The mixer, created for the first item that needs it.
    var sharedMixer: PulseMixer {
        if let mixer { return mixer }
        let mixer = PulseMixer(client: VLCInstance.clientName) { [weak self] in
            self?.perform { $0.audioServerLost() }
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
        guard let generation = current?.generation else { return }
        report(.notice(.audioServerGone), at: ContinuousClock().hostTime, for: generation)
    }

    // MARK: Events

    func report(_ body: BackendEvent.Body, at time: Duration, for generation: Generation) {
        if case .notice(let notice) = body, !reportedNotices.insert(notice).inserted { return }
        send(BackendEvent(body, generation: generation, hostTime: time))
        if generation == next?.generation {
            if case .failed = body { next = nil }
            return
        }
        guard let playback = playback(generation) else { return }
        switch body {
        case .ended:
            current = nil
            if playback.player != nil { ended.append(playback) }
            next?.start()
        case .failed: current = nil
        default: planTransition()
        }
    }

    private func planTransition() { next?.plan(after: current) }
}
#endif
