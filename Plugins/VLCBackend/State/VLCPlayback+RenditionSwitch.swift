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
        switch event {
        case .streamAdded, .streamRemoved, .streamSelected:
            if case .streamSelected(let stream, .video) = event { standby.player.readVideoSize(of: stream) }
            standby.streamEvents.append(event)
        case .encounteredError, .endReached: failRenditionSwitch()
        case .buffering(let percent) where percent >= 100 && !standby.isReady:
            standby.isReady = true
            performWithStandby(after: StandbyPlayer.timeToComparison) { $0.compareTimes($1) }
        default: break
        }
    }

    /// Calls `body` after a delay in seconds, unless the standby player is closed by then.
    private func performWithStandby(
        after seconds: Double, _ body: @escaping @Sendable (VLCPlayback, StandbyPlayer) -> Void
    ) {
        perform(after: seconds, while: \.standby?.token) { playback in
            if let standby = playback.standby { body(playback, standby) }
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
            return performWithStandby(after: max(0, behind)) { $0.switchPlayers($1) }
        }
        let ahead = (standbyTime - player.info.time) / settings.rate
        guard ahead > -StandbyPlayer.tolerance else {
            let lead = standby.lead * 2
            guard lead <= StandbyPlayer.longestLead else { return failRenditionSwitch() }
            return prepareStandby(standby.rendition, lead: lead)
        }
        if ahead > StandbyPlayer.pauseOverhead { standby.player.setPaused(true) }
        performWithStandby(after: max(0, ahead - StandbyPlayer.pauseOverhead)) { $0.resume($1) }
    }

    private func resume(_ standby: StandbyPlayer) {
        guard machine.playhead(at: now).isRunning else { return prepareStandby(standby.rendition) }
        standby.player.setPaused(false)
        performWithStandby(after: StandbyPlayer.resumeTime) { $0.switchPlayers($1) }
    }

    private func switchPlayers(_ standby: StandbyPlayer) {
        // Muting one player and unmuting the other comes first, because closing takes longer.
        standby.player.setVolume(settings.volume)
        standby.player.setMuted(settings.isMuted)
        player?.setMuted(true)
        statistics.earlierDroppedFrames += player?.droppedFrames ?? 0
        player?.close()
        self.standby = nil
        playerToken = standby.token
        player = standby.player
        // libVLC keeps no delay before its input exists.
        subtitleDelayChanged()
        let (events, info) = (standby.streamEvents, standby.player.info)
        perform { $0.renditionSwitched(events, info, at: $1) }
        if !machine.wantsToPlay { pausePlayer() }
    }
}

/// A muted player of another rendition, which replaces the player of the same stream.
final class StandbyPlayer {
    /// The first distance ahead of the playhead, in seconds at normal speed. libVLC begins with the segment that
    /// contains the position.
    static let firstLead = 2.5
    /// The distance doubles after each attempt, up to this limit.
    static let longestLead = 10.0
    /// The distance behind the playhead of a paused item, in seconds.
    static let runUp = 2.0
    /// A pause lasts this much longer than the time between its two calls, in seconds.
    static let pauseOverhead = 0.01
    /// A player runs within this time after a resume, in seconds.
    static let resumeTime = 0.15
    /// With less of the item left, a switch is not worth it, in seconds.
    static let shortestRest = 3.0
    /// The longest part that may be audible twice, in seconds.
    static let tolerance = 0.03

    let rendition: RenditionSwitch.Rendition
    let player: VLCPlayer
    let token: VLCPlayback.Token
    let lead: Double
    /// The events about its streams.
    var streamEvents: [VLCEvent] = []
    /// `true` if its buffers have been full.
    var isReady = false

    init(_ rendition: RenditionSwitch.Rendition, _ player: VLCPlayer, _ token: VLCPlayback.Token, lead: Double) {
        self.rendition = rendition
        self.player = player
        self.token = token
        self.lead = lead
    }

    /// The time until the times of two players can be compared, in seconds.
    ///
    /// In HLS, libVLC notes its time once a second, at the start of a second of the system clock, and reports it within
    /// half a second. Later in that second, all players report the time of the same moment.
    static var timeToComparison: Double { 1 - secondOfClock + 0.65 }

    /// The age of a time that is read at the comparison, in seconds.
    static var ageOfTime: Double { secondOfClock }

    private static var secondOfClock: Double {
        Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 1)
    }
}
#endif
