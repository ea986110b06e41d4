import Foundation
import MediaTransport
import Playback

// How far it has come, and whether it goes on.
extension VLCStateMachine {
    mutating func buffering(_ percent: Double, at time: Duration) -> [Action] {
        // What was said before the seek was made is not about it.
        if phase == .open, let seek, time <= seek.lastSign, !seek.hasBegun { return [] }
        guard percent >= 100 else {
            if phase == .open || seek?.isEarly == true {
                seek?.hasBegun = true
                seek?.lastSign = time
            }
            return stall(at: time) + level(percent)
        }
        isBuffering = false
        if phase == .opening {
            isHeld = awaitsPresentation
            return isHeld ? goThereEarly(at: time) : opened(at: time)
        }
        let actions = level(percent)
        if let rejoinPosition { return actions + rejoin(at: rejoinPosition, time) }
        if let seek, seek.hasBegun { return actions + finish(seek, at: time) }
        return actions + (wantsToPlay && !playhead.isAdvancing ? run(at: time) : [])
    }

    /// Nothing is to be heard or seen of where libVLC has begun while it is found out what this is.
    private mutating func goThereEarly(at time: Duration) -> [Action] {
        guard isElsewhere, seek == nil else { return [] }
        seek = Seek(target: playhead.anchor, isSilent: true, isEarly: true, lastSign: time)
        return [.seek(.time(playhead.anchor))]
    }

    /// What is told of the buffer, in steps that are worth telling.
    mutating func level(_ percent: Double) -> [Action] {
        guard !url.isFileURL else { return [] }
        let isWorthIt =
            percent < toldPercentage || percent - toldPercentage >= Self.percentageStep
            || (percent >= 100 && toldPercentage < 100)
        guard isWorthIt else { return [] }
        toldPercentage = percent
        return [.tell(.buffered(BufferLevel(percentage: percent)))]
    }

    mutating func rejoin(at position: Double, _ time: Duration) -> [Action] {
        rejoinPosition = nil
        let target = held(position)
        // Somebody may have asked for it meanwhile.
        seek = Seek(target: target, isSilent: seek?.isSilent ?? true, lastSign: time)
        destination = (target, 1)
        if case .window(let position) = place(of: target) { return [.seek(.windowBeforePause(position))] + watch() }
        return [.seek(place(of: target))] + watch()
    }

    mutating func stall(at time: Duration) -> [Action] {
        defer { isBuffering = true }
        guard phase == .open, !isBuffering, seek == nil else { return [] }
        return stand(at: time)
    }

    /// libVLC says nothing of it, but it does not go on.
    mutating func starve(since beginning: Duration, at time: Duration) -> [Action] {
        guard playhead.isAdvancing else { return [] }
        isStarved = true
        waitingSince = waitingSince ?? beginning
        return stand(at: time)
    }

    /// What is told when it does not go on.
    mutating func stand(at time: Duration) -> [Action] {
        let wasRunning = playhead.isAdvancing
        playhead.stand(at: time)
        guard wasRunning else { return [] }
        waitingSince = waitingSince ?? time
        return [.tell(.stalled(position: playhead.position(at: time)))] + (url.isFileURL ? [] : watch())
    }

    mutating func timeChanged(_ engineTime: Double, at time: Duration) -> [Action] {
        // libVLC repeats the target of a seek at once, before it has got there.
        guard phase == .open, seek == nil, rejoinPosition == nil, !isBuffering, wantsToPlay else { return [] }
        if let again = returnToDestination(from: engineTime, at: time) { return again }
        // After a seek in a live stream it says 0 for a while.
        if isLive, engineTime == 0 { return tracks.settle() }
        let lastTold = lastSign
        lastSign = time
        if let last = lastEngineTime, last.time == engineTime {
            if time - last.since >= Self.longestStandstill {
                // In HLS positions were told meanwhile.
                return starve(since: beginsAtSegments ? lastTold : last.since, at: time) + tracks.settle()
            }
            if isStarved { return tracks.settle() }
            // In HLS its time moves once a second, and the playhead is further meanwhile.
            if beginsAtSegments, playhead.isAdvancing {
                return [.tell(.time(position: playhead.position(at: time)))] + tracks.settle()
            }
        } else {
            progress += max(0, engineTime - (lastEngineTime?.time ?? engineTime))
            lastEngineTime = (engineTime, time)
            waitingSince = nil
        }
        let position = engineTime + (timeOffset ?? playhead.position(at: time) - engineTime)
        timeOffset = position - engineTime
        if isOverrun(position) { return endReached(at: time) }
        if isStarved { return run(at: time) }
        guard playhead.isAdvancing else { return [] }
        playhead.sync(to: position, at: time)
        return [.tell(.time(position: position))] + missingWindow() + missingPicture(at: time) + tracks.settle()
    }

    /// libVLC loses a seek that comes while it still begins, or has just gone to the edge of a live stream, and says nothing of it
    /// but by its time.
    private mutating func returnToDestination(from engineTime: Double, at time: Duration) -> [Action]? {
        guard let place = destination, engineTime > 0 else { return nil }
        guard isFar(engineTime, from: place.position, at: time), place.attempts < Self.silentSeekAttempts else {
            destination = nil
            return nil
        }
        playhead.stand(at: time)
        let position = playhead.position(at: time)
        destination = (position, place.attempts + 1)
        seek = Seek(target: position, isSilent: true, lastSign: time)
        return [.seek(self.place(of: position))] + watch()
    }

    private func isFar(_ engineTime: Double, from place: Double, at time: Duration) -> Bool {
        guard isLive else { return engineTime < place - Self.farAway }
        // Of a stream that was joined again it is not known where libVLC counts from. It may begin with the segment before or behind.
        guard timeOffset == 0, let presentation else { return false }
        return abs(engineTime - playhead.position(at: time)) > presentation.targetDuration + Self.farAway
    }

    /// Whether libVLC waits, perhaps for hours, for a wrong time stamp at the end of a stream: its time runs on meanwhile.
    ///
    /// By a tenth a playlist may be wrong that tells whole seconds only.
    func isOverrun(_ position: Double) -> Bool {
        guard presentation != nil, !isLive, let duration else { return false }
        return position > duration + max(Self.longestOverrun, duration / 10)
    }

    /// Whether it has become clear that the picture is nowhere to be seen.
    mutating func missingWindow() -> [Action] {
        guard showsVideo, videoFailed, videoOutputs == 0, !saidVideoFailed else { return [] }
        saidVideoFailed = true
        let message = "No window could be opened for the picture: is vlc-plugin-video-output installed?"
        return [.tell(.notice(PlaybackNotice(code: "noWindow", message: message)))]
    }

    /// A decoder that gives no pictures says nothing of it.
    mutating func missingPicture(at time: Duration) -> [Action] {
        guard lacksPicture, !saidPictureMissing else {
            blindSince = nil
            return []
        }
        let since = blindSince ?? progress
        blindSince = since
        guard progress - since >= Self.longestBlindness else { return [] }
        guard playingStreams.contains(.audio) else { return [fail(PlaybackError(.decodingFailed, url: url), at: time)] }
        saidPictureMissing = true
        let message = "The picture cannot be decoded: it may be damaged. The sound goes on."
        return [.tell(.notice(PlaybackNotice(code: "noPicture", message: message)))]
    }

    /// Whether there is a picture, and nothing of it has come.
    var lacksPicture: Bool { showsPicture && decodesVideo && !hasShownPicture && !videoFailed }

    /// The time for which `watch` asked has come: finds out what libVLC keeps to itself.
    ///
    /// - Parameter error: why nothing comes of what libVLC wants to read.
    mutating func checkProgress(at time: Duration, error: PlaybackError? = nil) -> [Action] {
        isWatched = false
        if phase == .draining, wantsToPlay { return [.tell(.time(position: playhead.position(at: time)))] + watch() }
        if let actions = lose(because: error, at: time) { return actions }
        guard phase == .open else { return isExpecting ? watch() : [] }
        if var seek, seek.isSilent, !seek.hasBegun, seek.attempts < Self.silentSeekAttempts,
            time - seek.lastSign >= Self.longestSilentSeek
        {
            seek.attempts += 1
            seek.lastSign = time
            self.seek = seek
            return [.seek(place(of: seek.target))] + watch()
        }
        if let seek, time - seek.lastSign > Self.longestSeek {
            self.seek = nil
            if rejoinPosition != nil { rejoinPosition = playhead.position(at: time) }
            let failed: [Action] = seek.isSilent ? [] : [.tell(.seekFailed(position: playhead.position(at: time)))]
            if wantsToPlay, engineRuns, !isBuffering { return failed + run(at: time) }
            // It may never go on.
            waitingSince = waitingSince ?? time
            return failed + watch()
        }
        if let rejoinPosition, engineRuns, !isBuffering { return rejoin(at: rejoinPosition, time) }
        let sign = max(lastSign, playhead.hostTime)
        if seek == nil, playhead.isAdvancing, time - sign >= Playhead.longestSilence {
            return starve(since: sign, at: time)
        }
        return seek != nil || rejoinPosition != nil || playhead.isAdvancing || isExpecting ? watch() : []
    }

    /// What has not come by now will not come.
    mutating func lose(because error: PlaybackError?, at time: Duration) -> [Action]? {
        guard let waitingSince, isExpecting, seek == nil || phase == .opening else { return nil }
        let since = isRestarting ? outage?.since ?? waitingSince : waitingSince
        let limit =
            isRestarting ? retry.giveUpAfter : phase == .opening ? retry.longestOpening : retry.longestStall
        guard (time - since) / .seconds(1) > limit else { return nil }
        if let question { return [fail(question, at: time)] }
        let waited = PlaybackRemedy.waited(seconds: (time - waitingSince) / .seconds(1))
        return broken(error ?? reason(at: time) ?? PlaybackError(.timedOut, url: url).after(waited), at: time)
    }

    /// Whether something must come of the network before long.
    var isExpecting: Bool {
        !url.isFileURL && waitingSince != nil && (phase == .opening || phase == .open && wantsToPlay)
    }

    mutating func watch() -> [Action] {
        guard !isWatched else { return [] }
        isWatched = true
        return [.watch(Self.watchInterval)]
    }
}
