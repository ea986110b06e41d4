import Foundation

/// The rules of playback: takes what is asked and what the engine tells, keeps the snapshot, and says what to do.
///
/// Pure: it has no clock, no engine and waits for nothing. Every pair of a state and an input is defined.
public struct PlaybackMachine: Sendable {
    /// Everything that happens to a player. `at` is the time by the player's clock.
    public enum Input: Codable, Hashable, Sendable {
        /// Somebody asks for something.
        case command(PlayerCommand, at: Duration)
        /// The engine tells something, which carries its own time.
        case backend(BackendEvent)
    }

    /// What is to be done because of an input.
    public enum Effect: Codable, Hashable, Sendable {
        /// Pass this on to the engine.
        case send(BackendCommand)
        /// Find out what to play: `resolve` or `failResolving` of this generation is awaited.
        case resolve(Generation)
    }

    /// The player as it is after all inputs so far.
    public private(set) var snapshot = PlayerSnapshot()
    private let capabilities: BackendCapabilities
    private var seeks = SeekCoalescer()
    private var itemCount = 0
    private var noticeCount = 0
    private var noticesBefore = 0
    private var effects: [Effect] = []

    /// - Parameter capabilities: what the engine can do; by default, everything.
    public init(capabilities: BackendCapabilities = .init(features: Set(BackendCapabilities.Feature.allCases))) {
        self.capabilities = capabilities
    }

    /// Takes one input. The effects are to be performed in their order.
    public mutating func handle(_ input: Input) -> [Effect] {
        effects = []
        noticesBefore = noticeCount
        switch input {
        case .command(let command, let time): handle(command, at: time)
        case .backend(let event): handle(event)
        }
        assert(snapshot.brokenRules.isEmpty, "\(input) breaks: \(snapshot.brokenRules)")
        return effects
    }
}

// MARK: - Commands

extension PlaybackMachine {
    private mutating func handle(_ command: PlayerCommand, at time: Duration) {
        switch command {
        case .load(let item, let autoPlay, let start): load(item, autoPlay: autoPlay, from: start, at: time)
        case .loadDeferred(let autoPlay, let start): load(nil, autoPlay: autoPlay, from: start, at: time)
        case .reload(let autoPlay):
            if let item = snapshot.item {
                load(item.isDeferred ? nil : item.source, autoPlay: autoPlay, from: 0, at: time)
            }
        case .resolve(let generation, let item): resolve(generation, item)
        case .failResolving(let generation, let error):
            guard generation == snapshot.generation, snapshot.isResolving else { return }
            failed(error, at: snapshot.position, time: time)
        case .play: play(at: time)
        case .pause: setIntent(wantsToPlay: false, at: time)
        case .stop: stop(at: time)
        case .seek(let target): seek(to: target, at: time)
        case .setRate(let rate): setRate(rate, at: time)
        case .setVolume(let volume): setVolume(volume)
        case .setMuted(let isMuted):
            guard isMuted != snapshot.isMuted else { return }
            snapshot.isMuted = isMuted
            send(.setMuted(isMuted))
        case .selectAudio(let id): selectAudio(id)
        case .selectSubtitle(let id): selectSubtitle(id == SubtitleTrack.off.id ? nil : id)
        case .warn(let notice): warn(notice)
        case .suppress(let reason):
            changeIntent(at: time) { $0.suppression.insert(reason) }
        case .unsuppress(let reason):
            changeIntent(at: time) { $0.suppression.remove(reason) }
        }
    }

    private mutating func load(_ item: PlayerItem?, autoPlay: Bool, from start: Double, at time: Duration) {
        itemCount += 1
        forgetItem()
        snapshot.item = .init(number: itemCount, isDeferred: item == nil, source: item)
        open(at: start.isFinite ? max(0, start) : 0, wantsToPlay: autoPlay, time: time)
    }

    private mutating func resolve(_ generation: Generation, _ item: PlayerItem) {
        guard generation == snapshot.generation, snapshot.isResolving else { return }
        snapshot.item?.source = item
        sendOpen(item)
    }

    /// What is known of an item goes with it.
    private mutating func forgetItem() {
        snapshot.item = nil
        snapshot.duration = nil
        snapshot.isSeekable = false
        snapshot.playbackType = .unknown
        snapshot.metadata = MediaMetadata()
        snapshot.tracks = nil
        snapshot.audio = nil
        snapshot.subtitle = nil
        snapshot.videoSize = nil
        snapshot.dvrWindow = nil
        snapshot.bufferLevel = .empty
    }

    /// Opens the item that is loaded, as a new generation.
    private mutating func open(at position: Double, wantsToPlay: Bool, time: Duration) {
        guard let item = snapshot.item else { return }
        endSeeking()
        snapshot.generation = snapshot.generation.next
        snapshot.phase = .opening
        snapshot.hasStarted = false
        snapshot.error = nil
        snapshot.wantsToPlay = wantsToPlay
        snapshot.bufferLevel = .empty
        placePlayhead(at: position, time: time)
        guard let source = item.source else { return effects.append(.resolve(snapshot.generation)) }
        sendOpen(source)
    }

    private mutating func sendOpen(_ item: PlayerItem) {
        snapshot.metadata = item.metadata.completed(by: snapshot.metadata)
        if !item.subtitles.isEmpty { warnIfMissing(.externalSubtitles) }
        if item.preferredPeakBitRate != nil { warnIfMissing(.peakBitRate) }
        send(
            .open(
                OpenRequest(
                    generation: snapshot.generation, item: item, startPosition: snapshot.position,
                    playsWhenReady: snapshot.shouldPlay)))
    }

    private mutating func play(at time: Duration) {
        switch snapshot.phase {
        case .idle: warn("nothingLoaded", "There is nothing to play: load a medium first.")
        case .ended: open(at: 0, wantsToPlay: true, time: time)
        case .failed: open(at: snapshot.isSeekable ? snapshot.position : 0, wantsToPlay: true, time: time)
        case .opening, .ready, .stalled: setIntent(wantsToPlay: true, at: time)
        }
    }

    private mutating func stop(at time: Duration) {
        guard snapshot.phase != .idle else { return }
        endSeeking()
        let wasOpen = snapshot.isOpen && !snapshot.isResolving
        forgetItem()
        snapshot.phase = .idle
        snapshot.error = nil
        snapshot.wantsToPlay = false
        snapshot.hasStarted = false
        placePlayhead(at: 0, time: time)
        if wasOpen { send(.close(snapshot.generation)) }
    }

    private mutating func setIntent(wantsToPlay: Bool, at time: Duration) {
        changeIntent(at: time) { $0.wantsToPlay = wantsToPlay && $0.isOpen }
    }

    private mutating func changeIntent(at time: Duration, _ change: (inout PlayerSnapshot) -> Void) {
        let before = snapshot.shouldPlay
        change(&snapshot)
        guard snapshot.isOpen, snapshot.shouldPlay != before else { return }
        if !snapshot.shouldPlay { standStill(at: time) }
        if snapshot.isResolving { return }
        send(snapshot.shouldPlay ? .play(snapshot.generation) : .pause(snapshot.generation))
    }

    private mutating func seek(to requested: Double, at time: Duration) {
        guard requested.isFinite else {
            return warn("invalidPosition", "A position must be a finite number of seconds.")
        }
        let range = snapshot.seekRange
        let target = max(range.lowerBound, min(requested, range.upperBound))
        switch snapshot.phase {
        case .idle, .failed:
            report(seek: .failed, at: snapshot.position, isNew: true)
        case .ended:
            guard snapshot.isSeekable else { return report(seek: .failed, at: snapshot.position, isNew: true) }
            open(at: target, wantsToPlay: false, time: time)
            begin(seekTo: target, time: time)
        case .opening:
            begin(seekTo: target, time: time)
            _ = seeks.request(target, engineIsReady: false)
        case .ready, .stalled:
            guard snapshot.isSeekable else { return report(seek: .failed, at: snapshot.position, isNew: true) }
            begin(seekTo: target, time: time)
            if let next = seeks.request(target, engineIsReady: true) {
                send(.seek(snapshot.generation, to: next))
            }
        }
    }

    private mutating func setRate(_ requested: Double, at time: Duration) {
        guard requested.isFinite, requested >= 0 else {
            let (slowest, fastest) = (capabilities.rates.lowerBound, capabilities.rates.upperBound)
            return warn("invalidRate", "A rate must be a number from \(slowest) to \(fastest).")
        }
        guard requested > 0 else { return setIntent(wantsToPlay: false, at: time) }
        let rates = capabilities.rates
        let rate = min(max(requested, rates.lowerBound), rates.upperBound)
        guard rate != snapshot.rate else { return }
        snapshot.rate = rate
        snapshot.playhead.setRate(rate, at: time)
        send(.setRate(rate))
    }

    private mutating func setVolume(_ requested: Double) {
        guard requested.isFinite else { return warn("invalidVolume", "A volume must be a number from 0 to 1.") }
        let volume = min(max(requested, 0), 1)
        guard volume != snapshot.volume else { return }
        snapshot.volume = volume
        send(.setVolume(volume))
    }
}

// MARK: - Tracks

extension PlaybackMachine {
    private mutating func selectAudio(_ id: Int) {
        guard mayChooseTracks() else { return }
        guard snapshot.tracks?.audio.contains(where: { $0.id == id }) == true else {
            return warn("noSuchTrack", "The medium has no audio track \(id).")
        }
        guard id != snapshot.audio else { return }
        snapshot.audio = id
        send(.selectAudio(snapshot.generation, id: id))
    }

    private mutating func selectSubtitle(_ id: Int?) {
        guard mayChooseTracks() else { return }
        guard id == nil || snapshot.tracks?.subtitles.contains(where: { $0.id == id }) == true else {
            return warn("noSuchTrack", "The medium has no subtitle track \(id ?? 0).")
        }
        guard id != snapshot.subtitle else { return }
        snapshot.subtitle = id
        send(.selectSubtitle(snapshot.generation, id: id))
    }

    private mutating func mayChooseTracks() -> Bool {
        guard capabilities.can(.trackSelection) else {
            warnIfMissing(.trackSelection)
            return false
        }
        guard snapshot.isReady, snapshot.isOpen else {
            warn("noTracksYet", "Tracks can be chosen while a medium is ready or plays.")
            return false
        }
        return true
    }

    private mutating func warnIfMissing(_ feature: BackendCapabilities.Feature) {
        if let notice = capabilities.missing(feature) { warn(notice) }
    }

    /// What was chosen stays chosen when an item is opened again.
    private mutating func openedTracks(_ media: OpenedMedia) {
        let (wasOpenBefore, audio, subtitle) = (snapshot.tracks != nil, snapshot.audio, snapshot.subtitle)
        setTracks(media.tracks, audio: media.audio, subtitle: media.subtitle)
        guard wasOpenBefore else { return }
        let (told, toldText) = (snapshot.audio, snapshot.subtitle)
        setTracks(media.tracks, audio: audio ?? told, subtitle: subtitle)
        if let audio = snapshot.audio, audio != told { send(.selectAudio(snapshot.generation, id: audio)) }
        if snapshot.subtitle != toldText { send(.selectSubtitle(snapshot.generation, id: snapshot.subtitle)) }
    }

    private mutating func setTracks(_ tracks: MediaTracks, audio: Int?, subtitle: Int?) {
        snapshot.tracks = tracks
        snapshot.audio = tracks.audio.contains { $0.id == audio } ? audio : nil
        snapshot.subtitle = tracks.subtitles.contains { $0.id == subtitle } ? subtitle : nil
    }
}

// MARK: - Events of the backend

extension PlaybackMachine {
    private mutating func handle(_ event: BackendEvent) {
        // The one place where what a replaced or finished opening still says is dropped.
        guard event.generation == snapshot.generation, snapshot.isOpen, !snapshot.isResolving else { return }
        let time = event.hostTime
        switch event.body {
        case .opened(let media): opened(media, at: time)
        case .durationChanged(let duration):
            guard snapshot.phase != .opening, duration.isFinite, duration > 0 else { return }
            setDuration(duration)
        case .seekabilityChanged(let isSeekable):
            guard snapshot.phase != .opening else { return }
            snapshot.isSeekable = isSeekable
        case .tracksChanged(let tracks):
            guard snapshot.phase != .opening else { return }
            setTracks(tracks, audio: snapshot.audio, subtitle: snapshot.subtitle)
        case .audioSelected(let id):
            guard let tracks = snapshot.tracks else { return }
            setTracks(tracks, audio: id, subtitle: snapshot.subtitle)
        case .subtitleSelected(let id):
            guard let tracks = snapshot.tracks else { return }
            setTracks(tracks, audio: snapshot.audio, subtitle: id)
        case .videoSizeChanged(let size):
            guard snapshot.phase != .opening else { return }
            snapshot.videoSize = size
        case .buffered(let level): snapshot.bufferLevel = level
        case .dvrWindowChanged(let window):
            guard snapshot.phase != .opening else { return }
            setWindow(window)
        case .metadataChanged(let metadata):
            snapshot.metadata = snapshot.item?.source?.metadata.completed(by: metadata) ?? metadata
        case .playing(let position): playing(from: position, at: time)
        case .paused(let position):
            guard snapshot.phase == .ready, !snapshot.shouldPlay, seeks.isIdle else { return }
            snapshot.playhead.sync(to: position, at: time)
            tellPosition(at: time)
        case .stalled:
            guard snapshot.phase == .ready else { return }
            snapshot.phase = .stalled
            standStill(at: time)
        case .time(let position):
            guard snapshot.playhead.isAdvancing else { return }
            snapshot.playhead.sync(to: position, at: time)
            tellPosition(at: time)
        case .seeked(let position): finishSeek(.seeked, at: position, time: time)
        case .seekFailed(let position): finishSeek(.failed, at: position, time: time)
        case .notice(let notice): warn(notice)
        case .ended(let position): ended(at: position, time: time)
        case .failed(let error, let position): failed(error, at: position, time: time)
        case .closed:
            let error = PlaybackError(.engineFailed, url: snapshot.item?.url, detail: "The engine closed the medium.")
            failed(error, at: snapshot.playhead.position(at: time), time: time)
        }
    }

    private mutating func opened(_ media: OpenedMedia, at time: Duration) {
        guard snapshot.phase == .opening else { return }
        snapshot.phase = .ready
        snapshot.isSeekable = media.isSeekable
        snapshot.playbackType = media.playbackType
        openedTracks(media)
        setWindow(media.dvrWindow)
        let asked = snapshot.position
        setDuration(media.duration)
        if asked > snapshot.position {
            warn("startBeyondEnd", "The position to begin at is past the end of the medium.")
        }
        guard snapshot.seek.state == .seeking else {
            return placePlayhead(at: media.position, time: time)
        }
        guard media.isSeekable else {
            seeks.reset()
            placePlayhead(at: media.position, time: time)
            return report(seek: .failed, at: snapshot.position)
        }
        // A seek that was asked for before the duration was known.
        if let next = seeks.next() {
            let target = min(next, snapshot.duration ?? .infinity)
            placePlayhead(at: target, time: time)
            send(.seek(snapshot.generation, to: target))
        } else {
            placePlayhead(at: media.position, time: time)
            report(seek: .seeked, at: snapshot.position)
        }
    }

    private mutating func playing(from position: Double, at time: Duration) {
        guard snapshot.phase != .opening, snapshot.shouldPlay else { return }
        snapshot.phase = .ready
        snapshot.hasStarted = true
        guard snapshot.seek.state != .seeking else { return }
        if !snapshot.playhead.isAdvancing { snapshot.playhead.advance(at: time) }
        snapshot.playhead.sync(to: position, at: time)
        tellPosition(at: time)
    }

    private mutating func finishSeek(_ outcome: PlaybackSeekState, at position: Double, time: Duration) {
        guard snapshot.phase != .opening, seeks.underway != nil else { return }
        if let next = seeks.next() {
            return send(.seek(snapshot.generation, to: next))
        }
        placePlayhead(at: position, time: time)
        report(seek: outcome, at: snapshot.position)
        if snapshot.isPlaying { snapshot.playhead.advance(at: time) }
    }

    private mutating func ended(at position: Double, time: Duration) {
        guard snapshot.phase != .opening else { return }
        let end = snapshot.duration ?? max(position.isFinite ? position : 0, snapshot.position)
        if let target = seeks.target {
            // The engine ran off the end before it could go where it was sent last: open again there.
            guard target >= end - Self.endTolerance else {
                let resumes = snapshot.wantsToPlay
                open(at: target, wantsToPlay: resumes, time: time)
                return report(seek: .seeking, at: target)
            }
            seeks.reset()
            report(seek: .seeked, at: end)
        }
        placePlayhead(at: end, time: time)
        snapshot.phase = .ended
        snapshot.wantsToPlay = false
    }

    private mutating func failed(_ error: PlaybackError, at position: Double, time: Duration) {
        let wasSeeking = snapshot.seek.state == .seeking
        let reached = position.isFinite ? position : snapshot.position
        // Only a seek takes the position back.
        placePlayhead(at: wasSeeking ? reached : max(reached, snapshot.position), time: time)
        if wasSeeking {
            seeks.reset()
            report(seek: .failed, at: snapshot.position)
        }
        snapshot.phase = .failed
        snapshot.error = error
        snapshot.wantsToPlay = false
    }

    /// A seek to within so many seconds of the end is at the end.
    private static let endTolerance = 0.25
}

// MARK: - Parts of the snapshot that change together

extension PlaybackMachine {
    private mutating func send(_ command: BackendCommand) { effects.append(.send(command)) }

    private mutating func warn(_ code: String, _ message: String) {
        warn(PlaybackNotice(code: code, message: message))
    }

    private mutating func warn(_ notice: PlaybackNotice) {
        noticeCount += 1
        if let first = snapshot.notices.first, first.number <= noticesBefore { snapshot.notices = [] }
        snapshot.notices.append(.init(number: noticeCount, notice: notice))
    }

    private mutating func setDuration(_ duration: Double?) {
        snapshot.duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        snapshot.playhead.setLimit(snapshot.duration)
        snapshot.position = min(snapshot.position, snapshot.duration ?? .infinity)
    }

    private mutating func setWindow(_ window: DVRWindow?) {
        snapshot.dvrWindow = window.flatMap { $0.start.isFinite && $0.end.isFinite && $0.start >= 0 ? $0 : nil }
    }

    private mutating func placePlayhead(at position: Double, time: Duration) {
        let place = position.isFinite ? position : 0
        snapshot.playhead = Playhead(
            position: max(0, min(place, snapshot.duration ?? .infinity)), hostTime: time, rate: snapshot.rate,
            limit: snapshot.duration)
        tellPosition(at: time)
    }

    private mutating func standStill(at time: Duration) {
        guard snapshot.playhead.isAdvancing else { return }
        snapshot.playhead.stand(at: time)
        tellPosition(at: time)
    }

    private mutating func tellPosition(at time: Duration) {
        snapshot.position = snapshot.playhead.position(at: time)
    }

    private mutating func begin(seekTo target: Double, time: Duration) {
        placePlayhead(at: target, time: time)
        report(seek: .seeking, at: target, isNew: true)
    }

    private mutating func report(seek state: PlaybackSeekState, at position: Double, isNew: Bool = false) {
        if isNew { snapshot.seek.number += 1 }
        snapshot.seek.state = state
        snapshot.seek.position = position
    }

    /// A seek that a new opening overtakes ends with it, untold.
    private mutating func endSeeking() {
        seeks.reset()
        if snapshot.seek.state == .seeking { snapshot.seek.state = .idle }
    }
}
