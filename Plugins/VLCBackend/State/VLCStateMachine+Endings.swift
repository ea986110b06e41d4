import Foundation
import MediaTransport
import Playback

// The end of an item, and its reason.
extension VLCStateMachine {
    /// An end so long before the duration is a failure, in seconds. libVLC hands out audio more than a second ahead, and audio without a
    /// device at once.
    private static let endTolerance = 2.0
    /// The same for an mp4 file that libVLC reads through us, with the delay of the network, in seconds.
    private static let preloadTolerance = 3.0
    /// The same for audio that FFmpeg reads, in seconds. A packet of WavPack is a second long, and one of Monkey's Audio 6.7 s.
    private static let longPacketTolerance = 8.0
    /// The same after an error of reading or a seek, and without a decoder for the video. In seconds.
    private static let strictTolerance = 1.0
    /// The number of frames that are missing at the end of a complete item.
    private static let lastFrames = 3.0

    mutating func endReached(at time: Duration) -> [Action] {
        if state.isOpening { return endReachedWhileOpening(at: time) }
        if player.drawing != .none { return [restart(at: playhead.position(at: time), time)] }
        if let target = state.seek?.target, target < (duration ?? .infinity) - Self.strictTolerance {
            // After a read error the next attempt may fail too, so the retry policy applies.
            if let readError = retry.readError { return broken(readError, at: time) }
            return [restart(at: target, time)]
        }
        var actions: [Action] = []
        if let seek = state.seek { actions = finish(seek, at: time) }
        if duration == nil, !url.isFileURL, let reason = reason(at: time) {
            return actions + broken(reason, at: time)
        }
        if lacksFrames, !player.decodedKinds.contains(.audio), retry.played > Self.strictTolerance {
            return actions + [fail(PlaybackError(.decodingFailed, url: url), at: time)]
        }
        let left = remainingTime(at: time)
        guard left <= endTolerance else { return actions + endedEarly(at: time) }
        guard left > 0.01 else { return actions + [end()] }
        state = .draining
        guard wantsToPlay else { return actions }
        // libVLC reports no more times. The playhead advances without it.
        let position = playhead.position(at: time)
        playhead.sync(to: position, at: time)
        return actions + [.report(.time(position: position)), .awaitEnd(left)] + watch()
    }

    private mutating func endReachedWhileOpening(at time: Duration) -> [Action] {
        state.opening?.awaitsTimeline = false
        guard hasPlayableStream else {
            return withoutPlayableStream(at: time).map { [$0] } ?? broken(reason(at: time) ?? noStreamError, at: time)
        }
        // Without a duration there was no data: libVLC has found a decoder for garbage.
        guard !isLive, info.duration != nil else { return broken(reason(at: time) ?? formatError, at: time) }
        // The item is so short that it ended before the buffers were full.
        let opening = opened(at: time)
        return state.isOpen ? opening + endReached(at: time) : opening
    }

    /// The distance from the duration that is accepted, in seconds.
    private var endTolerance: Double {
        // A segmented stream, also a local one, is complete if all its segments were read.
        if isSegmented, retry.readError == nil { return .infinity }
        if retry.readError != nil, showsVideo, !lacksFrames { return Self.strictTolerance }
        if retry.readError == nil {
            if demuxer == "avformat", !tracks.hasVideo { return Self.longPacketTolerance }
            if isPreloaded { return Self.preloadTolerance }
        }
        // libVLC ends before the last frames have been shown for as long as they should.
        let frame = tracks.frameRate.map { 1 / max($0, 0.1) } ?? 0
        return max(Self.endTolerance, Self.lastFrames * frame)
    }

    private mutating func endedEarly(at time: Duration) -> [Action] {
        guard estimatesDuration, reason(at: time) == nil else { return broken(endedEarlyError(at: time), at: time) }
        // The estimated duration was wrong. The last audio is still audible.
        let duration = playhead.position(at: time)
        info.duration = duration
        playhead.setLimit(duration)
        state = .draining
        return [.report(.durationChanged(duration))] + (wantsToPlay ? [.awaitEnd(0)] : [])
    }

    /// The last audio is over: the time of `awaitEnd` has passed.
    mutating func drained() -> [Action] { isDraining && wantsToPlay ? [end()] : [] }

    /// The real time until the end, in seconds.
    func remainingTime(at time: Duration) -> Double {
        guard let duration else { return 0 }
        return max(0, duration - playhead.position(at: time)) / playhead.rate
    }

    private mutating func end() -> Action {
        state = .finished
        return .report(.ended(position: duration ?? playhead.anchor))
    }

    mutating func fail(_ error: PlaybackError, at time: Duration) -> Action {
        state = .finished
        return .report(.failed(retry.summarised(error, at: time), position: playhead.position(at: time)))
    }

    /// libVLC is about to report an end or an error, without a reason.
    ///
    /// - Parameter error: the reason why no more data could be read; `nil` if everything was read.
    mutating func readingEnded(_ error: PlaybackError?) { retry.readError = error }

    /// A line of the log explains a failure that follows within this time.
    private static let logRelevance = Duration.seconds(30)

    /// The reason for a failure, if the transport or libVLC's log gives one.
    func reason(at time: Duration) -> PlaybackError? {
        retry.readError ?? log.error(for: url, since: state.isOpening ? .zero : time - Self.logRelevance)
    }

    private func endedEarlyError(at time: Duration) -> PlaybackError {
        if !url.isFileURL, let reason = reason(at: time) { return reason }
        // libVLC has skipped bytes that it needs, because the audio and the video are not close to each other in the file.
        if tracks.isMP4InOrder, tracks.hasVideo { return PlaybackError(.rangesUnsupported, url: url) }
        let reached = playhead.position(at: time)
        let detail = String(format: "The data ended at %.1f s of %.1f s.", reached, duration ?? reached)
        return PlaybackError(.endedEarly, url: url, detail: detail)
    }
}
