import Foundation

// Commands of hosts, remote controls and the environment.
extension PlaybackMachine {
    mutating func handle(_ command: PlayerCommand) {
        switch command {
        case .load(let item, let autoPlay, let start):
            forgetQueue()
            setSpeed(forAutoPlay: autoPlay)
            load(item, autoPlay: autoPlay, from: start)
        case .queue(let command): handle(command)
        case .reload(let autoPlay):
            setSpeed(forAutoPlay: autoPlay)
            guard let item = snapshot.item, let source = item.source else { return }
            // A deferred item is resolved again.
            load(item.deferred ?? source, autoPlay: autoPlay, from: source.startPosition)
        case .resolve(let generation, let item): resolve(generation, item)
        case .failResolving(let generation, let error):
            if let next = snapshot.next, generation == next.generation { return preloadFailed(next, error) }
            guard generation == snapshot.generation, snapshot.phase == .opening else { return }
            failed(error, at: snapshot.position)
        case .provideAddresses(let canReaddress): self.canReaddress = canReaddress
        case .expectInterstitials(let expectsInterstitials): self.expectsInterstitials = expectsInterstitials
        case .allowPreloading(let allowsPreloading): self.allowsPreloading = allowsPreloading
        case .readdress(let generation, let url):
            let isCurrent = generation == snapshot.generation && snapshot.isOpenInEngine
            if isCurrent || generation == snapshot.next?.generation { send(.readdress(generation, to: url)) }
        case .play: play(at: snapshot.defaultRate)
        case .pause: setIntent(wantsToPlay: false)
        case .stop: stop()
        case .seek(let target, let tolerance): seek(to: target, tolerance)
        case .setLoop(let loop): setLoop(loop)
        case .setRate(let rate): setRate(rate)
        case .setDefaultRate(let rate): heldRate(rate, capabilities.rates).map { snapshot.defaultRate = $0 }
        case .setVolume(let volume): setVolume(volume)
        case .setSubtitleDelay(let delay): setSubtitleDelay(delay)
        case .setMuted(let isMuted): change(\.isMuted, to: isMuted, .setMuted(isMuted))
        case .selectAudio(let id): selectAudio(id)
        case .selectSubtitle(let id): selectSubtitle(id == SubtitleTrack.off.id ? nil : id)
        case .selectQuality(let quality): selectQuality(quality)
        case .preferAudio(let languages):
            snapshot.preferredAudioLanguages = languages
            languagesChanged(languages)
        case .preferSubtitles(let languages):
            snapshot.preferredSubtitleLanguages = languages
            languagesChanged(languages)
        case .warn(let notice): warn(notice)
        case .enterBackground(let action, let resumes): setBackground(action, resumes: resumes)
        case .leaveBackground(let resumes): setBackground(nil, resumes: resumes)
        case .attachVideo(let isAttached): changeVideo { $0.isVideoAttached = isAttached }
        case .suppress(.interruption): beginInterruption(.host)
        case .suppress(let reason):
            changeIntent { $0.holds.insert(reason) }
            if reason == .adBreak, snapshot.item != nil { snapshot.hasShownAdvertisement = true }
        case .unsuppress(.interruption): endInterruption(.host, shouldResume: true)
        case .unsuppress(let reason): unsuppress(reason)
        case .suppressEnd(let reason): suppressEnd(reason)
        case .advertise(let advertisement): snapshot.advertisement = advertisement
        case .setAdBreaks(let breaks): setAdBreaks(breaks)
        case .reportAd(let event): report(event)
        case .beginInterruption(let cause): beginInterruption(cause)
        case .endInterruption(let cause, let shouldResume): endInterruption(cause, shouldResume: shouldResume)
        case .setRole(let role): change(\.role, to: role, .setRole(role))
        case .duck(let isDucked): duck(isDucked)
        }
    }

    private mutating func resolve(_ generation: Generation, _ item: PlayerItem) {
        guard !item.isDeferred else {
            let error = PlaybackError(.unsupportedScheme, url: nil, detail: "The item was resolved to a deferred item.")
            return handle(.failResolving(generation, error))
        }
        if let next = snapshot.next, generation == next.generation, next.item.isDeferred {
            snapshot.next?.item = item.replacing(next.item)
            return sendPrepare()
        }
        guard generation == snapshot.generation, snapshot.isResolving else { return }
        if snapshot.position == 0, snapshot.seek.state != .seeking { placePlayhead(at: item.startPosition) }
        let resolved = item.replacing(snapshot.item?.source)
        snapshot.item?.source = resolved
        sendOpen(resolved)
    }

    mutating func load(
        _ item: PlayerItem, autoPlay: Bool, from start: Double, in transition: ItemTransition? = nil,
        failedPreload: PlayerSnapshot.Next? = nil
    ) {
        itemCount += 1
        let opened = snapshot.isOpenInEngine ? snapshot.generation : nil
        // A selection before the first load is for this item.
        let isOther = snapshot.item != nil && snapshot.item?.source?.id != item.id
        if isOther { snapshot.selectedQuality = nil }
        forgetItem()
        snapshot.item = .init(
            number: itemCount, deferred: item.isDeferred ? item : nil, source: item, transition: transition)
        let start = start.isFinite ? max(0, start) : 0
        let failure = failedPreload.flatMap { $0.generation > snapshot.generation ? $0 : nil }
        let preloaded = snapshot.next.flatMap { $0.isPreload(of: item, from: start) ? $0 : nil }
        if let preloaded, failure == nil {
            snapshot.next = nil
            snapshot.item?.source = preloaded.item
        }
        // The engine closes an item when it opens another one. It would continue while that one is resolved.
        if let opened, failure != nil || snapshot.item?.isResolved == false {
            send(.pause(opened))
            replaced = opened
        }
        if let failure {
            open(at: start, wantsToPlay: autoPlay, as: failure.generation, hasFailed: true)
        } else if let preloaded {
            open(at: preloaded.item.startPosition, wantsToPlay: autoPlay, as: preloaded.generation)
        } else {
            open(at: start, wantsToPlay: autoPlay)
        }
    }

    /// Resets the properties of the item.
    mutating func forgetItem() {
        snapshot.item = nil
        snapshot.duration = nil
        snapshot.isSeekable = false
        hasFixedRate = false
        snapshot.container = nil
        snapshot.playbackType = .unknown
        snapshot.metadata = MediaMetadata()
        setTracks(nil, audio: nil, subtitle: nil)
        (hasChosenAudio, hasChosenSubtitle) = (false, false)
        snapshot.qualities = []
        snapshot.dvrWindow = nil
        snapshot.markers = []
        snapshot.liveDelay = 0
        isJoiningLive = false
        snapshot.loop = nil
        forgetAdvertisements()
        forgetStatistics()
    }

    /// Resets the properties of the opening.
    private mutating func forgetOpening() {
        endSeeking()
        snapshot.bufferLevel = .empty
        snapshot.reportedRanges = []
        snapshot.videoSize = nil
        snapshot.hasStarted = false
        snapshot.hasEndedInBackground = false
        snapshot.error = nil
        snapshot.wasWantedToPlay = false
        snapshot.interruptions.remove(.engine)
    }

    /// Opens the item that is loaded, as a new generation.
    ///
    /// - Parameters:
    ///   - prepared: the generation under which it has been prepared already.
    ///   - hasFailed: `true` if its preload failed, so that the backend does not open it.
    mutating func open(at position: Double, wantsToPlay: Bool, as prepared: Generation? = nil, hasFailed: Bool = false)
    {
        guard let item = snapshot.item else { return }
        forgetOpening()
        if prepared == nil { prepare(nil) }
        snapshot.generation = prepared ?? nextGeneration()
        snapshot.phase = .opening
        snapshot.wantsToPlay = wantsToPlay
        placePlayhead(at: position)
        if hasFailed { return }
        guard let source = item.source, !source.isDeferred else {
            // A preloaded item is being resolved already.
            if prepared == nil { effects.append(.resolve(snapshot.generation)) }
            return
        }
        sendOpen(source)
    }

    /// Closes an item whose successor is not opened.
    mutating func closeReplaced() {
        if let replaced { send(.close(replaced)) }
        replaced = nil
    }

    mutating func nextGeneration() -> Generation {
        lastGeneration = lastGeneration.next
        return lastGeneration
    }

    /// Replaces the preloaded item.
    mutating func prepare(_ item: PlayerItem?) {
        if let next = snapshot.next {
            snapshot.next = nil
            if !next.item.isDeferred { send(.close(next.generation)) }
        }
        guard let item, snapshot.phase != .idle, capabilities.can(.preparing) else { return }
        snapshot.next = PlayerSnapshot.Next(generation: nextGeneration(), item: item)
        sendPrepare()
    }

    /// Lets the backend prepare the next item, which is resolved first.
    private mutating func sendPrepare() {
        guard let next = snapshot.next else { return }
        guard !next.item.isDeferred else { return effects.append(.resolve(next.generation)) }
        // It was resolved. The backend opens it at its turn.
        guard next.item.allowsPreloading else { return }
        let crossfade = snapshot.crossfade
        if crossfade > 0 {
            warnIfMissing(.crossfading, "This backend cannot let one item fade into another: they follow each other.")
        }
        let request = OpenRequest(
            generation: next.generation, item: next.item, startPosition: next.item.startPosition, playsWhenReady: true,
            joinsOthers: true, defaultRole: .music, canReaddress: canReaddress)
        send(.prepare(request, crossfade: crossfade))
    }

    mutating func sendOpen(_ item: PlayerItem) {
        snapshot.metadata = item.metadata.completed(by: snapshot.metadata)
        if !item.subtitles.isEmpty { warnIfMissing(.externalSubtitles, "This backend shows no external subtitles.") }
        if item.preferredPeakBitRate != nil {
            warnIfMissing(.peakBitRate, "This backend cannot limit the bit rate: it chooses among all variants.")
        }
        if item.maximumResolution != nil {
            warnIfMissing(.qualitySelection, "This backend cannot limit the resolution: it chooses among all variants.")
        }
        if !item.sentHeaders.isEmpty {
            warnIfMissing(.httpHeaders, "This backend sends no HTTP headers of an item, so a server may refuse it.")
        }
        for notice in item.headerNotices { warn(notice) }
        let isInQueue = snapshot.isQueueItem
        let request = OpenRequest(
            generation: snapshot.generation, item: item, startPosition: snapshot.position,
            playsWhenReady: snapshot.shouldPlay, joinsOthers: isInQueue || expectsInterstitials,
            defaultRole: isInQueue ? .music : .video, canReaddress: canReaddress, quality: snapshot.selectedQuality)
        replaced = nil
        send(.open(request))
    }

    mutating func play(at speed: Double) {
        setSpeed(hasFixedRate ? 1 : speed)
        if playQueue() { return }
        if snapshot.background == .pause, snapshot.phase != .idle {
            // A user who plays now wants to hear it now.
            setBackground(.continueAudio, resumes: true)
        }
        switch snapshot.phase {
        case .ended where snapshot.isHeldAtEnd: setIntent(wantsToPlay: true)
        case .idle: warn("nothingLoaded", "No item is loaded. Load one first.")
        case .ended, .failed:
            // An item that was never open keeps the position that it was to start at.
            let keepsPosition = snapshot.phase == .failed && (snapshot.isSeekable || snapshot.tracks == nil)
            snapshot.interruptions = []
            open(at: keepsPosition ? snapshot.position : 0, wantsToPlay: true)
        case .opening, .ready, .stalled:
            changeIntent {
                $0.interruptions = []
                $0.wantsToPlay = true
            }
        }
    }

    mutating func stop() {
        guard snapshot.phase != .idle else { return }
        let wasOpenInEngine = snapshot.isOpenInEngine
        prepare(nil)
        forgetItem()
        snapshot.selectedQuality = nil
        forgetOpening()
        snapshot.phase = .idle
        snapshot.wantsToPlay = false
        placePlayhead(at: 0)
        if wasOpenInEngine { send(.close(snapshot.generation)) }
        closeReplaced()
    }

    mutating func setIntent(wantsToPlay: Bool) {
        changeIntent { $0.wantsToPlay = wantsToPlay && ($0.isOpen || $0.isHeldAtEnd) }
    }

    mutating func changeIntent(_ change: (inout PlayerSnapshot) -> Void) {
        let before = snapshot.shouldPlay
        change(&snapshot)
        guard snapshot.isOpen, snapshot.shouldPlay != before else { return }
        if !snapshot.shouldPlay { stopPlayhead() }
        if snapshot.isResolving { return }
        send(snapshot.shouldPlay ? .play(snapshot.generation) : .pause(snapshot.generation))
    }

    mutating func setRate(_ rate: Double) {
        if rate == 0 { return setIntent(wantsToPlay: false) }
        heldRate(rate, rates).map { play(at: $0) }
    }

    /// Takes the features of another engine, and the nearest of its rates.
    mutating func capabilitiesChanged(to capabilities: BackendCapabilities) {
        self.capabilities = capabilities
        let all = capabilities.rates
        snapshot.defaultRate = min(max(snapshot.defaultRate, all.lowerBound), all.upperBound)
        setSpeed(min(max(snapshot.speed, rates.lowerBound), rates.upperBound))
    }

    /// The rates at which the item can play.
    private var rates: ClosedRange<Double> { hasFixedRate ? 1...1 : capabilities.rates }

    /// An item has been opened, perhaps at a rate that it does not have.
    mutating func holdRate(isFixed: Bool) {
        hasFixedRate = isFixed
        guard isFixed, snapshot.speed != 1 else { return }
        setSpeed(1)
        warn("rateUnavailable", "This item plays at its own speed.")
    }

    /// Returns the nearest of some rates. Returns `nil`, with a notice, for a value that is no rate.
    private mutating func heldRate(_ rate: Double, _ rates: ClosedRange<Double>) -> Double? {
        if rate.isFinite, rate > 0 { return min(max(rate, rates.lowerBound), rates.upperBound) }
        warn("invalidRate", "A rate must be a number from \(rates.lowerBound) to \(rates.upperBound).")
        return nil
    }

    /// An item that plays automatically keeps the speed of the item before, unless that one was paused.
    mutating func setSpeed(forAutoPlay autoPlay: Bool) {
        if autoPlay, !snapshot.wasLastWantedToPlay { setSpeed(snapshot.defaultRate) }
    }

    private mutating func setSpeed(_ speed: Double) {
        guard speed != snapshot.speed else { return }
        snapshot.speed = speed
        snapshot.playhead.setRate(speed, at: now)
        send(.setRate(speed))
    }

    private mutating func setSubtitleDelay(_ requested: Double) {
        guard requested.isFinite else {
            return warn("invalidSubtitleDelay", "A delay of subtitles must be a number of seconds.")
        }
        let delay = min(max(requested, -600), 600)
        guard delay != snapshot.subtitleDelay else { return }
        if let notice = capabilities.missing(.subtitleDelay, "The engine cannot delay subtitles.") {
            return warn(notice)
        }
        snapshot.subtitleDelay = delay
        send(.setSubtitleDelay(delay))
    }

    mutating func setVolume(_ requested: Double) {
        guard requested.isFinite else { return warn("invalidVolume", "A volume must be a number from 0 to 1.") }
        let volume = min(max(requested, 0), 1)
        guard volume != snapshot.volume else { return }
        snapshot.volume = volume
        send(.setVolume(snapshot.audibleVolume))
    }
}
