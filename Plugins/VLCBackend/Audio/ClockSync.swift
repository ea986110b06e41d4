#if VLC
import AudioMixer
import CVLC
import Playback

/// Holds the clock of a player that was started early, until its first audio is audible.
///
/// The mixer needs the audio before it is due. Afterwards video, position and audio agree, as if the player had started
/// in time.
struct ClockSync {
    enum Phase {
        case started
        case held
        case released
    }

    /// A player hands out its first audio within this time after its start, in seconds.
    static let firstAudioTime = 0.05
    /// libVLC reports *playing* within this time after the clock is released, in seconds.
    static let resumeTimeout = 0.3
    /// A shorter pause of the clock is not worth it, in seconds.
    private static let shortestWait = 0.03

    var phase = Phase.started
    /// The time when the first audio is audible.
    let due: Duration
    let token = VLCPlayback.Token()

    /// Returns how long to hold the clock in seconds, or `nil` if it is not worth it.
    ///
    /// - Parameter time: the time of the first audio on libVLC's clock, in microseconds.
    func wait(for time: Int64) -> Double? {
        let early = (due - ContinuousClock().hostTime) / .seconds(1) - Double(libvlc_delay(time)) / 1e6
        return early < Self.shortestWait ? nil : early
    }
}

// The start of a preloaded item at an exact time.
extension VLCPlayback {
    /// Starts the player early, so that the mixer has its audio at the given time, and then holds its clock until that
    /// time.
    func resume(at due: Duration) {
        guard let player, input != nil, machine.state.isOpen, player.canPause else { return resume() }
        clockSync = ClockSync(due: due)
        resume()
        perform(after: ClockSync.firstAudioTime, while: \.clockSync?.token) { $0.holdClock() }
    }

    private func holdClock() {
        guard let player, let time = input?.nextTime, let wait = clockSync?.wait(for: time) else {
            return endClockSync()
        }
        clockSync?.phase = .held
        player.setClockPaused(true)
        perform(after: wait, while: \.clockSync?.token) { $0.releaseClock() }
    }

    private func releaseClock() {
        clockSync?.phase = .released
        player?.setClockPaused(false)
        // libVLC sends no event after a very short pause.
        perform(after: ClockSync.resumeTimeout, while: \.clockSync?.token) { $0.endClockSync() }
    }

    /// Releases the clock. The state machine receives libVLC's events again.
    func endClockSync() {
        guard let phase = clockSync?.phase else { return }
        clockSync = nil
        if phase != .started { player?.setClockPaused(false) }
        perform { $0.handle(.playing, info: nil, at: $1) }
    }

    /// Returns `true` if the event was caused by the clock sync only.
    func belongsToClockSync(_ event: VLCEvent) -> Bool {
        guard let clockSync, event == .playing || event == .paused else { return false }
        guard event == .playing, clockSync.phase == .released else { return true }
        self.clockSync = nil
        return false
    }
}
#endif
