import Foundation
import MediaTransport
import Playback

// How it ends, and why.
extension VLCStateMachine {
    mutating func endReached(at time: Duration) -> [Action] {
        if phase == .opening {
            awaitsPresentation = false
            guard playsSomething else {
                return hopeless(at: time).map { [$0] } ?? broken(reason(at: time) ?? withoutStream, at: time)
            }
            // Neither a length nor a single sound or picture: a decoder was found for what is none.
            guard !isLive, facts.duration != nil else { return broken(reason(at: time) ?? noMedium, at: time) }
            // So short that it was over before the buffers were full.
            let opening = opened(at: time)
            return phase == .open ? opening + endReached(at: time) : opening
        }
        if let target = seek?.target, target < (duration ?? .infinity) - Self.tolerance.withVideo {
            // Where reading has failed the next attempt may too: the policy says how often.
            if let readError { return broken(readError, at: time) }
            return [restart(at: target, decodingVideo: decodesVideo, time)]
        }
        var actions: [Action] = []
        if let seek { actions = finish(seek, at: time) }
        if duration == nil, !url.isFileURL, let reason = reason(at: time) {
            return actions + broken(reason, at: time)
        }
        if lacksPicture, !playingStreams.contains(.audio), progress > Self.tolerance.withVideo {
            return actions + [fail(PlaybackError(.decodingFailed, url: url), at: time)]
        }
        let left = remaining(at: time)
        let tolerance =
            isStream && readError == nil
            ? .infinity : showsPicture && !lacksPicture ? Self.tolerance.withVideo : Self.tolerance.soundOnly
        if left > tolerance {
            guard estimatesDuration, reason(at: time) == nil else {
                return actions + broken(endedEarly(at: time), at: time)
            }
            // The guess was wrong: the medium is as long as it was.
            let duration = playhead.position(at: time)
            facts.duration = duration
            return actions + [.tell(.durationChanged(duration)), end()]
        }
        guard left > 0.01 else { return actions + [end()] }
        phase = .draining
        guard wantsToPlay else { return actions }
        // libVLC tells no more times: the playhead goes on from here by itself.
        let position = playhead.position(at: time)
        playhead.sync(to: position, at: time)
        return actions + [.tell(.time(position: position)), .awaitEnd(left)] + watch()
    }

    /// The time for which `awaitEnd` asked has come.
    mutating func drained() -> [Action] {
        guard phase == .draining, wantsToPlay else { return [] }
        return [end()]
    }

    /// Seconds, in real time, until what is known of the medium has been played.
    func remaining(at time: Duration) -> Double {
        guard let duration else { return 0 }
        return max(0, duration - playhead.position(at: time)) / playhead.rate
    }

    mutating func end() -> Action {
        phase = .finished
        return .tell(.ended(position: duration ?? playhead.anchor))
    }

    mutating func fail(_ error: PlaybackError, at time: Duration) -> Action {
        phase = .finished
        var error = error
        if let outage, outage.attempts > 0, progress - outage.progress < Self.recovered {
            error = error.after(.retried(times: outage.attempts, seconds: (time - outage.since) / .seconds(1)))
        }
        if wasAnsweredInVain(at: time) { error = error.after(.askedForAddress) }
        return .tell(.failed(error, position: playhead.position(at: time)))
    }

    /// libVLC is about to tell the end, of which it knows no reason.
    ///
    /// - Parameter error: why nothing more could be read; `nil` if everything was, as far as is known.
    mutating func readingEnded(_ error: PlaybackError?) -> [Action] {
        readError = error
        return []
    }

    func reason(at time: Duration) -> PlaybackError? {
        readError ?? diagnosis.error(for: url, since: phase == .opening ? .zero : time - Self.longestConsequence)
    }

    var unopenable: PlaybackError {
        PlaybackError(url.isFileURL ? .unrecognisedFormat : .connectionFailed, url: url)
    }

    var noMedium: PlaybackError { PlaybackError(.unrecognisedFormat, url: url) }

    var withoutStream: PlaybackError {
        !has(.audio) && !has(.video) ? noMedium : PlaybackError(.noPlayableStream, url: url)
    }

    func endedEarly(at time: Duration) -> PlaybackError {
        if !url.isFileURL, let reason = reason(at: time) { return reason }
        let reached = playhead.position(at: time)
        let detail = String(
            format: "The medium broke off at %.1f s of %.1f s.", reached, duration ?? reached)
        return PlaybackError(.endedEarly, url: url, detail: detail)
    }
}
