#if GStreamer
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
    private var reportedNotices: Set<PlaybackNotice> = []

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
        current?.request.generation == generation ? current : nil
    }

    // MARK: Commands

    func handle(_ command: BackendCommand, _ settings: BackendSettings) {
        self.settings = settings
        switch command {
        case .open(let request): open(request)
        case .play(let generation): playback(generation)?.setPlaying(true)
        case .pause(let generation): playback(generation)?.setPlaying(false)
        case .seek(let generation, let target, let tolerance): playback(generation)?.seek(to: target, tolerance)
        case .selectAudio(let generation, let id): playback(generation)?.selectAudio(id)
        case .selectSubtitle(let generation, let id): playback(generation)?.selectSubtitle(id)
        case .readdress(let generation, let url): playback(generation)?.readdress(to: url)
        case .close(let generation): if playback(generation) != nil { closeCurrent() }
        case .setRate: current?.rateChanged()
        case .setVolume, .setMuted: current?.volumeChanged()
        case .setSubtitleDelay: current?.subtitleDelayChanged()
        case .setPicture: current?.videoOutputChanged()
        case .selectQuality(let generation, let quality): playback(generation)?.selectQuality(quality)
        // The role holds from the next opening on. The other commands need features that are not declared.
        case .setRole, .prepare: break
        }
    }

    func setVideoOutput(_ output: VideoOutput) {
        settings.videoOutput = output
        current?.videoOutputChanged()
    }

    func shutDown() { closeCurrent() }

    private func open(_ request: OpenRequest) {
        closeCurrent()
        let playback = GStreamerPlayback(request, engine: self)
        current = playback
        playback.open(at: request.startPosition)
    }

    private func closeCurrent() {
        let closing = current
        current = nil
        closing?.close()
    }

    // MARK: Events

    func report(_ body: BackendEvent.Body, for generation: Generation) {
        if case .notice(let notice) = body, !reportedNotices.insert(notice).inserted { return }
        send(BackendEvent(body, generation: generation, hostTime: ContinuousClock().hostTime))
        switch body {
        case .ended, .failed: if playback(generation) != nil { current = nil }
        default: break
        }
    }
}
#endif
