#if VLC
import Foundation
import Playback

// How the sound of items joins.
extension VLCPlayback {
    /// Lets what is prepared go so early that the mixer has its sound in time; then its clock waits until that is heard.
    func play(at due: Duration) {
        guard let deck, source != nil, machine.state.isOpen, deck.canPause else { return play() }
        let alignment = ClockSync(due: due)
        self.alignment = alignment
        play()
        after(ClockSync.untilSoundHasCome, alignment) { $0.holdClock($1) }
    }

    func after(
        _ seconds: Double, _ alignment: ClockSync,
        _ body: @escaping @Sendable (VLCPlayback, ClockSync) -> Void
    ) {
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, self.alignment === alignment else { return }
            body(self, alignment)
        }
    }

    func holdClock(_ alignment: ClockSync) {
        guard let deck, let time = source?.nextTime, let wait = alignment.wait(for: time) else {
            return leaveAlignment()
        }
        alignment.phase = .held
        deck.setClockHeld(true)
        after(wait, alignment) {
            $1.phase = .leaving
            $0.deck?.setClockHeld(false)
            // libVLC tells nothing of a pause that was too short for it.
            $0.after(ClockSync.longestSilence, $1) { session, _ in session.leaveAlignment() }
        }
    }

    /// Nothing is held any more, and what libVLC tells is true again.
    func leaveAlignment() {
        guard let phase = alignment?.phase else { return }
        alignment = nil
        if phase != .begun { deck?.setClockHeld(false) }
        perform { $0.handle(.playing, info: nil, at: $1) }
    }

    /// Whether what libVLC tells is only what was done for the clock.
    func isOfAlignment(_ signal: VLCEvent) -> Bool {
        guard let alignment, signal == .playing || signal == .paused else { return false }
        guard signal == .playing, alignment.phase == .leaving else { return true }
        self.alignment = nil
        return false
    }
}
#endif
