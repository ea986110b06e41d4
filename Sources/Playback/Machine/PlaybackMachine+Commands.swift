import Foundation

// Commands of hosts, remote controls and the environment.
extension PlaybackMachine {
    mutating func handle(_ command: PlayerCommand, at time: Duration) {
        switch command {
        case .load(let item, let autoPlay, let start):
            forgetQueue()
            load(item, autoPlay: autoPlay, from: start, at: time)
        case .queue(let command): handle(command, at: time)
        case .loadDeferred(let autoPlay, let start):
            forgetQueue()
            load(nil, autoPlay: autoPlay, from: start, at: time)
        case .reload(let autoPlay):
            if let item = snapshot.item {
                load(item.isDeferred ? nil : item.source, autoPlay: autoPlay, from: 0, at: time)
            }
        case .resolve(let generation, let item): resolve(generation, item)
        case .failResolving(let generation, let error):
            guard generation == snapshot.generation, snapshot.phase == .opening else { return }
            failed(error, at: snapshot.position, time: time)
        case .provideAddresses(let canReaddress): self.canReaddress = canReaddress
        case .readdress(let generation, let url):
            let isOpen = generation == snapshot.generation && snapshot.isOpen && !snapshot.isResolving
            if isOpen || generation == snapshot.next?.generation { send(.readdress(generation, to: url)) }
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
        case .enterBackground(let action, let resumes): setBackground(action, resumes: resumes, at: time)
        case .leaveBackground(let resumes): setBackground(nil, resumes: resumes, at: time)
        case .attachPicture(let isAttached): changePicture { $0.isPictureAttached = isAttached }
        case .suppress(.interruption): beginInterruption(.host, at: time)
        case .suppress(let reason):
            changeIntent(at: time) { $0.suppression.insert(reason) }
        case .unsuppress(.interruption): endInterruption(.host, shouldResume: true, at: time)
        case .unsuppress(let reason):
            changeIntent(at: time) { $0.suppression.remove(reason) }
        case .beginInterruption(let cause): beginInterruption(cause, at: time)
        case .endInterruption(let cause, let shouldResume):
            endInterruption(cause, shouldResume: shouldResume, at: time)
        case .setRole(let role): setRole(role)
        case .duck(let isDucked): duck(isDucked)
        }
    }

    mutating func load(
        _ item: PlayerItem?, autoPlay: Bool, from start: Double, in transition: ItemTransition? = nil,
        failedPreload: PlayerSnapshot.Next? = nil, at time: Duration
    ) {
        itemCount += 1
        let wasResolving = snapshot.isResolving
        forgetItem()
        snapshot.item = .init(number: itemCount, isDeferred: item == nil, source: item, transition: transition)
        if let failedPreload, failedPreload.generation > snapshot.generation {
            if snapshot.isOpen, !wasResolving { send(.close(snapshot.generation)) }
            return open(at: 0, wantsToPlay: autoPlay, as: failedPreload.generation, hasFailed: true, time: time)
        }
        if let next = snapshot.next, next.item == item {
            snapshot.next = nil
            return open(at: start, wantsToPlay: autoPlay, as: next.generation, time: time)
        }
        open(at: start.isFinite ? max(0, start) : 0, wantsToPlay: autoPlay, time: time)
    }

    mutating func resolve(_ generation: Generation, _ item: PlayerItem) {
        guard generation == snapshot.generation, snapshot.isResolving else { return }
        snapshot.item?.source = item
        sendOpen(item)
    }

    /// Resets the properties of the item.
    mutating func forgetItem() {
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
    ///
    /// - Parameters:
    ///   - prepared: the generation under which it has been prepared already.
    ///   - hasFailed: `true` if its preload failed, so that the backend does not open it.
    mutating func open(
        at position: Double, wantsToPlay: Bool, as prepared: Generation? = nil, hasFailed: Bool = false, time: Duration
    ) {
        guard let item = snapshot.item else { return }
        endSeeking()
        if prepared == nil { prepare(nil) }
        snapshot.generation = prepared ?? nextGeneration()
        snapshot.phase = .opening
        snapshot.hasStarted = false
        snapshot.hasEndedInBackground = false
        snapshot.isQueueExhausted = false
        snapshot.error = nil
        snapshot.wantsToPlay = wantsToPlay
        snapshot.wasWantedToPlay = false
        snapshot.bufferLevel = .empty
        snapshot.videoSize = nil
        snapshot.forgetInterruption(.engine)
        placePlayhead(at: position, time: time)
        if hasFailed { return }
        guard let source = item.source else { return effects.append(.resolve(snapshot.generation)) }
        sendOpen(source)
    }

    mutating func nextGeneration() -> Generation {
        lastGeneration = lastGeneration.next
        return lastGeneration
    }

    /// Replaces the preloaded item.
    mutating func prepare(_ item: PlayerItem?) {
        if let next = snapshot.next {
            snapshot.next = nil
            send(.close(next.generation))
        }
        guard let item, snapshot.phase != .idle, capabilities.can(.preparing) else { return }
        let next = PlayerSnapshot.Next(generation: nextGeneration(), item: item)
        snapshot.next = next
        let crossfade = snapshot.crossfade
        if crossfade > 0 { warnIfMissing(.crossfading) }
        send(
            .prepare(
                OpenRequest(
                    generation: next.generation, item: item, startPosition: item.startPosition, playsWhenReady: true,
                    joinsOthers: true, canReaddress: canReaddress),
                crossfade: crossfade.isFinite ? max(0, crossfade) : 0))
    }

    mutating func sendOpen(_ item: PlayerItem) {
        snapshot.metadata = item.metadata.completed(by: snapshot.metadata)
        if !item.subtitles.isEmpty { warnIfMissing(.externalSubtitles) }
        if item.preferredPeakBitRate != nil { warnIfMissing(.peakBitRate) }
        send(
            .open(
                OpenRequest(
                    generation: snapshot.generation, item: item, startPosition: snapshot.position,
                    playsWhenReady: snapshot.shouldPlay, joinsOthers: snapshot.item?.transition != nil,
                    canReaddress: canReaddress)))
    }

    mutating func play(at time: Duration) {
        if playQueue(at: time) { return }
        if snapshot.background == .pause, snapshot.phase != .idle {
            // A user who plays now wants to hear it now.
            setBackground(.continueAudio, resumes: true, at: time)
        }
        switch snapshot.phase {
        case .idle: warn("nothingLoaded", "No item is loaded. Load one first.")
        case .ended:
            snapshot.forgetInterruptions()
            open(at: 0, wantsToPlay: true, time: time)
        case .failed:
            snapshot.forgetInterruptions()
            open(at: snapshot.isSeekable ? snapshot.position : 0, wantsToPlay: true, time: time)
        case .opening, .ready, .stalled:
            changeIntent(at: time) {
                $0.forgetInterruptions()
                $0.wantsToPlay = true
            }
        }
    }

    mutating func stop(at time: Duration) {
        guard snapshot.phase != .idle else { return }
        endSeeking()
        let wasOpen = snapshot.isOpen && !snapshot.isResolving
        prepare(nil)
        forgetItem()
        snapshot.phase = .idle
        snapshot.error = nil
        snapshot.wantsToPlay = false
        snapshot.wasWantedToPlay = false
        snapshot.hasStarted = false
        snapshot.hasEndedInBackground = false
        snapshot.forgetInterruption(.engine)
        placePlayhead(at: 0, time: time)
        if wasOpen { send(.close(snapshot.generation)) }
    }

    mutating func setIntent(wantsToPlay: Bool, at time: Duration) {
        changeIntent(at: time) { $0.wantsToPlay = wantsToPlay && $0.isOpen }
    }

    mutating func changeIntent(at time: Duration, _ change: (inout PlayerSnapshot) -> Void) {
        let before = snapshot.shouldPlay
        change(&snapshot)
        guard snapshot.isOpen, snapshot.shouldPlay != before else { return }
        if !snapshot.shouldPlay { standStill(at: time) }
        if snapshot.isResolving { return }
        send(snapshot.shouldPlay ? .play(snapshot.generation) : .pause(snapshot.generation))
    }

    mutating func seek(to requested: Double, at time: Duration) {
        guard requested.isFinite else {
            return warn("invalidPosition", "A position must be a finite number of seconds.")
        }
        let target = snapshot.held(requested)
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

    mutating func setRate(_ requested: Double, at time: Duration) {
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

    mutating func setVolume(_ requested: Double) {
        guard requested.isFinite else { return warn("invalidVolume", "A volume must be a number from 0 to 1.") }
        let volume = min(max(requested, 0), 1)
        guard volume != snapshot.volume else { return }
        snapshot.volume = volume
        send(.setVolume(snapshot.audibleVolume))
    }
}
