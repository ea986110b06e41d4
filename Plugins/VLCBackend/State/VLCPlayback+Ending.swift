#if VLC
import AudioMixer
import Foundation
import Playback

// The end of the last audio of an item.
extension VLCPlayback {
    /// The longest time from the mixer to the listener, in seconds.
    static let outputDelay = 0.5
    /// The end of the audio is not awaited longer than this after the end of the item, in seconds.
    private static let audioTimeout = 1.5

    func awaitEnd(in seconds: Double) {
        endTimer = nil
        guard let input, input.hasBegun else { return drain(in: seconds) }
        endOfVideo = machine.showsVideo ? now + .seconds(seconds) : .zero
        // The mixer reports the end of the audio, unless the sound server has stopped.
        if input.isFinished { audioEnded() } else { drain(in: seconds + Self.audioTimeout) }
    }

    func audioEnded() {
        guard let input, input.isFinished, machine.isDraining else { return }
        drain(in: max(0, (endOfVideo - now) / .seconds(1)))
    }

    private func drain(in seconds: Double) {
        let timer = Token()
        endTimer = timer
        guard seconds > 0 else { return perform { machine, _ in machine.drained() } }
        engine.perform(on: generation, after: seconds) { playback in
            if playback.endTimer === timer { playback.perform { machine, _ in machine.drained() } }
        }
    }
}
#endif
