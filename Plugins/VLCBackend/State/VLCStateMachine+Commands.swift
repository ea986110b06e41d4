import MediaTransport
import Playback

// Play, pause, rate, and the choice of tracks. Seeks are in `VLCStateMachine+Seeking.swift`.
extension VLCStateMachine {
    mutating func play(at time: Duration) -> [Action] {
        guard !wantsToPlay, !isFinished else { return [] }
        let muting: [Action] = player.drawing == .none ? [] : [.restoreMuting]
        player.drawing = .none
        (wantsToPlay, lacksFrame, drawingAttempts) = (true, false, 0)
        if isDraining {
            playhead.advance(at: time)
            let position = playhead.position(at: time)
            return [.report(.playing(position: position)), .awaitEnd(remainingTime(at: time))] + watch()
        }
        guard state.isOpen else {
            guard hasOpened, retry.waitingSince == nil else { return [.resume] }
            // A live stream is opened again after a pause.
            retry.reconnect(at: time)
            return [.resume] + watch()
        }
        retry.waitingSince = time
        if isLive, !player.isRunning {
            let seek = state.seek
            state = .rejoining(Rejoin(position: seek?.target ?? playhead.position(at: time), seek: seek))
            return [.resume] + watch()
        }
        // libVLC sends no event if the pause had not reached it yet.
        return muting + [.resume] + (player.isRunning && !player.isBuffering ? run(at: time) : [])
    }

    mutating func pause(at time: Duration) -> [Action] {
        guard wantsToPlay, !isFinished else { return [] }
        wantsToPlay = false
        if state.isOpen { retry.waitingSince = nil }
        guard isDraining else { return [.pause] }
        playhead.pause(at: time)
        return [.cancelAwaitingEnd, .report(.paused(position: playhead.position(at: time)))]
    }

    /// The libVLC player of a live stream that cannot pause was closed. `play` opens another one.
    mutating func closedForPause(at time: Duration) -> [Action] {
        guard state.isOpen else { return [] }
        player.timeOffset = nil
        awaitNextPlayer(at: time)
        return [.report(.paused(position: playhead.position(at: time)))]
    }

    mutating func setRate(_ rate: Double, at time: Duration) -> [Action] {
        playhead.setRate(rate, at: time)
        return isDraining && wantsToPlay ? [.cancelAwaitingEnd, .awaitEnd(remainingTime(at: time))] : []
    }

    mutating func selectAudio(_ id: Int) -> [Action] { tracks.selectAudio(id) }

    mutating func selectSubtitle(_ id: Int?) -> [Action] { tracks.selectSubtitle(id, isOpen: state.isOpen) }

    /// - Parameter lacksFrame: `true` if the output has no frame of a paused item yet.
    mutating func setVideoVisible(_ isVisible: Bool, lacksFrame: Bool = false) -> [Action] {
        let actions = tracks.setVideoVisible(isVisible, isOpen: state.isOpen) + chooseRendition()
        self.lacksFrame = isVisible && !wantsToPlay && (lacksFrame || self.lacksFrame)
        drawingAttempts = 0
        return actions + warnAboutLateFrame(after: actions) + draw()
    }

    /// Reports that an output that is set during playback may stay empty for a while.
    private func warnAboutLateFrame(after actions: [Action]) -> [Action] {
        let selectsVideo = actions.contains { if case .selectVideo(.some) = $0 { true } else { false } }
        guard selectsVideo, wantsToPlay, state.isOpen, !showsVideoAtOnce else { return [] }
        return [.report(.notice(VideoOutputStatus.lateFrameNotice))]
    }

    /// Reports that the output of the video cannot change.
    func warnAboutFixedOutput() -> [Action] {
        guard tracks.isMP4InOrder, tracks.hasVideo else { return [] }
        return [.report(.notice(VideoOutputStatus.fixedOutputNotice))]
    }

    /// libVLC closes the output of the video. The next one can be another.
    mutating func detachVideo() -> [Action] {
        video = VideoOutputStatus()
        return tracks.deselectVideo()
    }
}
