#if VLC
import AudioMixer
import Foundation
import Playback

// The start of a preloaded item at an exact time.
extension VLCPlayback {
    /// Starts the player early, so that the mixer has its audio at the given time, and then holds its clock until that
    /// time.
    func resume(at due: Duration) {
        guard let player, input != nil, machine.state.isOpen, player.canPause else { return resume() }
        let sync = ClockSync(due: due)
        clockSync = sync
        resume()
        perform(with: sync, after: ClockSync.firstAudioTime) { $0.holdClock($1) }
    }

    /// Calls `body` after a delay in seconds, unless the clock sync has ended by then.
    private func perform(
        with sync: ClockSync, after seconds: Double, _ body: @escaping @Sendable (VLCPlayback, ClockSync) -> Void
    ) {
        let token = sync.token
        engine.perform(on: generation, after: seconds) { playback in
            guard let sync = playback.clockSync, sync.token === token else { return }
            body(playback, sync)
        }
    }

    private func holdClock(_ sync: ClockSync) {
        guard let player, let time = input?.nextTime, let wait = sync.wait(for: time) else { return endClockSync() }
        sync.phase = .held
        player.setClockPaused(true)
        perform(with: sync, after: wait) { playback, sync in
            sync.phase = .released
            playback.player?.setClockPaused(false)
            // libVLC sends no event after a very short pause.
            playback.perform(with: sync, after: ClockSync.resumeTimeout) { playback, _ in playback.endClockSync() }
        }
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
