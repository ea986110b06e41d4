import Foundation
import Playback

/// Plays a script as an engine plays a file. Pure: the time is a parameter.
struct SimulatedEngine {
    private enum Phase {
        case closed
        case opening(until: Duration)
        /// Opened ahead of its turn.
        case prepared
        case paused
        case running(nextTick: Duration)
        case stalled(until: Duration)
        /// `true` while it waits for another address.
        case refused(PlaybackError, isOpen: Bool)
    }

    private enum ScriptedAction {
        case stall(for: Double)
        case size
        case interruption(SimulatedMedia.Interruption)
        case failure(PlaybackError)
        case expiry
        case end
    }

    private struct Interruption {
        /// `nil` until `endInterruption` or `play`.
        var end: Duration?
        var shouldResume = true
    }

    private static let tick = Duration.milliseconds(250)
    /// How often the buffered range is reported while the playhead runs, in ticks.
    private static let ticksOfRange = 4
    /// How often the window of a live stream moves: the length of a segment.
    private static let segment = Duration.seconds(2)
    /// The first number of external subtitles.
    private static let firstExternalSubtitle = 1000

    private let script: @Sendable (URL) -> SimulatedMedia
    private var media = SimulatedMedia()
    private var request = OpenRequest(generation: .none, item: PlayerItem(url: URL(filePath: "/")))
    private var isPreloaded = false
    var generation: Generation { request.generation }
    private var phase = Phase.closed
    private var wantsToPlay = false
    private(set) var rate = 1.0
    private var now = Duration.zero
    /// Where the playhead is now.
    private var position = 0.0
    private var pendingSeek: (target: Double, due: Duration)?
    /// Everything that happens at a later position, the next one first.
    private var coming: ArraySlice<(position: Double, action: ScriptedAction)> = []
    private var interruption: Interruption?
    /// The position of the last request for another address.
    private var refusedAt: Double?
    private var size: VideoSize?
    /// The selected quality.
    private var quality: VideoQuality?
    /// The number of ticks since the buffered range was reported.
    private var ticks = 0
    /// When the stream was opened, and when its window moves next.
    private var windowTimes: (opening: Duration, next: Duration)?
    private var output: [BackendEvent] = []

    init(script: @escaping @Sendable (URL) -> SimulatedMedia) {
        self.script = script
    }

    /// The time of the next scheduled event.
    var deadline: Duration? {
        var times: [Duration?] = [pendingSeek?.due, windowTimes?.next, isOpen ? interruption?.end : nil]
        switch phase {
        case .closed, .paused, .prepared, .refused: break
        case .opening(let due), .stalled(let due): times.append(due)
        case .running(let nextTick): times += [nextTick, coming.first.map { time(of: $0.position) }]
        }
        return times.compactMap(\.self).min()
    }

    /// Performs an action at a time.
    ///
    /// - Returns: the events that it causes.
    mutating func perform(at now: Duration, _ action: (inout Self) -> Void) -> [BackendEvent] {
        output = []
        move(to: now)
        action(&self)
        return output
    }

    mutating func handle(_ command: BackendCommand, at now: Duration) -> [BackendEvent] {
        perform(at: now) { $0.handle(command) }
    }

    /// Performs everything that is due.
    mutating func advance(to now: Duration) -> [BackendEvent] {
        output = []
        while let due = deadline, due <= now { step(at: due) }
        return output
    }

    // MARK: Commands

    private mutating func handle(_ command: BackendCommand) {
        switch command {
        case .open(let request): open(request)
        case .play(generation):
            if !wantsToPlay, isOpen { endInterruption(shouldResume: true) }
            wantsToPlay = true
            if case .paused = phase { run() }
        case .pause(generation):
            wantsToPlay = false
            if case .running = phase {
                phase = .paused
                send(.paused(position: position))
            }
        case .seek(generation, let target, let tolerance):
            seek(to: tolerance == .exact ? target : keyframe(before: target))
        case .readdress(generation, let url): readdress(to: url)
        case .close(generation): close()
        case .selectQuality(generation, let quality):
            self.quality = quality
            if isOpen { showSize() }
        case .setRate(let rate): self.rate = rate
        default: break
        }
    }

    /// Opens an item ahead of its turn.
    mutating func prepare(_ request: OpenRequest, rate: Double) {
        self.rate = rate
        open(request)
        isPreloaded = true
    }

    /// Starts the preloaded item.
    mutating func begin(_ request: OpenRequest) {
        isPreloaded = false
        wantsToPlay = request.playsWhenReady
        if case .prepared = phase { opened() }
    }

    mutating func close() {
        if case .closed = phase { return }
        finish(.closed)
    }

    private mutating func open(_ request: OpenRequest) {
        close()
        self.request = request
        media = script(request.url).bounded
        wantsToPlay = request.playsWhenReady
        position =
            media.dvrWindow.map { max(0, $0 - media.liveDelay) }
            ?? min(request.startPosition, media.duration ?? .infinity)
        (size, refusedAt, quality) = (nil, nil, request.quality)
        collectScriptedActions()
        phase = .opening(until: now + .seconds(media.loadDelay))
    }

    /// The address is refused.
    private mutating func expire() {
        let error = PlaybackError(httpStatus: 403, url: request.url)
        let wasAnsweredInVain = refusedAt.map { position - $0 < 1 } ?? false
        guard request.canReaddress, !wasAnsweredInVain else { return finish(.failed(error, position: position)) }
        refusedAt = position
        if case .running = phase { send(.stalled(position: position)) }
        phase = .refused(error, isOpen: isOpen)
        send(.addressRefused(error))
    }

    private mutating func readdress(to url: URL?) {
        guard case .refused(let error, let wasOpen) = phase else { return }
        guard let url else { return finish(.failed(error, position: position)) }
        media = script(url).bounded
        collectScriptedActions()
        let due = now + .seconds(media.loadDelay)
        phase = wasOpen ? .stalled(until: due) : .opening(until: due)
    }

    private mutating func finish(_ body: BackendEvent.Body) {
        phase = .closed
        pendingSeek = nil
        windowTimes = nil
        interruption = nil
        send(body)
    }

    private mutating func seek(to target: Double) {
        if case .closed = phase { return }
        guard media.isSeekable else { return send(.seekFailed(position: position)) }
        pendingSeek = (target, now + .seconds(media.seekDelay))
    }

    private func keyframe(before target: Double) -> Double {
        let keyframe = (target / media.keyframeInterval).rounded(.down) * media.keyframeInterval
        return keyframe.isFinite ? keyframe : target
    }

    // MARK: Playback

    private mutating func step(at due: Duration) {
        move(to: due)
        if let seek = pendingSeek, seek.due <= now { return finishSeek(to: seek.target) }
        if let times = windowTimes, times.next <= now { return moveWindow(since: times.opening) }
        if isOpen, let interruption, let end = interruption.end, end <= now {
            return endInterruption(shouldResume: interruption.shouldResume)
        }
        switch phase {
        case .closed, .paused, .prepared, .refused: break
        case .opening: opened()
        case .stalled: run()
        case .running(let nextTick):
            if let next = coming.first, position >= next.position - 1e-6 { return performScriptedAction() }
            phase = .running(nextTick: nextTick + Self.tick)
            send(.time(position: position))
            ticks += 1
            if ticks == Self.ticksOfRange { showRange() }
        }
    }

    private mutating func opened() {
        if let failure = media.failure, failure.position == nil { return finish(.failed(failure.error, position: 0)) }
        if let expiry = media.expiry, expiry <= position { return expire() }
        if isPreloaded {
            phase = .prepared
            return send(.prepared)
        }
        let window = media.dvrWindow.map { DVRWindow(start: 0, end: $0) }
        if window != nil { windowTimes = (now, now + Self.segment) }
        send(.buffered(media.playbackType == .file ? .whole : BufferLevel(percentage: 100)))
        let opened = OpenedMedia(
            duration: media.duration, isSeekable: media.isSeekable, playbackType: media.playbackType,
            tracks: tracks, subtitle: media.subtitle, dvrWindow: window, position: position)
        send(.opened(opened))
        if !qualities.isEmpty { send(.qualitiesChanged(qualities)) }
        if !media.markers.isEmpty { send(.markersChanged(media.markers)) }
        showRange()
        if !media.metadata.isEmpty { send(.metadataChanged(media.metadata)) }
        showSize()
        phase = .paused
        if interruption != nil { send(.interruptionBegan) }
        if wantsToPlay { run() }
    }

    /// Reports the size of the video at the position, if it changed.
    private mutating func showSize() {
        let change = media.sizes.last { $0.position <= position }
        let selected = qualities.first { $0 == quality }
        let automatic = change.map(\.size) ?? media.tracks.video.first?.size
        let current = selected.map { VideoSize(width: $0.width, height: $0.height) } ?? automatic
        guard current != size else { return }
        size = current
        send(.videoSizeChanged(current))
    }

    private var qualities: [VideoQuality] {
        let limit = request.item.maximumResolution ?? VideoSize(width: .max, height: .max)
        return media.qualities.filter { VideoSize(width: $0.width, height: $0.height).fits(in: limit) }.bestFirst
    }

    private var tracks: MediaTracks {
        var tracks = media.tracks
        tracks.subtitles += request.item.subtitles.enumerated().map { index, subtitle in
            SubtitleTrack(id: Self.firstExternalSubtitle + index, name: subtitle.name, lang: subtitle.lang)
        }
        return tracks
    }

    private mutating func moveWindow(since opening: Duration) {
        windowTimes?.next += Self.segment
        let start = (now - opening).inSeconds
        send(.dvrWindowChanged(DVRWindow(start: start, end: start + (media.dvrWindow ?? 0))))
        // A pause that outlasts the window ends at the window's beginning.
        position = max(position, start)
    }

    private mutating func run() {
        guard wantsToPlay else {
            phase = .paused
            return
        }
        if case .stalled = phase { send(.buffered(BufferLevel(percentage: 100))) }
        phase = .running(nextTick: now + Self.tick)
        send(.playing(position: position))
    }

    private mutating func finishSeek(to target: Double) {
        pendingSeek = nil
        position = min(target, media.duration ?? .infinity)
        collectScriptedActions()
        if case .stalled = phase { run() }
        send(.seeked(position: position))
        showRange()
        showSize()
    }

    private mutating func showRange() {
        ticks = 0
        guard let ahead = media.bufferAhead else { return }
        send(.bufferedRangesChanged([position...min(position + ahead, media.duration ?? .infinity)]))
    }

    private mutating func move(to now: Duration) {
        if case .running = phase {
            position = min(position + (now - self.now).inSeconds * rate, coming.first?.position ?? .infinity)
        }
        self.now = now
    }

    private mutating func send(_ body: BackendEvent.Body) {
        output.append(BackendEvent(body, generation: generation, hostTime: now))
    }

    // MARK: The environment

    private var isOpen: Bool {
        switch phase {
        case .closed, .opening, .prepared: false
        case .paused, .running, .stalled: true
        case .refused(_, let isOpen): isOpen
        }
    }

    /// Begins an interruption. Reported once the item is open.
    mutating func beginInterruption() { begin(Interruption()) }

    mutating func endInterruption(shouldResume: Bool) {
        guard interruption != nil else { return }
        interruption = nil
        if isOpen { send(.interruptionEnded(shouldResume: shouldResume)) }
    }

    mutating func changeRoute(_ change: AudioRouteChange) { if isOpen { send(.routeChanged(change)) } }

    private mutating func begin(_ interruption: Interruption) {
        let isNew = self.interruption == nil
        self.interruption = interruption
        if isNew, isOpen { send(.interruptionBegan) }
    }

    // MARK: Places where something happens

    /// Collects what the script does after the position.
    private mutating func collectScriptedActions() {
        var actions: [(position: Double, action: ScriptedAction)] = []
        if let failure = media.failure, let place = failure.position {
            actions.append((place, .failure(failure.error)))
        }
        if let expiry = media.expiry { actions.append((expiry, .expiry)) }
        for stall in media.stalls { actions.append((stall.position, .stall(for: stall.duration))) }
        for change in media.sizes { actions.append((change.position, .size)) }
        for pause in media.interruptions { actions.append((pause.position, .interruption(pause))) }
        actions.removeAll { $0.position < position }
        if let duration = media.duration { actions.append((duration, .end)) }
        coming = actions.sorted { $0.position < $1.position }[...]
    }

    private mutating func performScriptedAction() {
        let (place, action) = coming.removeFirst()
        position = max(position, place)
        switch action {
        case .stall(let duration):
            phase = .stalled(until: now + .seconds(duration))
            send(.buffered(.empty))
            send(.stalled(position: position))
        case .size: showSize()
        case .interruption(let interruption):
            let end = now + .seconds(interruption.duration)
            begin(Interruption(end: end, shouldResume: interruption.shouldResume))
        case .failure(let error): finish(.failed(error, position: place))
        case .expiry: expire()
        case .end: finish(.ended(position: place))
        }
    }

    private func time(of place: Double) -> Duration {
        now + .seconds(max(0, place - position) / rate) + .nanoseconds(1)
    }
}
