import Foundation
import Playback

/// Plays a script as an engine plays a file. Pure: the time is a parameter.
struct SimulatedEngine {
    private enum Phase {
        case closed
        case opening(until: Duration)
        /// Opened ahead of its turn.
        case prepared
        case standing
        case running(nextTick: Duration)
        case stalled(until: Duration)
        /// Waits for another address, before it is open or after.
        case refused(PlaybackError, isOpen: Bool)
    }

    private static let tick = Duration.milliseconds(250)
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
    private var position = 0.0
    private var positionTime = Duration.zero
    private var pendingSeek: (target: Double, due: Duration)?
    private var comingStalls: ArraySlice<SimulatedMedia.Stall> = []
    private var comingSizes: ArraySlice<SimulatedMedia.SizeChange> = []
    private var comingInterruptions: ArraySlice<SimulatedMedia.Interruption> = []
    private var interruption: Interruption?
    private var comingFailure: (position: Double, error: PlaybackError)?
    /// The next place where something happens.
    private var scriptedEvent: ScriptedEvent?
    /// Where another address was asked for last.
    private var refusedAt: Double?
    private var size: VideoSize?
    /// When the stream was opened, and when its window moves next.
    private var windowTimes: (opening: Duration, next: Duration)?
    private var output: [BackendEvent] = []

    init(script: @escaping @Sendable (URL) -> SimulatedMedia) {
        self.script = script
    }

    /// The time of the next scheduled event.
    var deadline: Duration? {
        var next: Duration?
        func happens(at time: Duration?) {
            if let time { next = min(next ?? time, time) }
        }
        switch phase {
        case .closed, .standing, .prepared, .refused: break
        case .opening(let due), .stalled(let due): happens(at: due)
        case .running(let nextTick):
            happens(at: nextTick)
            happens(at: scriptedEvent.map { time(of: $0) })
        }
        happens(at: pendingSeek?.due)
        if isOpen { happens(at: interruption?.end) }
        happens(at: windowTimes?.next)
        return next
    }

    mutating func handle(_ command: BackendCommand, at now: Duration) -> [BackendEvent] {
        output = []
        move(to: now)
        switch command {
        case .open(let request): open(request, at: now)
        case .play(generation):
            if !wantsToPlay, isOpen { finishInterruption(shouldResume: true, at: now) }
            wantsToPlay = true
            if case .standing = phase { run(at: now) }
        case .pause(generation):
            wantsToPlay = false
            if case .running = phase {
                phase = .standing
                tell(.paused(position: position), at: now)
            }
        case .seek(generation, let target): seek(to: target, at: now)
        case .readdress(generation, let url): readdress(to: url, at: now)
        case .close(generation): close(at: now)
        case .setRate(let rate): self.rate = rate
        case .prepare, .play, .pause, .seek, .readdress, .close, .setVolume, .setMuted, .setRole, .setPicture,
            .selectAudio,
            .selectSubtitle:
            break
        }
        return output
    }

    /// Opens an item ahead of its turn.
    mutating func prepare(_ request: OpenRequest, rate: Double, at now: Duration) -> [BackendEvent] {
        output = []
        self.rate = rate
        open(request, at: now)
        isPreloaded = true
        return output
    }

    /// It is the turn of what was opened ahead.
    mutating func begin(_ request: OpenRequest, at now: Duration) -> [BackendEvent] {
        output = []
        isPreloaded = false
        wantsToPlay = request.playsWhenReady
        positionTime = now
        if case .prepared = phase { opened(at: now) }
        return output
    }

    /// Lets happen what is due.
    mutating func advance(to now: Duration) -> [BackendEvent] {
        output = []
        while let due = deadline, due <= now { step(at: due) }
        return output
    }

    private mutating func open(_ request: OpenRequest, at now: Duration) {
        close(at: now)
        self.request = request
        media = script(request.url)
        wantsToPlay = request.playsWhenReady
        position = min(request.startPosition, media.duration ?? .infinity)
        positionTime = now
        if let length = media.dvrWindow { position = length }
        (size, refusedAt) = (nil, nil)
        expectChanges()
        phase = .opening(until: now + .seconds(media.loadDelay))
    }

    /// The address is refused.
    private mutating func expire(at now: Duration) {
        let error = PlaybackError(httpStatus: 403, url: request.url)
        let wasAnsweredInVain = refusedAt.map { position - $0 < 1 } ?? false
        guard request.canReaddress, !wasAnsweredInVain else {
            return finish(.failed(error, position: position), at: now)
        }
        refusedAt = position
        if case .running = phase { tell(.stalled(position: position), at: now) }
        phase = .refused(error, isOpen: isOpen)
        tell(.addressRefused(error), at: now)
    }

    private mutating func readdress(to url: URL?, at now: Duration) {
        guard case .refused(let error, let wasOpen) = phase else { return }
        guard let url else { return finish(.failed(error, position: position), at: now) }
        media = script(url)
        expectChanges()
        phase =
            wasOpen
            ? .stalled(until: now + .seconds(media.loadDelay)) : .opening(until: now + .seconds(media.loadDelay))
    }

    private mutating func close(at now: Duration) {
        if case .closed = phase { return }
        finish(.closed, at: now)
    }

    private mutating func finish(_ body: BackendEvent.Body, at now: Duration) {
        phase = .closed
        pendingSeek = nil
        windowTimes = nil
        interruption = nil
        tell(body, at: now)
    }

    private mutating func seek(to target: Double, at now: Duration) {
        if case .closed = phase { return }
        guard media.isSeekable else { return tell(.seekFailed(position: position), at: now) }
        pendingSeek = (target, now + .seconds(media.seekDelay))
    }

    /// Collects the scripted events after the position.
    private mutating func expectChanges() {
        comingStalls = media.stalls.drop { $0.position < position }
        comingSizes = media.sizes.drop { $0.position < position }
        comingInterruptions = media.interruptions.drop { $0.position < position }
        comingFailure = media.failure.flatMap { failure in
            failure.position.flatMap { $0 < position ? nil : ($0, failure.error) }
        }
        scriptedEvent = nextScriptedEvent
    }

    private mutating func step(at now: Duration) {
        move(to: now)
        if let seek = pendingSeek, seek.due <= now { return finish(seek, at: now) }
        if let times = windowTimes, times.next <= now { return moveWindow(times, at: now) }
        if isOpen, let interruption, interruption.end.map({ $0 <= now }) == true {
            return finishInterruption(shouldResume: interruption.shouldResume, at: now)
        }
        switch phase {
        case .closed, .standing, .prepared, .refused: break
        case .opening: opened(at: now)
        case .stalled: run(at: now)
        case .running(let nextTick):
            if let scriptedEvent, position >= scriptedEvent.position - 1e-6 { return reach(scriptedEvent, at: now) }
            phase = .running(nextTick: nextTick + Self.tick)
            tell(.time(position: position), at: now)
        }
    }

    private mutating func opened(at now: Duration) {
        if let failure = media.failure, failure.position == nil {
            return finish(.failed(failure.error, position: 0), at: now)
        }
        if let expiry = media.expiry, expiry <= position { return expire(at: now) }
        if isPreloaded {
            phase = .prepared
            return tell(.prepared, at: now)
        }
        let window = media.dvrWindow.map { DVRWindow(start: 0, end: $0) }
        if window != nil { windowTimes = (now, now + Self.segment) }
        tell(.buffered(media.playbackType == .file ? .whole : BufferLevel(percentage: 100)), at: now)
        tell(
            .opened(
                OpenedMedia(
                    duration: media.duration, isSeekable: media.isSeekable, playbackType: media.playbackType,
                    tracks: tracks, subtitle: media.subtitle, dvrWindow: window, position: position)), at: now)
        if !media.metadata.isEmpty { tell(.metadataChanged(media.metadata), at: now) }
        showSize(at: now)
        phase = .standing
        if interruption != nil { tell(.interruptionBegan, at: now) }
        if wantsToPlay { run(at: now) }
    }

    /// Reports the size of the video at the position, if it changed.
    private mutating func showSize(at now: Duration) {
        let first = media.tracks.video.first.map { VideoSize(width: $0.width, height: $0.height) }
        let change = media.sizes.last { $0.position <= position }
        let current = change.map(\.size) ?? first
        guard current != size else { return }
        size = current
        tell(.videoSizeChanged(current), at: now)
    }

    private var tracks: MediaTracks {
        var tracks = media.tracks
        tracks.subtitles += request.item.subtitles.enumerated().map { index, subtitle in
            SubtitleTrack(id: Self.firstExternalSubtitle + index, name: subtitle.name, lang: subtitle.lang)
        }
        return tracks
    }

    private mutating func moveWindow(_ times: (opening: Duration, next: Duration), at now: Duration) {
        windowTimes?.next += Self.segment
        let start = (now - times.opening).inSeconds
        tell(.dvrWindowChanged(DVRWindow(start: start, end: start + (media.dvrWindow ?? 0))), at: now)
        guard position < start else { return }
        // A pause that outlasts the window ends at the window's beginning.
        position = start
        positionTime = now
    }

    private mutating func run(at now: Duration) {
        guard wantsToPlay else {
            phase = .standing
            return
        }
        if case .stalled = phase { tell(.buffered(BufferLevel(percentage: 100)), at: now) }
        phase = .running(nextTick: now + Self.tick)
        tell(.playing(position: position), at: now)
    }

    private mutating func finish(_ seek: (target: Double, due: Duration), at now: Duration) {
        pendingSeek = nil
        position = min(seek.target, media.duration ?? .infinity)
        expectChanges()
        if case .stalled = phase { run(at: now) }
        tell(.seeked(position: position), at: now)
        showSize(at: now)
    }

    // MARK: The environment

    private struct Interruption {
        /// `nil`: until somebody ends it.
        var end: Duration?
        var shouldResume = true
    }

    private var isOpen: Bool {
        switch phase {
        case .closed, .opening, .prepared: false
        case .standing, .running, .stalled: true
        case .refused(_, let isOpen): isOpen
        }
    }

    /// Begins an interruption. Reported once the item is open.
    mutating func beginInterruption(at now: Duration) -> [BackendEvent] {
        output = []
        move(to: now)
        begin(Interruption(), at: now)
        return output
    }

    mutating func endInterruption(shouldResume: Bool, at now: Duration) -> [BackendEvent] {
        output = []
        move(to: now)
        finishInterruption(shouldResume: shouldResume, at: now)
        return output
    }

    mutating func changeRoute(_ change: AudioRouteChange, at now: Duration) -> [BackendEvent] {
        output = []
        if isOpen { tell(.routeChanged(change), at: now) }
        return output
    }

    private mutating func begin(_ interruption: Interruption, at now: Duration) {
        let isNew = self.interruption == nil
        self.interruption = interruption
        if isNew, isOpen { tell(.interruptionBegan, at: now) }
    }

    private mutating func finishInterruption(shouldResume: Bool, at now: Duration) {
        guard interruption != nil else { return }
        interruption = nil
        if isOpen { tell(.interruptionEnded(shouldResume: shouldResume), at: now) }
    }

    // MARK: Places where something happens

    private enum ScriptedEvent {
        case stall(SimulatedMedia.Stall)
        case size(SimulatedMedia.SizeChange)
        case interruption(SimulatedMedia.Interruption)
        case failure(PlaybackError, at: Double)
        case expiry(at: Double)
        case end(Double)

        var position: Double {
            switch self {
            case .stall(let stall): stall.position
            case .size(let change): change.position
            case .interruption(let interruption): interruption.position
            case .failure(_, let position), .expiry(let position), .end(let position): position
            }
        }
    }

    private var nextScriptedEvent: ScriptedEvent? {
        var candidates: [ScriptedEvent] = []
        if let failure = comingFailure { candidates.append(.failure(failure.error, at: failure.position)) }
        if let expiry = media.expiry, expiry >= position { candidates.append(.expiry(at: expiry)) }
        if let stall = comingStalls.first { candidates.append(.stall(stall)) }
        if let change = comingSizes.first { candidates.append(.size(change)) }
        if let interruption = comingInterruptions.first { candidates.append(.interruption(interruption)) }
        if let duration = media.duration { candidates.append(.end(duration)) }
        return candidates.min { $0.position < $1.position }
    }

    private mutating func reach(_ scriptedEvent: ScriptedEvent, at now: Duration) {
        defer { self.scriptedEvent = nextScriptedEvent }
        switch scriptedEvent {
        case .stall(let stall):
            comingStalls.removeFirst()
            phase = .stalled(until: now + .seconds(stall.duration))
            tell(.buffered(.empty), at: now)
            tell(.stalled(position: position), at: now)
        case .size(let change):
            position = max(position, change.position)
            comingSizes.removeFirst()
            showSize(at: now)
        case .interruption(let interruption):
            position = max(position, interruption.position)
            comingInterruptions.removeFirst()
            let end = now + .seconds(interruption.duration)
            begin(Interruption(end: end, shouldResume: interruption.shouldResume), at: now)
        case .failure(let error, let position): finish(.failed(error, position: position), at: now)
        case .expiry: expire(at: now)
        case .end(let end): finish(.ended(position: end), at: now)
        }
    }

    private func time(of scriptedEvent: ScriptedEvent) -> Duration {
        positionTime + .seconds(max(0, scriptedEvent.position - position) / rate) + .nanoseconds(1)
    }

    private mutating func move(to now: Duration) {
        if case .running = phase {
            position = min(
                position + (now - positionTime).inSeconds * rate, scriptedEvent?.position ?? .infinity)
        }
        positionTime = now
    }

    private mutating func tell(_ body: BackendEvent.Body, at now: Duration) {
        output.append(BackendEvent(body, generation: generation, hostTime: now))
    }
}
