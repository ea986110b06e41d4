import Foundation

// Events of the engine.
extension PlaybackMachine {
    mutating func handle(_ event: BackendEvent) {
        // This is about the backend, also if the opening has been replaced meanwhile.
        if case .capabilitiesChanged(let capabilities) = event.body { return capabilitiesChanged(to: capabilities) }
        if let next = snapshot.next, event.generation == next.generation { return handleNext(next, event.body) }
        // The one place that drops the late events of a replaced or finished opening.
        guard event.generation == snapshot.generation, snapshot.isOpenInEngine else { return }
        let isOpened = snapshot.phase != .opening
        switch event.body {
        case .prepared, .capabilitiesChanged: break
        case .opened(let media): if !isOpened { opened(media) }
        case .durationChanged(let duration):
            if isOpened, duration.isFinite, duration > 0 { setDuration(duration) }
        case .seekabilityChanged(let isSeekable): if isOpened { snapshot.isSeekable = isSeekable }
        case .tracksChanged(let tracks):
            guard isOpened else { return }
            setTracks(tracks, audio: snapshot.audio, subtitle: snapshot.subtitle)
            selectPreferredTracks()
        case .qualitiesChanged(let qualities): if isOpened { qualitiesKnown(qualities) }
        case .audioSelected(let id): setTracks(snapshot.tracks, audio: id, subtitle: snapshot.subtitle)
        case .subtitleSelected(let id): setTracks(snapshot.tracks, audio: snapshot.audio, subtitle: id)
        case .videoSizeChanged(let size): if isOpened { snapshot.videoSize = size }
        case .buffered(let level): snapshot.bufferLevel = level
        case .bufferedRangesChanged(let ranges): if isOpened { snapshot.reportedRanges = ranges }
        case .dvrWindowChanged(let window): if isOpened { setWindow(window) }
        case .markersChanged(let markers):
            if isOpened { snapshot.markers = Array(markers.suffix(StreamMarker.mostMarkers)) }
        case .metadataChanged(let metadata):
            snapshot.metadata = snapshot.item?.source?.metadata.completed(by: metadata) ?? metadata
        case .playing(let position): if isOpened, snapshot.shouldPlay { playing(from: position) }
        case .paused(let position):
            guard snapshot.phase == .ready, !snapshot.shouldPlay, seekUnderway == nil else { return }
            snapshot.playhead.sync(to: position, at: now)
            reportPosition()
        case .stalled:
            guard snapshot.phase == .ready else { return }
            snapshot.phase = .stalled
            stopPlayhead()
        case .time(let position):
            guard snapshot.playhead.isAdvancing else { return }
            snapshot.playhead.sync(to: position, at: now)
            joinLive(at: position)
            if !repeatLoop(), now - lastPositionTime >= positionInterval { reportPosition() }
        case .addressRefused(let error):
            if let item = snapshot.item?.source {
                warn("addressRefused", "The server refuses the item's address. Requesting a new one.")
                effects.append(.readdress(event.generation, item, after: error))
            }
        case .seeked(let position):
            isJoiningLive = false
            finishSeek(.seeked, at: position)
        case .seekFailed(let position): finishSeek(.failed, at: position)
        case .interruptionBegan: beginInterruption(.engine)
        case .interruptionEnded(let shouldResume): endInterruption(.engine, shouldResume: shouldResume)
        case .routeChanged(let change): routeChanged(change)
        case .statistics(let report): snapshot.statistics.add(report)
        case .notice(let notice): warn(notice)
        case .ended(let position): if isOpened { ended(at: position) }
        case .failed(let error, let position): failed(error, at: position)
        case .closed:
            let error = PlaybackError(.engineFailed, url: snapshot.item?.url, detail: "The engine closed the item.")
            failed(error, at: snapshot.playhead.position(at: now))
        }
    }

    mutating func handleNext(_ next: PlayerSnapshot.Next, _ body: BackendEvent.Body) {
        switch body {
        case .addressRefused(let error): effects.append(.readdress(next.generation, next.item, after: error))
        case .prepared: snapshot.next?.status = .readyToPlay
        case .failed(let error, _): preloadFailed(next, error)
        case .closed: snapshot.next = nil
        default: break
        }
    }

    mutating func preloadFailed(_ next: PlayerSnapshot.Next, _ error: PlaybackError) {
        snapshot.failedPreloads[next.item.id] = .init(
            generation: next.generation, item: next.item, status: .failed(error))
        snapshot.next = nil
    }

    mutating func opened(_ media: OpenedMedia) {
        snapshot.phase = .ready
        snapshot.isSeekable = media.isSeekable
        snapshot.container = media.container
        snapshot.playbackType = media.playbackType
        let isFirst = snapshot.tracks == nil
        openedTracks(media)
        setWindow(media.dvrWindow)
        if isFirst, let window = snapshot.dvrWindow {
            snapshot.liveDelay = max(0, window.end - media.position)
            // libVLC reports no position before its first time.
            isJoiningLive = media.position <= window.start
        }
        holdRate(isFixed: media.hasFixedRate)
        let asked = snapshot.position
        setDuration(media.duration)
        if asked > snapshot.position { warn("startBeyondEnd", "The start position is past the end of the item.") }
        // A seek that was requested before the duration was known.
        if media.isSeekable, isSeekPending {
            let target = snapshot.held(snapshot.seek.position)
            placePlayhead(at: target)
            return sendSeek(to: target)
        }
        seekUnderway = nil
        placePlayhead(at: media.position)
        if snapshot.seek.state == .seeking { report(seek: media.isSeekable ? .seeked : .failed, at: snapshot.position) }
    }

    /// The first position of a live stream shows how far behind its edge it was joined.
    private mutating func joinLive(at position: Double) {
        guard isJoiningLive, let window = snapshot.dvrWindow else { return }
        isJoiningLive = false
        snapshot.liveDelay = max(0, window.end - position)
    }

    mutating func playing(from position: Double) {
        snapshot.phase = .ready
        snapshot.hasStarted = true
        if snapshot.isQueueItem { snapshot.queue.played() }
        guard snapshot.seek.state != .seeking else { return }
        if !snapshot.playhead.isAdvancing { snapshot.playhead.advance(at: now) }
        snapshot.playhead.sync(to: position, at: now)
        reportPosition()
    }

    mutating func ended(at position: Double) {
        let end = snapshot.duration ?? max(position.isFinite ? position : 0, snapshot.position)
        if seekUnderway != nil {
            let target = snapshot.seek.position
            // The engine reached the end before it performed the newest seek.
            guard target >= end - Self.endTolerance else {
                return reopen(at: target, wantsToPlay: snapshot.wantsToPlay)
            }
            seekUnderway = nil
            report(seek: .seeked, at: end)
        }
        if let loop = snapshot.loop, snapshot.isSeekable, loop.lowerBound < end - Self.endTolerance {
            snapshot.seek.number += 1
            return reopen(at: loop.lowerBound, wantsToPlay: snapshot.wantsToPlay)
        }
        placePlayhead(at: end)
        guard let reason = snapshot.endSuppression else { return finish(.ended) }
        snapshot.holds.insert(reason)
        snapshot.phase = .ended
    }

    mutating func failed(_ error: PlaybackError, at position: Double) {
        let wasSeeking = snapshot.seek.state == .seeking
        let reached = position.isFinite ? position : snapshot.position
        // While an item opens, the position is the requested start or the target of a seek. Later, only a seek takes it back.
        if snapshot.phase != .opening { placePlayhead(at: wasSeeking ? reached : max(reached, snapshot.position)) }
        seekUnderway = nil
        if wasSeeking { report(seek: .failed, at: snapshot.position) }
        closeReplaced()
        finish(.failed)
        snapshot.error = error
    }

    mutating func finish(_ phase: PlayerSnapshot.Phase) {
        snapshot.phase = phase
        snapshot.hasEndedInBackground = phase == .ended && snapshot.background != nil
        snapshot.wasWantedToPlay = snapshot.wantsToPlay
        snapshot.wantsToPlay = false
        snapshot.interruptions.remove(.engine)
        effects.append(.perform(.queue(.itemIsOver)))
    }

    /// A seek to within so many seconds of the end is at the end.
    private static let endTolerance = 0.25
}
