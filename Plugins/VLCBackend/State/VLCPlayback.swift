#if VLC
import AudioMixer
import Foundation
import MediaTransport
import Playback

/// One load of one item, from `open` or `prepare` to its end.
///
/// It connects three parts: the state machine decides, libVLC's player plays, and the engine receives the events.
/// `perform` is the only function that changes the state machine: it executes the actions that the machine returns.
///
/// An item uses several libVLC players in its life, at most two at a time: `player`, and `standby` during a change of
/// rendition. Each player has a `Token`. Events, timers and results carry it, and are dropped if `playerToken` has
/// changed since.
///
/// The class is not `Sendable`. It is used on the queue of its engine only; other threads reach it through
/// `VLCEngine.perform(on:)`.
final class VLCPlayback {
    /// An identity for work that a later one replaces.
    final class Token: Sendable {}

    let request: OpenRequest
    unowned let engine: VLCEngine
    lazy var machine = makeMachine(at: request.url, playing: false)

    // MARK: Preloading

    private var events: PreloadedEvents
    /// `true` until the preloaded item is opened.
    var isPreloaded: Bool { events.isPreloaded }
    /// `true` if it is preloaded without video, because the video would open a window.
    private(set) var defersVideo = false

    // MARK: Reading

    lazy var cookies = CookieJar()
    var statistics = StatisticsReport()
    var rangeTimer: Token?
    var reportedRange: ClosedRange<Double>?
    /// The quality that the host has selected.
    var selectedQuality: VideoQuality?
    /// The probe of the address. There is no player until it has finished.
    var probe: MediaProbe?
    /// The content of the address; `nil` if libVLC opens the address.
    var content: MediaProbe.Content?
    var monitor: PlaylistMonitor?
    var monitorToken: Token?
    var subtitles: [Int: SubtitleFile] = [:]
    /// The subtitle files that are being read, by the ids of their tracks.
    var subtitleTasks: [Int: Task<Void, Never>] = [:]

    // MARK: Players

    var player: VLCPlayer?
    var playerToken: Token? = Token()
    /// The player that is about to replace `player`.
    var standby: StandbyPlayer?
    /// `true` while a restart waits for its delay or for a new address.
    private(set) var awaitsRestart = false
    /// The sink that the video was last visible in.
    weak var lastSink: (any VideoFrameSink)?
    /// The window of a live stream at its last resume. libVLC uses it a little longer.
    private var playlistAtResume: HLSPlaylist.Media?
    private(set) var isOver = false
    /// The timer of the next check of the progress. That of a replaced state machine has no effect.
    private var watchTimer: Token?

    // MARK: Audio

    /// Reported if the item has audio.
    var silenceNotice: PlaybackNotice?
    var clockSync: ClockSync?
    var endTimer: Token?
    /// The end of the video that belongs to the last audio.
    var endOfVideo = Duration.zero
    var interruption = AudioInterruption()
    /// Receives the end of an interruption while there is no player.
    var sentinel: PulseStream?
    /// `true` from the start of a player until its first time. The reason for its muting is unknown until then.
    var isPlayerNew = false
    /// The running check of a muted stream. A new player or the host's `play` makes it obsolete.
    var mutingCheck: Token?
    /// The output device, by the audio server's name.
    var device: String?

    var generation: Generation { request.generation }

    /// The address of the item. It changes after the first one has expired.
    var address: URL { machine.url }

    var settings: BackendSettings { engine.assumeIsolated { $0.settings } }

    var now: Duration { ContinuousClock().hostTime }

    init(_ request: OpenRequest, isPreloaded: Bool, engine: VLCEngine) {
        self.request = request
        events = PreloadedEvents(isPreloaded: isPreloaded)
        self.engine = engine
        selectedQuality = request.quality
    }

    private func makeMachine(at address: URL, playing: Bool) -> VLCStateMachine {
        VLCStateMachine(
            request, url: address, wantsToPlay: playing, showsVideo: hasVideoOutput,
            isVideoVisible: isVideoVisible, rate: settings.rate, at: now)
    }

    // MARK: Later work

    /// Calls `body` after a delay in seconds, unless the token has been replaced by then.
    func perform(
        after seconds: Double, while token: KeyPath<VLCPlayback, Token?> & Sendable,
        _ body: @escaping @Sendable (VLCPlayback) -> Void
    ) {
        let valid = self[keyPath: token]
        engine.perform(on: generation, after: seconds) { playback in
            if playback[keyPath: token] === valid { body(playback) }
        }
    }

    /// Returns a function for other threads that calls `body`, unless the token has been replaced by then.
    func receiver<Value: Sendable>(
        while token: KeyPath<VLCPlayback, Token?> & Sendable,
        _ body: @escaping @Sendable (VLCPlayback, Value) -> Void
    ) -> @Sendable (Value) -> Void {
        let valid = self[keyPath: token]
        return { [weak engine, generation] value in
            engine?.perform(on: generation) { playback in
                if playback[keyPath: token] === valid { body(playback, value) }
            }
        }
    }

    // MARK: Commands

    func start(playing: Bool) {
        defersVideo = isPreloaded && settings.opensWindow
        (content, awaitsRestart) = (nil, false)
        machine = makeMachine(at: address, playing: playing)
        perform { $0.begin(at: $1) }
        open(at: request.startPosition)
    }

    /// The item is opened. It may be preloaded.
    func begin(playing: Bool) {
        guard isPreloaded else { return start(playing: playing) }
        let events = events.open()
        if lacksDeferredVideo { return start(playing: playing) }
        for (body, time) in events { send(body, time) }
        if playing { resume() } else { pause() }
        // The output may have changed since the item was preloaded.
        videoSettingsChanged()
    }

    /// Returns a preloaded item that has started too early to its start.
    func rewind() {
        clockSync = nil
        events.restart()
        start(playing: false)
    }

    /// `true` if the item must be opened again, because it has a video and was preloaded without.
    var lacksDeferredVideo: Bool { defersVideo && player?.info.streams.contains { $0.kind == .video } ?? true }

    /// Plays, also during an interruption.
    func play() {
        if let body = interruption.override() { endInterruption(body) }
        resume()
    }

    /// Plays, unless there is an interruption.
    func resume() {
        perform { $0.play(at: $1) }
        reopenUnfitVideo()
    }

    func pause() {
        endClockSync()
        perform { $0.pause(at: $1) }
    }

    func rateChanged() {
        let rate = settings.rate
        player?.setRate(rate)
        // It waits for the time that the player needs at the old rate.
        if let standby { prepareStandby(standby.rendition) }
        perform { $0.setRate(rate, at: $1) }
    }

    func subtitleDelayChanged() { player?.setSubtitleDelay(settings.subtitleDelay) }

    func volumeChanged() { player?.setVolume(settings.volume) }

    func close() {
        guard !isOver else { return }
        release()
        closePlayers()
        if !machine.isFinished { send(.closed, now) }
    }

    /// Releases everything except the player, whose last audio may still be in the output.
    private func release() {
        isOver = true
        endTimer = nil
        closeProbe()
        monitor = nil
        sentinel = nil
        for task in subtitleTasks.values { task.cancel() }
    }

    /// The real time until the end of the audio in seconds; `nil` while the item does not play.
    var secondsToEnd: Double? {
        let playhead = machine.playhead(at: now)
        guard machine.wantsToPlay, playhead.isRunning else { return nil }
        if let input, input.hasBegun, let left = input.secondsLeft {
            return left + (mixer?.latency ?? 0)
        }
        let left = machine.remaining(after: playhead.position)
        return left.isFinite ? left / settings.rate : nil
    }

    // MARK: Events

    /// Receives an event of one of the players.
    func receive(_ event: VLCEvent, at time: Duration, _ token: Token?) {
        if let standby, standby.token === token { return receive(event, from: standby) }
        guard playerToken === token else { return }
        receive(event, at: time)
    }

    func receive(_ event: VLCEvent, at time: Duration) {
        guard !isOver, !belongsToClockSync(event), !handleAudio(event) else { return }
        if event == .seekableChanged(true), player?.canSeekBytes == false { return }
        if case .streamSelected(let stream, .video) = event { player?.readVideoSize(of: stream) }
        let info = machine.wantsInfo(with: event) ? player?.info : nil
        if event == .endReached || event == .encounteredError {
            machine.readingEnded(readError)
        }
        if case .playing = event {
            // The audio server may restore the settings of an earlier stream. The reason why a new player is muted is
            // found out first.
            volumeChanged()
            // libVLC forgets it with each input.
            if settings.subtitleDelay != 0 { subtitleDelayChanged() }
            if input != nil || !isPlayerNew || settings.isMuted { mutePlayer() }
        }
        updateReading()
        perform { machine, _ in machine.handle(event, info: info, at: time) }
    }

    private func updateReading() { machine.player.hasReadAll = player?.hasReadAll == true }

    /// The reason why libVLC receives no more data; `nil` if everything was read.
    private var readError: PlaybackError? {
        if case .progressive(let item) = content {
            let hasLostStation = item.isStation && machine.hasOpened
            return item.error ?? (hasLostStation ? PlaybackError(.connectionLost, url: address) : nil)
        }
        guard let session = player?.proxySession else { return nil }
        if let error = session.error { return error }
        return session.isComplete ? nil : PlaybackError(.endedEarly, url: address)
    }

    /// The error that reading has run into, also if it is still being retried.
    private var retriedError: PlaybackError? {
        if let probe { return probe.currentError }
        if case .progressive(let item) = content { return item.currentError }
        return player?.proxySession?.currentError
    }

    // MARK: Actions

    func perform(_ body: (inout VLCStateMachine, Duration) -> [VLCStateMachine.Action]) {
        guard !isOver else { return }
        let actions = body(&machine, now)
        for action in actions { perform(action) }
        updateSinks()
        // libVLC cannot pause after it has handed out everything.
        input?.setPaused(!machine.wantsToPlay)
    }

    private func perform(_ action: VLCStateMachine.Action) {
        switch action {
        case .report(let body): report(body)
        case .pause: pausePlayer()
        case .resume: resumePlayer()
        case .seek(.time(let position)):
            player?.proxySession?.dropDelivered()
            player?.seek(to: position)
        case .seek(.window(let position)): seekPlayer(to: position, within: player?.proxySession?.media)
        case .seek(.windowBeforePause(let position)): seekPlayer(to: position, within: playlistAtResume)
        case .selectVideo(let stream): player?.selectVideo(stream)
        case .selectAudio(let stream): player?.selectAudio(stream)
        case .selectSubtitle(let stream): player?.selectSubtitle(stream)
        case .prepareSubtitles(let id, let subtitle): prepare(subtitle, id: id)
        case .readMetadata:
            guard let metadata = player?.metadata else { return }
            perform { machine, _ in machine.metadataRead(metadata) }
        case .readPlaylist: readPlaylist()
        case .watch(let seconds):
            watchTimer = Token()
            perform(after: seconds, while: \.watchTimer) { playback in
                playback.updateReading()
                playback.perform {
                    $0.checkProgress(at: $1, error: playback.retriedError, silence: playback.probe?.silence)
                }
            }
        case .awaitFrame(let seconds):
            player?.expectFrame()
            engine.perform(on: generation, after: seconds) { playback in
                guard playback.isVideoVisible, !playback.isPreloaded, playback.player?.lacksFrame == true else {
                    return
                }
                playback.perform { machine, _ in machine.frameMissing() }
            }
        case .drawFrame:
            // A window reports no frames. Usually it shows that of the seek.
            if player?.opensWindow == true { return perform { $0.endDrawing(at: $1) } }
            player?.expectFrame()
            mutePlayer()
            player?.setClockPaused(false)
        case .restoreMuting: mutePlayer()
        case .awaitEnd(let seconds): awaitEnd(in: seconds)
        case .cancelAwaitingEnd: endTimer = nil
        case .requestAddress(let error):
            closePlayers()
            (content, awaitsRestart) = (nil, true)
            report(.addressRefused(error))
        case .switchRendition(let rendition): prepareStandby(rendition)
        case .cancelRenditionSwitch: closeStandby()
        case .restart(let position, let delay): restart(at: position, after: delay)
        }
    }

    private func restart(at position: Double, after delay: Double) {
        awaitsRestart = delay > 0
        guard awaitsRestart else { return open(at: position) }
        closePlayers()
        perform(after: delay, while: \.playerToken) { playback in
            if !playback.isOver { playback.restart(at: position, after: 0) }
        }
    }

    func pausePlayer() {
        guard let player else { return }
        if player.canPause { return player.setPaused(true) }
        // libVLC knows it for certain once the item is open, and the machine repeats the action then.
        guard machine.state.isOpen else { return }
        closePlayers()
        if interruption.isActive { awaitEndOfInterruption() }
        perform { $0.closedForPause(at: $1) }
    }

    private func resumePlayer() {
        reportBufferedRange()
        playlistAtResume = player?.proxySession?.media
        if let player { return player.setPaused(false) }
        if probe == nil, !awaitsRestart { startPlayer(at: 0) }
    }

    private func seekPlayer(to position: Double, within playlist: HLSPlaylist.Media?) {
        guard let timeline = machine.timeline else { return }
        player?.proxySession?.dropDelivered()
        player?.seek(toFraction: timeline.fraction(of: position, within: playlist))
    }

    // MARK: Reports

    private func reportStatistics(before body: BackendEvent.Body) {
        guard !isPreloaded, machine.hasOpened else { return }
        let figures = statistics.figures(
            before: body, at: now, session: player?.proxySession, retries: machine.retry.total
        ) { player?.droppedFrames ?? 0 }
        if let figures { send(.statistics(figures), now) }
    }

    func report(_ body: BackendEvent.Body) {
        reportStatistics(before: body)
        let time = now
        if let event = events.take(body, at: time) { send(event, time) }
        switch body {
        case .ended, .failed: finish(body)
        default: break
        }
        if case .opened(let media) = body {
            warn(about: media)
            limitAudio(to: media)
        }
        switch body {
        case .opened:
            reportQualities()
            reportBufferedRange()
        case .seeked: reportBufferedRange()
        case .videoSizeChanged: videoSizeKnown()
        default: break
        }
    }

    private func send(_ body: BackendEvent.Body, _ time: Duration) {
        let generation = generation
        engine.assumeIsolated { $0.report(body, at: time, for: generation) }
        // An interruption that began before `opened` is reported directly after it.
        if case .opened = body, let interruption = interruption.opened() { send(interruption, time) }
    }

    private func finish(_ body: BackendEvent.Body) {
        guard !isOver else { return }
        release()
        closeStandby()
        guard case .ended = body else { return closePlayers() }
        engine.closeEnded(generation, after: (input?.secondsLeft ?? 0) + Self.outputDelay)
    }

    private func warn(about media: OpenedMedia) {
        if !media.tracks.audio.isEmpty, let notice = silenceNotice { report(.notice(notice)) }
        warnAboutDisplay(!media.tracks.video.isEmpty)
    }
}
#endif
