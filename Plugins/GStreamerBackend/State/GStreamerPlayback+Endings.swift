#if GStreamer
import Foundation
import MediaTransport
import Playback

// The messages of a pipeline, the end of an item, and errors.
extension GStreamerPlayback {
    /// - Parameter time: when the pipeline sent it.
    func receive(_ event: GStreamerEvent, at time: Duration) {
        guard !isFinished else { return }
        switch event {
        case .stateChanged: progress()
        case .streamsChanged: streamsChanged()
        case .tags(let tags): tagsChanged(tags)
        case .chapters(let chapters): chaptersChanged(chapters)
        case .durationChanged: durationChanged()
        case .latencyChanged: pipeline?.recalculateLatency()
        case .audioDrained: engine.planTransition()
        case .buffering(let level): levelChanged(to: level)
        case .decoderMissing(let name):
            missingDecoder = name
            reportMissingDecoder()
        case .otherFormat: hasOtherFormat = true
        case .connectionClosed: connectionClosed()
        case .ended: endReached(at: time)
        case .failed(let failure): failed(failure)
        }
    }

    private func durationChanged() {
        // The playlist names the duration of a stream.
        guard hasOpened, !isStream, !isStation, let duration = pipeline?.duration, duration != self.duration else {
            return
        }
        self.duration = duration
        playhead.setLimit(duration)
        report(.durationChanged(duration))
    }

    // MARK: The end

    /// An end so long before the duration is a failure, in seconds.
    static let endTolerance = 1.0
    /// Elements that estimate the duration from the size of the file, if it has no container.
    private static let estimators = ["mpegaudioparse", "aacparse", "ac3parse", "dcaparse"]

    private func endReached(at time: Duration) {
        if network != nil { return liveEnded(at: time) }
        if case .seeking(let seek) = state {
            // The end was reached before the seek.
            guard time >= seek.start, seek.next == nil else { return }
            finish(seek)
        }
        if let error = readError { return broken(error) }
        guard isOpen else { return fail(noStreamError) }
        if isStation { return broken(PlaybackError(.connectionLost, url: address)) }
        // Not now: a busy machine handles the end later.
        let position = playhead.position(at: time) + secondsOfMixedAudio * playhead.rate
        if let duration, !isStream, position < duration - Self.endTolerance {
            guard estimatesDuration else { return fail(endedEarlyError(at: position, of: duration)) }
            self.duration = position
            report(.durationChanged(position))
        }
        endWithAudio(at: duration ?? position)
    }

    /// Longer than the queues of a pipeline, in seconds.
    private static let longestOverrun = 10.0

    /// The ticks after which a pipeline at the end of its data has ended, if its position does not change.
    private static let longestEnd = 8

    /// Ends or fails an item whose pipeline reports nothing.
    ///
    /// A damaged time stamp lets a pipeline wait for hours, while the clock runs on. In other pipelines the position stops: some demuxers
    /// do not report the end, and a decoder may hang. Without audio it also stops between two frames that are far apart.
    ///
    /// - Parameter ticks: the number of ticks in which the position has not changed.
    func checkEnd(at position: Double, unchangedFor ticks: Int) {
        let hasEnded = pipeline?.source?.hasEnded == true
        if hasEnded, let duration {
            if position > duration + Self.longestOverrun { return endReached(at: now) }
            if position > duration - Self.endTolerance, ticks > Self.longestEnd { return endReached(at: now) }
        }
        guard tracks.hasAudio, Double(ticks) * Self.interval > retry.policy.stallTimeout else { return }
        hasEnded ? endReached(at: now) : fail(PlaybackError(.engineStuck, url: address))
    }

    private var estimatesDuration: Bool {
        container == nil && Self.estimators.contains { pipeline?.contains($0) == true }
    }

    private func endedEarlyError(at position: Double, of duration: Double) -> PlaybackError {
        let detail = String(format: "The data ended at %.1f s of %.1f s.", position, duration)
        return PlaybackError(.endedEarly, url: address, detail: detail)
    }

    // MARK: Errors

    /// The reason why no more data could be read; `nil` if everything was read.
    var readError: PlaybackError? {
        if let session = streaming.session {
            if let error = streaming.failure ?? session.error { return error }
            return session.isComplete ? nil : PlaybackError(.endedEarly, url: address)
        }
        guard pipeline?.source?.hasFailed == true else { return nil }
        if case .progressive(let bytes) = content { return bytes.error ?? PlaybackError(.connectionLost, url: address) }
        return PlaybackError(.readFailed, url: address)
    }

    /// The error that reading has run into, also if it is still being retried.
    private var currentReadError: PlaybackError? {
        if case .probing(let probe, _) = state { return probe.currentError }
        if case .progressive(let bytes) = content { return bytes.currentError }
        return streaming.session?.currentError
    }

    var noStreamError: PlaybackError {
        guard let missingPart else { return PlaybackError(.unrecognisedFormat, url: address) }
        return PlaybackError(.unsupportedCodec, url: address, detail: missingPart)
    }

    private func failed(_ failure: GStreamerFailure) {
        if case .audioOutput = failure.kind { return restartWithoutAudio() }
        if let decoder = failure.decoder, failedDecoders.insert(decoder).inserted { return reopen() }
        if network != nil { return liveFailed(failure) }
        if isStream { return streamFailed(with: error(for: failure)) }
        if let error = readError { return broken(error) }
        fail(error(for: failure))
    }

    func error(for failure: GStreamerFailure) -> PlaybackError {
        let code: PlaybackErrorCode
        switch failure.kind {
        case .forbidden: code = .addressForbidden
        case .endlessRedirects: code = .tooManyRedirects
        case .unknownFormat where !hasOpened: code = .unrecognisedFormat
        case .decoderMissing:
            guard missingDecoder == nil else { return noStreamError }
            code = hasOtherFormat ? .unrecognisedFormat : .unsupportedCodec
        case .damaged where !hasOpened, .other where !hasOpened, .refused where !hasOpened, .noAnswer where !hasOpened:
            guard missingDecoder == nil else { return noStreamError }
            code = .unrecognisedFormat
        // Damage in the middle of an item is the end of its data, an unknown segment, or a decoder gives up.
        case .damaged, .unknownFormat: code = .decodingFailed
        case .audioOutput, .other, .refused, .noAnswer: code = .engineFailed
        }
        return PlaybackError(code, url: address, cause: failure.message)
    }

    private func restartWithoutAudio() {
        hasLostAudio = true
        if hasOpened { report(.notice(.audioDeviceFailed)) }
        let position = pausePlayhead()
        content = nil
        open(at: position)
    }

    // MARK: Another attempt

    /// Requests another address, tries again, or fails.
    func broken(_ error: PlaybackError) {
        guard !isFinished else { return }
        guard retry.mayRequestAddress(after: error, at: now) else { return restart(after: error) }
        let position = pausePlayhead()
        closePipeline()
        content = nil
        retry.requestAddress(after: error, at: now)
        state = .awaitingAddress(error, position: position)
        report(.addressRefused(error))
        scheduleTick()
    }

    /// Opens the item again if its policy allows that, and fails otherwise.
    private func restart(after error: PlaybackError) {
        guard isRemote, hasOpened,
            let delay = retry.nextAttempt(after: error, isLive: streaming.isLive || isStation, at: now)
        else {
            return fail(retry.summarised(error, at: now))
        }
        let position = pausePlayhead()
        closePipeline()
        retry.willRestart(after: delay, at: now)
        state = .retrying
        let token = token
        engine.perform(on: request.generation, after: delay) { playback in
            if playback.token === token { playback.open(at: position) }
        }
    }

    /// - Parameter url: the new address; `nil` if there is none.
    func readdress(to url: URL?) {
        guard case .awaitingAddress(let error, let position) = state else { return }
        guard let url else { return fail(error.after(.askedForAddress)) }
        retry.addressAnswered(at: now)
        (address, content) = (url, nil)
        open(at: position)
    }

    // MARK: Timeouts

    /// The longest time for a pipeline of a local file whose threads work.
    private static let longestWork = Duration.seconds(60)
    /// A pipeline that works may wait for a moment.
    private static let neededIdleTicks = 4

    /// Fails if the pipeline has waited for longer than the item's policy allows.
    func checkTimeout() {
        // The timeout applies to the time without data of a file that is read to its end before it opens.
        if case .probing(let probe, _) = state, let silence = probe.silence { retry.dataArrived(silence, before: now) }
        guard let wait = overdueWait else {
            idleTicks = 0
            return
        }
        if case .awaitingAddress(let error, _) = state { return fail(error.after(.askedForAddress)) }
        if !isRemote, wait < Self.longestWork {
            // On a busy machine, the pipeline of a file is only slow.
            idleTicks = ThreadStates.isBusy ? 0 : idleTicks + 1
            guard idleTicks >= Self.neededIdleTicks else { return }
        }
        let waited = RecoveryAttempt.waited(seconds: wait / .seconds(1))
        // The data of a file are there: some demuxers wait for ever for what damaged data promise.
        let code: PlaybackErrorCode = isRemote ? .timedOut : isOpen ? .decodingFailed : .unrecognisedFormat
        fail(currentReadError ?? PlaybackError(code, url: address).after(waited))
    }

    /// The duration of a wait that is longer than the item's policy allows; `nil` if there is none.
    private var overdueWait: Duration? {
        guard let waitingSince = retry.waitingSince else { return nil }
        let isRestarting: Bool
        switch state {
        case .probing, .starting, .positioning: isRestarting = hasOpened
        case .awaitingAddress: isRestarting = true
        case .stalled, .seeking: isRestarting = false
        case .paused, .playing, .retrying, .finished: return nil
        }
        let isOverdue = retry.isOverdue(isOpening: !isOpen, isRestarting: isRestarting, at: now)
        return isOverdue ? now - waitingSince : nil
    }
}

extension PlaybackNotice {
    static let audioDeviceFailed = PlaybackNotice(
        code: "audioDeviceFailed",
        message: "The audio device has failed. Playback runs on the clock until the next item.")
}
#endif
