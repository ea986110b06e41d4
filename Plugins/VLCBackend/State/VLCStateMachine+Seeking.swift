import MediaTransport
import Playback

// Seeks by the user, and seeks that bring libVLC to the playhead.
//
// libVLC repeats the target as its time at once, before it has reached it. A seek ends when the buffers have been
// filled for it. There are three exceptions:
//
// - libVLC loses a seek that comes directly after a start or a resume, without an event. It is sent again.
// - libVLC performs its commands in order. A seek waits for a pause before it, which takes seconds on a busy machine.
// - While libVLC is paused, it never fills its buffers close to the end of an item, because no more data follow.
extension VLCStateMachine {
    /// A seek without a sign from libVLC for this time has failed.
    private static let seekTimeout = Duration.seconds(5)
    /// A seek without a sign from libVLC for this time is sent again.
    private static let signTimeout = Duration.seconds(1)
    /// A paused seek close to the end without another sign for this time is at its target.
    private static let endTimeout = Duration.seconds(0.5)
    static let seekAttempts = 3
    /// libVLC buffers up to this time, in seconds.
    private static let longestBuffer = 2.0
    /// A distance to the target that is larger than this, in seconds, shows that the seek was lost.
    private static let tolerance = 1.0

    mutating func seek(to target: Double, at time: Duration) -> [Action] {
        switch state {
        case .opening(let opening) where opening.isRestart && retry.waitingSince != nil:
            // The seek is made as soon as the item is open again.
            state.seek = Seek(target: clamped(target), lastSign: time)
            playhead.jump(to: clamped(target), at: time)
            return []
        case .opening, .finished: return [.report(.seekFailed(position: playhead.position(at: time)))]
        case .draining:
            state = .seeking(Seek(target: target, hasBegun: true, lastSign: time))
            return [.cancelAwaitingEnd, restart(at: target, time)]
        case .ready, .playing, .stalled, .seeking, .rejoining:
            let target = clamped(target)
            let seek = Seek(target: target, lastSign: time)
            drawingAttempts = 0
            playhead.pause(at: time)
            player.uncheckedSeek = isLive ? (target, 1) : nil
            // libVLC would lose the seek now. It is sent when the buffers of the live edge are full.
            if state.isRejoining {
                state = .rejoining(Rejoin(position: target, seek: seek))
                return rendition.cancel() + watch()
            }
            state = .seeking(seek)
            return rendition.cancel() + [.seek(libVLCTarget(of: target))] + watch()
        }
    }

    /// The buffers of the live edge are full. Seeks from there to the position of the pause.
    mutating func leaveLiveEdge(_ rejoin: Rejoin, _ time: Duration) -> [Action] {
        let target = clamped(rejoin.position)
        state = .seeking(Seek(target: target, isSilent: rejoin.seek?.isSilent ?? true, lastSign: time))
        player.uncheckedSeek = (target, 1)
        if case .window(let position) = libVLCTarget(of: target) {
            return [.seek(.windowBeforePause(position))] + watch()
        }
        return [.seek(libVLCTarget(of: target))] + watch()
    }

    mutating func finish(_ seek: Seek, at time: Duration) -> [Action] {
        state.seek = nil
        playhead.jump(to: seek.target, at: time)
        let report: [Action] = seek.isSilent ? [] : [.report(.seeked(position: seek.target))]
        return report + (wantsToPlay ? run(at: time) : showFrame()) + chooseRendition()
    }

    /// Sends a lost seek again, and ends a seek that libVLC does not answer. Returns `nil` if neither is due.
    mutating func checkSeek(at time: Duration) -> [Action]? {
        guard var seek = state.seek else { return nil }
        // The pause has not taken effect yet.
        if !wantsToPlay, player.isRunning, url.isFileURL { return watch() }
        let silence = time - seek.lastSign
        let lacksData =
            isPreloaded && isCloseToEnd(seek.target) || remaining(after: seek.target) < Self.longestBuffer
        if seek.hasBegun, !wantsToPlay, lacksData, silence >= Self.endTimeout {
            return finish(seek, at: time)
        }
        if !seek.hasBegun, !state.isRejoining, seek.attempts < Self.seekAttempts, silence >= Self.signTimeout {
            seek.attempts += 1
            seek.lastSign = time
            state.seek = seek
            return [.seek(libVLCTarget(of: seek.target))] + watch()
        }
        guard silence > Self.seekTimeout else { return nil }
        let position = playhead.position(at: time)
        state = state.isRejoining ? .rejoining(Rejoin(position: position)) : .ready
        let failure: [Action] = seek.isSilent ? [] : [.report(.seekFailed(position: position))]
        if wantsToPlay, player.isRunning, !player.isBuffering, !state.isRejoining { return failure + run(at: time) }
        // Playback may never continue.
        retry.waitingSince = retry.waitingSince ?? time
        return failure + watch()
    }

    /// Seeks again if libVLC's first time after a seek shows that the seek was lost.
    mutating func repeatLostSeek(from engineTime: Double, at time: Duration) -> [Action]? {
        guard let unchecked = player.uncheckedSeek, engineTime > 0 else { return nil }
        guard isFar(engineTime, from: unchecked.position, at: time), unchecked.attempts < Self.seekAttempts else {
            player.uncheckedSeek = nil
            return nil
        }
        playhead.pause(at: time)
        let position = playhead.position(at: time)
        player.uncheckedSeek = (position, unchecked.attempts + 1)
        state = .seeking(Seek(target: position, isSilent: true, lastSign: time))
        return [.seek(libVLCTarget(of: position))] + watch()
    }

    private func isFar(_ engineTime: Double, from target: Double, at time: Duration) -> Bool {
        guard isLive else { return engineTime < target - Self.tolerance }
        // The origin of libVLC's times is unknown after another player has joined. It may start with the segment before
        // or after.
        guard player.timeOffset == 0, let timeline else { return false }
        return abs(engineTime - playhead.position(at: time)) > timeline.targetDuration + Self.tolerance
    }

    func libVLCTarget(of position: Double) -> SeekTarget {
        isLive && timeline.map { $0.window.availableLength > 0 } == true ? .window(position) : .time(position)
    }

    private func clamped(_ position: Double) -> Double {
        guard isLive, let window = timeline?.window else { return position }
        return min(max(position, window.start), window.end)
    }
}
