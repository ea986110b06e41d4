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
        case .decoderMissing(let name):
            missingDecoder = name
            reportMissingDecoder()
        case .ended: endReached(at: time)
        case .failed(let failure): failed(failure)
        }
    }

    private func durationChanged() {
        guard hasOpened, let duration = pipeline?.duration, duration != self.duration else { return }
        self.duration = duration
        playhead.setLimit(duration)
        report(.durationChanged(duration))
    }

    // MARK: The end

    /// An end so long before the duration is a failure, in seconds.
    private static let endTolerance = 1.0
    /// Elements that estimate the duration from the size of the file, if it has no container.
    private static let estimators = ["mpegaudioparse", "aacparse", "ac3parse", "dcaparse"]

    private func endReached(at time: Duration) {
        if case .seeking(let seek) = state {
            // The end was reached before the seek.
            guard time >= seek.start, seek.next == nil else { return }
            finish(seek)
        }
        if let error = readError { return broken(error) }
        guard isOpen else { return fail(noStreamError) }
        // Not now: a busy machine handles the end later.
        let position = playhead.position(at: time)
        if let duration, position < duration - Self.endTolerance {
            guard estimatesDuration else { return fail(endedEarlyError(at: position, of: duration)) }
            self.duration = position
            report(.durationChanged(position))
        }
        let end = duration ?? position
        release()
        report(.ended(position: end))
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
        guard pipeline?.source.hasFailed == true else { return nil }
        if case .medium(let bytes) = content { return bytes.error ?? PlaybackError(.connectionLost, url: address) }
        return PlaybackError(.readFailed, url: address)
    }

    /// The error that reading has run into, also if it is still being retried.
    private var currentReadError: PlaybackError? {
        if case .probing(let probe, _) = state { return probe.currentError }
        if case .medium(let bytes) = content { return bytes.currentError }
        return nil
    }

    var noStreamError: PlaybackError {
        guard let missingDecoder else { return PlaybackError(.unrecognisedFormat, url: address) }
        let detail = "No decoder is installed for \(missingDecoder)."
        return PlaybackError(.unsupportedCodec, url: address, detail: detail)
    }

    private func failed(_ failure: GStreamerFailure) {
        if let error = readError { return broken(error) }
        switch failure.kind {
        case .audioOutput: restartWithoutAudio()
        case .unknownFormat: fail(PlaybackError(.unrecognisedFormat, url: address, cause: failure.message))
        case .decoderMissing: fail(missingDecoder == nil ? codecError(failure) : noStreamError)
        case .damaged where !hasOpened, .other where !hasOpened:
            fail(missingDecoder == nil ? formatError(failure) : noStreamError)
        case .damaged: fail(damageError(failure))
        case .other: fail(PlaybackError(.engineFailed, url: address, cause: failure.message))
        }
    }

    private func codecError(_ failure: GStreamerFailure) -> PlaybackError {
        PlaybackError(.unsupportedCodec, url: address, cause: failure.message)
    }

    private func formatError(_ failure: GStreamerFailure) -> PlaybackError {
        PlaybackError(.unrecognisedFormat, url: address, cause: failure.message)
    }

    /// Damage in the middle of a file is the end of its data, or a decoder gives up.
    private func damageError(_ failure: GStreamerFailure) -> PlaybackError {
        PlaybackError(.decodingFailed, url: address, cause: failure.message)
    }

    private func restartWithoutAudio() {
        hasLostAudio = true
        let message = "The sound server is gone. Playback runs on the clock until the next item."
        if hasOpened { report(.notice(PlaybackNotice(code: "soundServerGone", message: message))) }
        restart()
    }

    /// Opens the address again, at the playhead.
    private func restart() {
        let position = playhead.position(at: now)
        if case .playing = state {
            playhead.stand(at: now)
            report(.stalled(position: position))
        }
        content = nil
        open(at: position)
    }

    // MARK: Another address

    /// A second of playback, or this time after the answer, allows to ask again.
    private static let addressProbation = Duration.seconds(10)

    /// Requests another address, or fails.
    func broken(_ error: PlaybackError) {
        guard error.suggestsExpiry, request.canReaddress, mayAskForAddress else { return fail(withAttempts(error)) }
        let position = playhead.position(at: now)
        if case .playing = state { report(.stalled(position: position)) }
        playhead.stand(at: now)
        closePipeline()
        state = .awaitingAddress(error)
        waitingSince = now
        report(.addressRefused(error))
        tick()
    }

    private var mayAskForAddress: Bool {
        guard let lastAddress else { return true }
        return playhead.position(at: now) - lastAddress.position > 1 || now - lastAddress.time > Self.addressProbation
    }

    private func withAttempts(_ error: PlaybackError) -> PlaybackError {
        lastAddress == nil || mayAskForAddress ? error : error.after(.askedForAddress)
    }

    /// - Parameter url: the new address; `nil` if there is none.
    func readdress(to url: URL?) {
        guard case .awaitingAddress(let error) = state else { return }
        guard let url else { return fail(error.after(.askedForAddress)) }
        let position = playhead.position(at: now)
        lastAddress = (position, now)
        (address, content) = (url, nil)
        open(at: position)
    }

    // MARK: Timeouts

    /// Fails if data have not arrived for longer than the item's policy allows.
    func checkTimeout() {
        guard let waitingSince else { return }
        let policy = request.item.retryPolicy
        let limit: Double
        switch state {
        case .probing, .starting, .positioning: limit = hasOpened ? policy.giveUpAfter : policy.openTimeout
        case .stalled, .seeking: limit = policy.stallTimeout
        case .awaitingAddress: limit = policy.giveUpAfter
        case .paused, .playing, .finished: return
        }
        let waited = (now - waitingSince) / .seconds(1)
        guard waited > limit else { return }
        if case .awaitingAddress(let error) = state { return fail(error.after(.askedForAddress)) }
        fail(currentReadError ?? PlaybackError(.timedOut, url: address).after(.waited(seconds: waited)))
    }
}
#endif
