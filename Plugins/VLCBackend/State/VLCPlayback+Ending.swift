#if VLC
import MediaTransport
import Foundation
import Playback

// When the last sound of an item is over.
extension VLCPlayback {
    func awaitEnd(in seconds: Double) {
        endTimer?.cancel()
        guard let source, source.hasBegun else { return drain(in: seconds) }
        endOfPicture = machine.showsVideo ? now + .seconds(seconds) : .zero
        // Its sound tells the end, unless the server takes nothing more.
        if source.isFinished { soundMayBeOver() } else { drain(in: seconds + Self.longestWait) }
    }

    func soundMayBeOver() {
        guard let source, source.isFinished, machine.isDraining else { return }
        endTimer?.cancel()
        drain(in: max(0, (endOfPicture - now) / .seconds(1)))
    }

    func drain(in seconds: Double) {
        guard seconds > 0 else { return perform { machine, _ in machine.drained() } }
        let timer = DispatchWorkItem { [weak self] in
            self?.perform { machine, _ in machine.drained() }
        }
        endTimer = timer
        queue.asyncAfter(deadline: .now() + seconds, execute: timer)
    }

    /// Leaves the player alone until the last sound is through the output: stopped now, it would cut that off.
    func soundOut() {
        nonisolated(unsafe) let deck = deck
        let left = source.flatMap(\.secondsLeft) ?? 0
        queue.asyncAfter(deadline: .now() + left + Self.outputDelay) { _ = deck }
    }
}
#endif
