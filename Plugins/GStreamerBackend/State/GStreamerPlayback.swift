#if GStreamer
import AudioMixer
import Foundation
import MediaTransport
import Playback

/// One load of one item, from `open` to its end.
///
/// ## States
///
///     probing ──► starting ──► positioning ──► paused ⇄ playing ⇄ stalled ──► finished
///        ▲                                        └───── seeking ─────┘
///        ├── awaitingAddress ◄── an error in each state, if there may be another address
///        └── retrying        ◄── an error after the start, if the policy allows it
///
/// `State` holds the values that are valid in one state only. `progress` leads from one state to the next: it compares
/// the state with that of the pipeline, after each message and each tick. `isPlayWanted` is the user's intent, which no
/// state changes.
///
/// A pipeline has a `Token`. Its events carry it, and are dropped if the pipeline has been replaced since.
///
/// The class is not `Sendable`. It is used on the queue of its engine only.
final class GStreamerPlayback {
    final class Token: Sendable {}

    enum State {
        /// The content of the address is found out.
        case probing(MediaProbe, position: Double)
        /// The pipeline reads the start of the item.
        case starting(position: Double)
        /// The pipeline goes to the start position, and then to another one that was requested meanwhile.
        case positioning(next: Double?)
        case paused
        case playing
        /// Playback is wanted and data are missing.
        case stalled
        case seeking(Seek)
        /// A server has refused the address. Playback continues at this position with another one.
        case awaitingAddress(PlaybackError, position: Double)
        /// The item is opened again after a delay.
        case retrying
        case finished
    }

    struct Seek {
        let target: Double
        let tolerance: SeekTolerance
        /// `true` if the host did not request it, so that its end is not reported.
        var isSilent = false
        /// When it was sent to the pipeline.
        let start: Duration
        /// The seek to perform after this one.
        var next: (target: Double, tolerance: SeekTolerance)?
    }

    /// The end of the pipeline, and that of its audio. Either may come first.
    struct Ending {
        /// The end of the item, after the pipeline has played it. The mixer may still have audio.
        var position: Double?
        /// `true` after the last audio was heard.
        var isAudioOver = false
    }

    /// The ticks in which playback has not advanced.
    struct Ticks {
        /// The number of ticks in which the position has not moved beyond the playhead.
        var withoutProgress = 0
        /// The position at the last tick, and the number of ticks since it has changed.
        private var position = -1.0
        private(set) var unchanged = 0

        mutating func add(_ position: Double) {
            unchanged = position == self.position ? unchanged + 1 : 0
            self.position = position
        }
    }

    let request: OpenRequest
    unowned let engine: GStreamerEngine
    var state: State
    private(set) var isPlayWanted: Bool
    var playhead: Playhead

    // MARK: Preparing

    private var events: PreloadedEvents
    /// `true` until the prepared item is opened.
    var isPreloaded: Bool { events.isPreloaded }
    /// The time at which a prepared item shall start.
    private var dueTime = Duration.zero

    // MARK: The item

    /// `true` after `opened` was reported.
    var hasOpened = false
    var duration: Double?
    var isSeekable = false

    // MARK: Reading

    /// The address of the item. It changes after the first one has expired.
    var address: URL
    var content: MediaProbe.Content?
    let cookies = CookieJar()
    var statistics = StatisticsReport()
    var retry: RetryState
    var streaming = GStreamerStreaming()
    /// The live stream of an item that an element of GStreamer reads; `nil` for other items.
    var network: GStreamerNetworkSource?
    /// The last reported range of loaded data.
    var reportedRange: (range: ClosedRange<Double>, time: Duration)?

    // MARK: The pipeline

    var pipeline: GStreamerPipeline?
    var token = Token()
    private var tickToken: Token?
    var ticks = Ticks()
    /// The number of ticks in a row at which no thread of the process worked, while the pipeline of a file is late.
    var idleTicks = 0
    var ending = Ending()

    // MARK: Audio

    /// `true` after the audio device has failed.
    var hasLostAudio = false
    var interruption = AudioInterruption()

    // MARK: Tracks and metadata

    var tracks: GStreamerTracks
    /// The cues that the pipeline does not read, by the ids of the tracks.
    var separateCues: [Int: [GStreamerSubtitles.Cue]] = [:]
    /// Reads the selected subtitles of an HLS stream.
    var subtitleReader: (id: Int, stream: HLSStream, reader: HLSSubtitles)?
    /// The external subtitles that are being read, by the ids of their tracks.
    var subtitleTasks: [Int: Task<Void, Never>] = [:]
    var metadata = MediaMetadata()
    var container: String?
    /// The name of a format without a decoder.
    var missingDecoder: String?
    /// `true` if the item, or a part of it, is neither audio nor video nor a container.
    var hasOtherFormat = false
    /// The hardware decoders that have failed.
    var failedDecoders: Set<String> = []

    var settings: BackendSettings { engine.assumeIsolated { $0.settings } }

    var now: Duration { ContinuousClock().hostTime }

    /// - Parameter isPreloaded: `true` if another item plays before.
    init(_ request: OpenRequest, engine: GStreamerEngine, isPreloaded: Bool = false) {
        self.request = request
        self.engine = engine
        events = PreloadedEvents(isPreloaded: isPreloaded)
        retry = RetryState(policy: request.item.retryPolicy, canReaddress: request.canReaddress)
        streaming.quality = request.quality
        tracks = GStreamerTracks(request.item.subtitles)
        address = request.url
        state = .starting(position: request.startPosition)
        isPlayWanted = request.playsWhenReady && !isPreloaded
        playhead = Playhead(position: request.startPosition)
        playhead.setRate(engine.assumeIsolated { $0.settings.rate }, at: now)
    }

    /// The same prepared item at its start, to replace one that has started too early.
    convenience init(again other: GStreamerPlayback) {
        self.init(other.request, engine: other.engine, isPreloaded: true)
        events = other.events
        events.restart()
    }

    // MARK: Commands

    func open() { open(at: request.startPosition) }

    /// Opens a prepared item, which has perhaps started.
    func openPrepared(playing: Bool) {
        let events = events.open()
        if pipeline?.lacksAudioDevice == true {
            (hasOpened, isPlayWanted) = (false, playing)
            return open()
        }
        for (body, time) in events { send(body, at: time) }
        videoOutputChanged()
        setPlaying(playing)
    }

    /// Starts a prepared item.
    ///
    /// - Parameter delay: the time until it is due, in seconds.
    func start(after delay: Double = 0) {
        guard pipeline?.lacksAudioDevice != true else { return }
        dueTime = now + .seconds(delay)
        setPlaying(true)
    }

    /// Closes a prepared item that another one replaces. No event follows.
    func discard() { finish(nil) }

    func setPlaying(_ isPlaying: Bool) {
        isPlayWanted = isPlaying
        if isPlaying { reconnect() }
        progress()
        if isOpen { scheduleTick() }
    }

    func rateChanged() {
        let rate = settings.rate
        guard rate != playhead.rate, !hasFixedRate else { return }
        playhead.setRate(rate, at: now)
        if isOpen { applyRate() }
    }

    /// Gives the pipeline the rate of the playhead. A pipeline changes its rate with a seek.
    func applyRate() {
        if hasFixedRate { playhead.setRate(1, at: now) }
        guard let pipeline, pipeline.rate != playhead.rate else { return }
        seek(to: playhead.position(at: now), .exact, isSilent: true)
    }

    /// `true` for an item that plays at its own speed, because it cannot seek.
    var hasFixedRate: Bool { network != nil || hasOpened && !isSeekable }

    func subtitleDelayChanged() { pipeline?.setSubtitleDelay(settings.subtitleDelay) }

    func volumeChanged() { pipeline?.setVolume(settings) }

    func close() { finish(.closed) }

    /// Ends the load with its last event, if it has one. The pipeline closes after that, because GStreamer may hang in it.
    func finish(_ end: BackendEvent.Body?) {
        guard !isFinished else { return }
        if case .probing(let probe, _) = state { probe.cancel() }
        state = .finished
        if let end { report(end) }
        closePipeline()
        streaming.monitoring = nil
        for task in subtitleTasks.values { task.cancel() }
    }

    func closePipeline() {
        // A pipeline waits for its requests.
        streaming.session?.close()
        streaming.session = nil
        statistics.earlierDroppedFrames += pipeline?.droppedFrames ?? 0
        pipeline?.close()
        pipeline = nil
        token = Token()
    }

    // MARK: Progress

    /// Takes the next step that the pipeline allows.
    func progress() {
        guard let pipeline else { return }
        if isBroadcast, !isPlayWanted, isOpen { return disconnect() }
        let (isRunning, isSettled) = pipeline.state
        switch state {
        case .starting(let position) where network != nil: if isRunning { joined(at: position) }
        case .starting(let position): if isSettled { started(at: position) }
        case .positioning: if isSettled { opened() }
        case .seeking(let seek): if isSettled { finish(seek) }
        case .paused:
            let delay = max(.zero, dueTime - now - .seconds(pipeline.latency))
            pipeline.setPlaying(isPlayWanted, after: delay / .seconds(1), hasAudio: tracks.hasAudio)
            guard isPlayWanted else { return showFrame() }
            guard isRunning else { return }
            run(from: max(dueTime, now + .seconds(pipeline.latency)))
        case .playing:
            pipeline.setPlaying(isPlayWanted)
            guard !isPlayWanted, !isRunning else { return }
            stopPlayhead()
            paused()
        case .stalled:
            guard !isPlayWanted else { return }
            retry.waitingSince = nil
            paused()
        case .probing, .awaitingAddress, .retrying, .finished: return
        }
    }

    /// - Parameter start: when the first frame and the first audio are due.
    private func run(from start: Duration) {
        if let position, ending.position == nil { playhead.jump(to: position, at: now) }
        state = .playing
        (ticks, retry.waitingSince) = (Ticks(), nil)
        playhead.advance(at: start)
        report(.playing(position: playhead.position(at: start)), at: start)
        scheduleTick()
        endIfOver()
    }

    private func paused() {
        state = .paused
        report(.paused(position: playhead.position(at: now)))
        showFrame()
    }

    func stopPlayhead() {
        if let position, ending.position == nil { playhead.sync(to: position, at: now) }
        playhead.pause(at: now)
    }

    /// Stops the playhead, because the pipeline is about to be replaced.
    ///
    /// - Returns: the position at which the next pipeline starts.
    func pausePlayhead() -> Double {
        let position = playhead.position(at: now)
        if case .playing = state { report(.stalled(position: position)) }
        playhead.pause(at: now)
        switch state {
        case .seeking(let seek):
            let target = seek.next?.target ?? seek.target
            if !seek.isSilent { streaming.seek = target }
            return target
        case .positioning(let next?): streaming.seek = next
        default: break
        }
        return streaming.seek ?? position
    }

    /// Stops the playhead because data are missing. The pipeline pauses, because its clock would run on. The clock of a
    /// live source does so too.
    func stall() {
        guard case .playing = state else { return }
        stopPlayhead()
        state = .stalled
        retry.waitingSince = now
        if network == nil { pipeline?.setPlaying(false) }
        report(.stalled(position: playhead.position(at: now)))
        report(.buffered(.empty))
        lowerQuality()
    }

    /// Playback resumes after a stall.
    func endStall() {
        report(.buffered(BufferLevel(percentage: 100)))
        state = .paused
        progress()
    }

    // MARK: Ticks

    /// The time between two ticks, in seconds.
    static let interval = 0.25
    private static let pausedInterval = 1.0

    /// Schedules the next tick. Each tick schedules another one.
    func scheduleTick() {
        guard !isFinished else { return }
        let isMoving = if case .paused = state { false } else { true }
        let isLocal = address.isFileURL && content == nil
        tickToken = Token()
        guard isMoving || !isLocal else { return }
        let current = tickToken
        engine.perform(on: request.generation, after: isMoving ? Self.interval : Self.pausedInterval) { playback in
            guard playback.tickToken === current else { return }
            playback.checkProgress()
            playback.scheduleTick()
        }
    }

    private func checkProgress() {
        progress()
        switch state {
        case .playing: reportTime()
        case .stalled: checkStall()
        default: break
        }
        checkFailure()
        checkTimeout()
        streaming.noteOrigin()
        readSubtitles()
        reportBufferedRange()
    }

    private func reportTime() {
        if let end = ending.position { return checkDraining(to: end) }
        guard let position, now >= dueTime else { return }
        retry.played += max(0, position - playhead.anchor)
        let hasMoved = position > playhead.anchor
        ticks.withoutProgress = hasMoved ? 0 : ticks.withoutProgress + 1
        if isStarving {
            // Some servers end a recording without a message, and the message for one of its streams may be lost.
            return isRecordingOver(at: now) ? liveEnded(at: now) : stall()
        }
        playhead.sync(to: max(position, playhead.anchor), at: now)
        report(.time(position: playhead.position(at: now)))
        ticks.add(position)
        checkEnd(at: position, unchangedFor: ticks.unchanged)
    }

    // MARK: Reports

    func report(_ body: BackendEvent.Body, at time: Duration? = nil) {
        let time = time ?? now
        guard let event = events.take(body, at: time) else { return }
        if hasOpened, !isPreloaded, let figures = newStatistics(before: body) { send(.statistics(figures), at: time) }
        send(event, at: time)
    }

    private func send(_ body: BackendEvent.Body, at time: Duration) {
        let generation = request.generation
        engine.assumeIsolated { $0.report(body, at: time, for: generation) }
        // An interruption that began earlier is reported directly after `opened`.
        if case .opened = body, let interruption = interruption.opened() { send(interruption, at: time) }
    }

    private func newStatistics(before body: BackendEvent.Body) -> PlaybackStatistics? {
        statistics.figures(
            before: body, at: now, session: streaming.session, retries: retry.total,
            videoDecoder: pipeline?.videoDecoder
        ) { pipeline?.droppedFrames ?? 0 }
    }

    func fail(_ error: PlaybackError) {
        finish(.failed(error, position: playhead.position(at: now)))
    }

    // MARK: Derived values

    var isFinished: Bool { if case .finished = state { true } else { false } }

    var isPlaying: Bool { if case .playing = state { true } else { false } }

    /// `true` if the pipeline can be commanded.
    var isOpen: Bool {
        switch state {
        case .paused, .playing, .stalled, .seeking: true
        case .probing, .starting, .positioning, .awaitingAddress, .retrying, .finished: false
        }
    }

    /// `true` if the item comes from a server or from another program, so that its data may be late.
    ///
    /// A local file can seek, and a named pipe cannot.
    var isRemote: Bool { content != nil || !address.isFileURL || pipeline?.source?.isSeekable == false }
}
#endif
