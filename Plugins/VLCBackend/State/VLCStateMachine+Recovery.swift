import Foundation
import MediaTransport
import Playback

// What is done about what breaks off.
extension VLCStateMachine {
    /// What is at the address cannot be had.
    mutating func unreachable(_ error: PlaybackError, at time: Duration) -> [Action] {
        readError = error
        return broken(error, at: time)
    }

    /// The answer to `askForAddress`; `nil`: nobody knows.
    mutating func readdressed(to url: URL?, at time: Duration) -> [Action] {
        guard let question, phase != .finished else { return [] }
        self.question = nil
        waitingSince = time
        asked?.answer = time
        guard let url else { return takeUp(after: question, at: time) }
        self.url = url
        return [restart(at: seek?.target ?? playhead.position(at: time), decodingVideo: decodesVideo, time)] + watch()
    }

    /// Does what can be done about what broke off.
    mutating func broken(_ error: PlaybackError, at time: Duration) -> [Action] {
        guard error.suggestsExpiry, canReaddress, !wasAnsweredInVain(at: time) else {
            return takeUp(after: error, at: time)
        }
        (question, asked) = (error, Asked(progress: progress))
        let actions = stand(at: time)
        (readError, waitingSince, outage) = (nil, time, nil)
        diagnosis.clear()
        if isLive { timeOffset = nil }
        awaitAnotherOpening(at: time)
        return actions + [.askForAddress(error)] + watch()
    }

    /// Whether another address has been asked for, and nothing has come of it.
    func wasAnsweredInVain(at time: Duration) -> Bool {
        guard let asked, progress - asked.progress < Self.recovered else { return false }
        return asked.answer.map { time - $0 < Self.longestUselessAnswer } ?? true
    }

    /// Takes up again what broke off, as long as that makes sense.
    mutating func takeUp(after error: PlaybackError, at time: Duration) -> [Action] {
        let position = seek?.target ?? playhead.position(at: time)
        guard let delay = delay(after: error, time) else { return [fail(error, at: time)] }
        outage?.attempts += 1
        let actions = stand(at: time)
        (readError, waitingSince) = (nil, time + .seconds(delay))
        diagnosis.clear()
        if isLive { timeOffset = nil }
        return actions + [restart(at: position, decodingVideo: decodesVideo, after: delay, time)] + watch()
    }

    /// In seconds: when to try again; `nil` if it is over.
    mutating func delay(after error: PlaybackError, _ time: Duration) -> Double? {
        guard !url.isFileURL, phase == .open || isRestarting else { return nil }
        // All of it has come, and will be the same the next time.
        if url.isHTTP, readError == nil { return nil }
        var retry = retry
        // A segment that is not there any more, or not yet, is no reason to leave a live stream.
        if isLive, error.code == .httpStatus { retry.codes = (retry.codes ?? []).union([.httpStatus]) }
        if let outage, progress - outage.progress < Self.recovered {
            return retry.delay(
                before: outage.attempts, after: error, elapsed: (time - outage.since) / .seconds(1))
        }
        // It may have stood still for a while already: the limits do not add up.
        let since = min(waitingSince ?? time, time)
        outage = Outage(since: since, progress: progress)
        return retry.delay(before: 0, after: error, elapsed: (time - since) / .seconds(1))
    }

    mutating func restart(
        at position: Double, decodingVideo: Bool, after delay: Double = 0, _ time: Duration
    ) -> Action {
        awaitAnotherOpening(at: time)
        decodesVideo = decodingVideo
        // Another one is made once it is open.
        if let target = seek?.target { seek?.hasBegun = !isLive && target == position }
        playhead.jump(to: position, at: time)
        // A live stream is joined at its edge, and its playhead goes on from where it was.
        return .restart(at: isLive ? 0 : position, decodingVideo: decodingVideo, after: delay)
    }

    /// The player goes, and what comes next about the item comes of another one.
    mutating func awaitAnotherOpening(at time: Duration) {
        isRestarting = isRestarting || phase != .opening
        phase = .opening
        engineRuns = false
        isBuffering = true
        isHeld = false
        (rejoinPosition, destination) = (nil, nil)
        handover = RenditionSwitch()
        playingStreams = []
        tracks.forgetStreams()
        playhead.stand(at: time)
    }
}
