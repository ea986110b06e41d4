import Foundation

// Events of the engine.
extension PlaybackMachine {
    mutating func handle(_ event: BackendEvent) {
        if let next = snapshot.next, event.generation == next.generation { return handleNext(next, event.body) }
        // The one place where what a replaced or finished opening still says is dropped.
        guard event.generation == snapshot.generation, snapshot.isOpen, !snapshot.isResolving else { return }
        let time = event.hostTime
        switch event.body {
        case .prepared: break
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
            if time - lastPositionTime >= positionInterval { tellPosition(at: time) }
        case .addressRefused(let error):
            if let item = snapshot.item?.source {
                warn("addressRefused", "The server refuses the item's address. Requesting a new one.")
                effects.append(.readdress(event.generation, item, after: error))
            }
        case .seeked(let position): finishSeek(.seeked, at: position, time: time)
        case .seekFailed(let position): finishSeek(.failed, at: position, time: time)
        case .interruptionBegan: beginInterruption(.engine, at: time)
        case .interruptionEnded(let shouldResume): endInterruption(.engine, shouldResume: shouldResume, at: time)
        case .routeChanged(let change): routeChanged(change, at: time)
        case .notice(let notice): warn(notice)
        case .ended(let position): ended(at: position, time: time)
        case .failed(let error, let position): failed(error, at: position, time: time)
        case .closed:
            let error = PlaybackError(.engineFailed, url: snapshot.item?.url, detail: "The engine closed the item.")
            failed(error, at: snapshot.playhead.position(at: time), time: time)
        }
    }

    mutating func handleNext(_ next: PlayerSnapshot.Next, _ body: BackendEvent.Body) {
        switch body {
        case .addressRefused(let error): effects.append(.readdress(next.generation, next.item, after: error))
        case .prepared: snapshot.next?.status = .readyToPlay
        case .failed(let error, _):
            snapshot.failedPreloads[next.item.id] = .init(
                generation: next.generation, item: next.item, status: .failed(error))
            snapshot.next = nil
        case .closed: snapshot.next = nil
        default: break
        }
    }

    mutating func opened(_ media: OpenedMedia, at time: Duration) {
        guard snapshot.phase == .opening else { return }
        snapshot.phase = .ready
        snapshot.isSeekable = media.isSeekable
        snapshot.playbackType = media.playbackType
        openedTracks(media)
        setWindow(media.dvrWindow)
        let asked = snapshot.position
        setDuration(media.duration)
        if asked > snapshot.position {
            warn("startBeyondEnd", "The start position is past the end of the item.")
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
            let target = snapshot.held(next)
            placePlayhead(at: target, time: time)
            send(.seek(snapshot.generation, to: target))
        } else {
            placePlayhead(at: media.position, time: time)
            report(seek: .seeked, at: snapshot.position)
        }
    }

    mutating func playing(from position: Double, at time: Duration) {
        guard snapshot.phase != .opening, snapshot.shouldPlay else { return }
        snapshot.phase = .ready
        snapshot.hasStarted = true
        if snapshot.isQueueItem { snapshot.queue.played() }
        guard snapshot.seek.state != .seeking else { return }
        if !snapshot.playhead.isAdvancing { snapshot.playhead.advance(at: time) }
        snapshot.playhead.sync(to: position, at: time)
        tellPosition(at: time)
    }

    mutating func finishSeek(_ outcome: PlaybackSeekState, at position: Double, time: Duration) {
        guard snapshot.phase != .opening, seeks.underway != nil else { return }
        if let next = seeks.next() {
            return send(.seek(snapshot.generation, to: next))
        }
        placePlayhead(at: position, time: time)
        report(seek: outcome, at: snapshot.position)
        if snapshot.isPlaying { snapshot.playhead.advance(at: time) }
    }

    mutating func ended(at position: Double, time: Duration) {
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
        finish(.ended)
    }

    mutating func failed(_ error: PlaybackError, at position: Double, time: Duration) {
        let wasSeeking = snapshot.seek.state == .seeking
        let reached = position.isFinite ? position : snapshot.position
        // Only a seek takes the position back.
        placePlayhead(at: wasSeeking ? reached : max(reached, snapshot.position), time: time)
        if wasSeeking {
            seeks.reset()
            report(seek: .failed, at: snapshot.position)
        }
        finish(.failed)
        snapshot.error = error
    }

    mutating func finish(_ phase: PlayerSnapshot.Phase) {
        snapshot.phase = phase
        snapshot.hasEndedInBackground = phase == .ended && snapshot.background != nil
        snapshot.wasWantedToPlay = snapshot.wantsToPlay
        snapshot.wantsToPlay = false
        snapshot.forgetInterruption(.engine)
        effects.append(.perform(.queue(.itemIsOver)))
    }

    /// A seek to within so many seconds of the end is at the end.
    private static let endTolerance = 0.25
}
