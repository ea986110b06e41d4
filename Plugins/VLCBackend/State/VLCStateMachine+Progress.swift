import Foundation
import MediaTransport
import Playback

// Buffering, the playhead, and stalls.
extension VLCStateMachine {
    /// libVLC has stalled if it reports the same time for this long. In HLS its time changes once a second only.
    private static let unchangedTimeLimit = Duration.seconds(3)
    /// libVLC reads so many seconds of a track of an mp4 file ahead, if the file does not come from its own file access.
    private static let longestMP4Preload = 16.0
    /// A stream that plays this far beyond its end has no end, in seconds.
    private static let overrunTolerance = 5.0
    /// The buffer level is reported in steps of this size, in percent.
    private static let levelStep = 10.0

    mutating func buffering(_ percent: Double, at time: Duration) -> [Action] {
        // An event from before the seek does not belong to the seek.
        if state.isOpen, let seek = state.seek, time <= seek.lastSign, !seek.hasBegun { return [] }
        guard percent >= 100 else {
            if state.isOpen || state.seek?.isEarly == true {
                state.seek?.hasBegun = true
                state.seek?.lastSign = time
            }
            return bufferEmptied(at: time) + reportLevel(percent)
        }
        player.isBuffering = false
        if let opening = state.opening {
            guard opening.awaitsTimeline else { return opened(at: time) }
            state.opening?.isBuffered = true
            return seekEarly(at: time)
        }
        let actions = reportLevel(percent)
        if case .rejoining(let rejoin) = state { return actions + leaveLiveEdge(rejoin, time) }
        if let seek = state.seek, seek.hasBegun { return actions + finish(seek, at: time) }
        return actions + (wantsToPlay && !playhead.isAdvancing ? run(at: time) : [])
    }

    private mutating func reportLevel(_ percent: Double) -> [Action] {
        guard !url.isFileURL else { return [] }
        let isNews =
            percent < reportedLevel || percent - reportedLevel >= Self.levelStep
            || (percent >= 100 && reportedLevel < 100)
        guard isNews else { return [] }
        reportedLevel = percent
        return [.report(.buffered(BufferLevel(percentage: percent)))]
    }

    // MARK: Stalls

    private mutating func bufferEmptied(at time: Duration) -> [Action] {
        defer { player.isBuffering = true }
        guard state.isOpen, !player.isBuffering, state.seek == nil else { return [] }
        return stall(at: time)
    }

    /// libVLC has stopped without a buffering event.
    private mutating func stallSilently(since start: Duration, at time: Duration) -> [Action] {
        guard playhead.isAdvancing else { return [] }
        retry.waitingSince = retry.waitingSince ?? start
        return stall(at: time)
    }

    /// Stops the playhead because data are missing. Does nothing if it does not move.
    mutating func stall(at time: Duration) -> [Action] {
        let wasRunning = playhead.isAdvancing
        playhead.pause(at: time)
        guard wasRunning else { return [] }
        if state.isPlaying { state = .stalled }
        retry.waitingSince = retry.waitingSince ?? time
        return [.report(.stalled(position: playhead.position(at: time)))] + (url.isFileURL ? [] : watch())
    }

    // MARK: Times

    mutating func timeChanged(_ engineTime: Double, at time: Duration) -> [Action] {
        if player.drawing == .awaitsFrame { return drawing(at: engineTime) }
        guard state.isOpen, state.seek == nil, !state.isRejoining, !player.isBuffering, wantsToPlay else { return [] }
        if let actions = repeatLostSeek(from: engineTime, at: time) { return actions }
        // libVLC reports 0 for a while after a seek in a live stream.
        if isLive, engineTime == 0 { return tracks.settle() }
        let lastSign = player.lastSign
        player.lastSign = time
        if let last = player.lastTime, last.time == engineTime {
            if playsPreload(after: engineTime, since: last.since, at: time) {
                if remainingTime(at: time) > 0 { player.lastTime?.since = time }
                retry.played += max(0, playhead.position(at: time) - playhead.anchor)
            } else if time - last.since >= Self.unchangedTimeLimit {
                // Positions of a segmented stream were reported in the meantime.
                return stallSilently(since: isSegmented || isPreloaded ? lastSign : last.since, at: time)
                    + tracks.settle()
            } else if state.isStalled {
                return tracks.settle()
            } else if isSegmented, playhead.isAdvancing {
                // libVLC's time of a segmented stream changes once a second, and the playhead has moved since.
                return [.report(.time(position: playhead.position(at: time)))] + tracks.settle()
            }
        } else {
            retry.played += max(0, engineTime - (player.lastTime?.time ?? engineTime))
            player.lastTime = (engineTime, time)
            retry.waitingSince = nil
        }
        var position = engineTime + (player.timeOffset ?? playhead.position(at: time) - engineTime)
        player.timeOffset = position - engineTime
        // libVLC's time is still that of the last byte.
        if isPreloaded { position = max(position, playhead.position(at: time)) }
        if isBeyondEnd(position) { return endReached(at: time) }
        if state.isStalled { return run(at: time) }
        guard playhead.isAdvancing else { return [] }
        playhead.sync(to: position, at: time)
        return [.report(.time(position: position))] + checkVideoOutput(at: time) + tracks.settle()
    }

    /// `true` if libVLC's time does not move because its mp4 demuxer has nothing left to read. It continues to play.
    private func playsPreload(after engineTime: Double, since start: Duration, at time: Duration) -> Bool {
        guard isPreloaded, isCloseToEnd(engineTime + (player.timeOffset ?? 0)) else { return false }
        return remainingTime(at: time) > 0 || time - start < Self.unchangedTimeLimit
    }

    /// `true` if libVLC has all data of an mp4 file.
    var isPreloaded: Bool { !isSegmented && demuxer == "mp4" && player.hasReadAll }

    /// `true` if libVLC's mp4 demuxer may read from a position to the end at once.
    func isCloseToEnd(_ position: Double) -> Bool { remaining(after: position) < Self.longestMP4Preload }

    /// `true` if libVLC waits, perhaps for hours, for a wrong time stamp at the end of a stream. Its time advances
    /// meanwhile.
    ///
    /// The durations of a playlist in whole seconds can be wrong by a tenth.
    private func isBeyondEnd(_ position: Double) -> Bool {
        guard timeline != nil, !isLive, let duration else { return false }
        return position > duration + max(Self.overrunTolerance, duration / 10)
    }

    private mutating func checkVideoOutput(at time: Duration) -> [Action] {
        var notices: [PlaybackNotice] = []
        if tracks.isVideoVisible, let notice = video.missingWindow() { notices.append(notice) }
        if video.missesFrames(isExpected: lacksFrames, played: retry.played) {
            guard player.decodedKinds.contains(.audio) else {
                return notices.map { .report(.notice($0)) } + [fail(PlaybackError(.decodingFailed, url: url), at: time)]
            }
            notices.append(VideoOutputStatus.missingFramesNotice)
        }
        return notices.map { .report(.notice($0)) }
    }

    /// `true` if the video should be visible and no frame has appeared.
    var lacksFrames: Bool { showsVideo && video.lacksFrames }

    // MARK: Regular checks

    /// Finds out what libVLC does not report: lost data, lost seeks, and stalls.
    ///
    /// - Parameters:
    ///   - error: the error that reading has run into, if it is still being retried.
    ///   - silence: the time since the last byte of a file that is read to its end before it opens.
    mutating func checkProgress(
        at time: Duration, error: PlaybackError? = nil, silence: Duration? = nil
    ) -> [Action] {
        isWatched = false
        if let silence { retry.dataArrived(silence, before: time) }
        if isDraining, wantsToPlay {
            // libVLC reports no more times. The playhead would stop without one.
            let position = playhead.position(at: time)
            playhead.sync(to: position, at: time)
            return [.report(.time(position: position))] + watch()
        }
        if let actions = giveUpWaiting(because: error, at: time) { return actions }
        guard state.isOpen else {
            if awaitsStreams { return continueSearch(at: time) }
            return isExpectingData ? watch() : []
        }
        if let actions = checkSeek(at: time) { return actions }
        if case .rejoining(let rejoin) = state, player.isRunning, !player.isBuffering {
            return leaveLiveEdge(rejoin, time)
        }
        let lastSign = max(player.lastSign, playhead.hostTime)
        if state.seek == nil, playhead.isAdvancing, time - lastSign >= Playhead.reportTimeout {
            return stallSilently(since: lastSign, at: time)
        }
        return state.seek != nil || state.isRejoining || playhead.isAdvancing || isExpectingData ? watch() : []
    }

    /// `true` if a local file is being opened without playing, and has no streams yet.
    var awaitsStreams: Bool {
        url.isFileURL && state.isOpening && !wantsToPlay && !has(.audio) && !has(.video)
    }

    var isSearching: Bool {
        if case .playing = state.opening?.search { awaitsStreams } else { false }
    }

    /// The time in which a paused libVLC finds the streams of a local file.
    private static let searchTime = Duration.seconds(2)

    mutating func beginSearch(at time: Duration) -> [Action] {
        state.opening?.search = .paused(since: time)
        return watch()
    }

    /// A paused libVLC reports nothing about a file without streams. While it plays, it reports the end.
    private mutating func continueSearch(at time: Duration) -> [Action] {
        guard case .paused(let since) = state.opening?.search else { return [] }
        guard time - since > Self.searchTime else { return watch() }
        state.opening?.search = .playing
        return [.resume]
    }

    /// Ends the wait for data that have not arrived in time. Returns `nil` if there is still time.
    private mutating func giveUpWaiting(because error: PlaybackError?, at time: Duration) -> [Action]? {
        guard isExpectingData, let since = retry.waitingSince, state.seek == nil || state.isOpening,
            retry.isOverdue(isOpening: state.isOpening, isRestarting: state.isRestarting, at: time)
        else { return nil }
        if let error = retry.pendingAddressError { return [fail(error, at: time)] }
        let waited = RecoveryAttempt.waited(seconds: (time - since) / .seconds(1))
        return broken(error ?? reason(at: time) ?? PlaybackError(.timedOut, url: url).after(waited), at: time)
    }

    /// `true` if data must arrive from the network in time.
    private var isExpectingData: Bool {
        !url.isFileURL && retry.waitingSince != nil && (state.isOpening || state.isOpen && wantsToPlay)
    }
}
