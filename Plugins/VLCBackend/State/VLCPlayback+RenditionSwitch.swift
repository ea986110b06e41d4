#if VLC
import Foundation
import MediaTransport
import Playback

// A change of rendition without a gap: a standby player starts ahead, is paused until the playhead is there, and
// replaces the player.
extension VLCPlayback {
    func prepareStandby(_ rendition: RenditionSwitch.Rendition, lead: Double = StandbyPlayer.firstLead) {
        closeStandby()
        let playhead = machine.playhead(at: now)
        let distance = playhead.isRunning ? lead * settings.rate : -StandbyPlayer.runUp
        let target = max(0, playhead.position + distance)
        guard machine.remaining(after: target) > StandbyPlayer.shortestRest else { return failRenditionSwitch() }
        let token = Token()
        let url = if case .audioOnly(let url) = rendition { url } else { address }
        let video = rendition == .whole ? makeVideo() : .none
        guard let player = makePlayer(url, at: target, paused: false, video: video, token) else {
            return failRenditionSwitch()
        }
        standby = StandbyPlayer(rendition, player, token, lead: lead)
        player.setMuted(true)
        player.play()
    }

    func closeStandby() {
        standby?.player.close()
        standby = nil
    }

    private func failRenditionSwitch() {
        closeStandby()
        perform { machine, _ in machine.renditionSwitchFailed() }
    }

    func receive(_ event: VLCEvent, from standby: StandbyPlayer) {
        switch standby.handle(event) {
        case .none: break
        case .isReady: perform(with: standby, after: StandbyPlayer.timeToComparison) { $0.compareTimes($1) }
        case .hasFailed: failRenditionSwitch()
        }
    }

    /// Calls `body` after a delay in seconds, unless the standby player is closed by then.
    private func perform(
        with standby: StandbyPlayer, after seconds: Double,
        _ body: @escaping @Sendable (VLCPlayback, StandbyPlayer) -> Void
    ) {
        let token = standby.token
        engine.perform(on: generation, after: seconds) { playback in
            guard let standby = playback.standby, standby.token === token else { return }
            body(playback, standby)
        }
    }

    /// Pauses the standby player, which is ahead, until the player has reached the same position.
    private func compareTimes(_ standby: StandbyPlayer) {
        guard let player else { return }
        let playhead = machine.playhead(at: now)
        let standbyTime = standby.player.info.time
        guard playhead.isRunning else {
            // The item is paused: the standby player plays up to its position.
            let behind = (playhead.position - standbyTime) / settings.rate - StandbyPlayer.ageOfTime
            return perform(with: standby, after: max(0, behind)) { $0.switchPlayers($1) }
        }
        let ahead = (standbyTime - player.info.time) / settings.rate
        guard ahead > -StandbyPlayer.tolerance else {
            let lead = standby.lead * 2
            guard lead <= StandbyPlayer.longestLead else { return failRenditionSwitch() }
            return prepareStandby(standby.rendition, lead: lead)
        }
        if ahead > StandbyPlayer.pauseOverhead { standby.player.setPaused(true) }
        perform(with: standby, after: max(0, ahead - StandbyPlayer.pauseOverhead)) { $0.resume($1) }
    }

    private func resume(_ standby: StandbyPlayer) {
        guard machine.playhead(at: now).isRunning else { return prepareStandby(standby.rendition) }
        standby.player.setPaused(false)
        perform(with: standby, after: StandbyPlayer.resumeTime) { $0.switchPlayers($1) }
    }

    private func switchPlayers(_ standby: StandbyPlayer) {
        // Muting one player and unmuting the other comes first, because closing takes longer.
        standby.player.setMuted(settings.isMuted)
        player?.setMuted(true)
        player?.close()
        self.standby = nil
        playerToken = standby.token
        player = standby.player
        let (events, info) = (standby.streamEvents, standby.player.info)
        perform { $0.renditionSwitched(events, info, at: $1) }
        if !machine.wantsToPlay { pausePlayer() }
    }
}
#endif
