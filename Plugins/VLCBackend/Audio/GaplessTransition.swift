#if VLC
import Foundation
import Playback

/// Lets what is prepared come in when the sound before it is over, or fade in before.
///
/// Where a mixer takes both sounds it joins them; the player is let go a little earlier, so that its sound is there in time.
final class GaplessTransition {
    let session: VLCPlayback
    private let crossfade: Double
    private let queue: WatchdogQueue
    private var release: DispatchWorkItem?
    private var hasComeIn = false
    /// Whether it stands elsewhere than at its start.
    private var isUnderWay = false

    /// In seconds, in real time: the end is planned for when it is so near.
    private static let horizon = 2.0
    /// In seconds: from the call that lets a player go to its first sound.
    private static let latency = 0.04
    /// In seconds: so long before the end the mixer is given what comes next.
    private static let lead = 0.4
    /// In seconds, in real time: with so much left after it has come in, the end has moved away.
    private static let longestLead = 1.0

    init(session: VLCPlayback, crossfade: Double, queue: WatchdogQueue) {
        self.session = session
        self.crossfade = crossfade
        self.queue = queue
    }

    var generation: Generation { session.request.generation }

    /// Finds out anew when to come in.
    func plan(behind predecessor: VLCPlayback?) {
        if let predecessor { session.source?.follow(predecessor.source, crossfade: crossfade) }
        guard let left = predecessor?.secondsToEnd else {
            if predecessor != nil { hold() }
            return
        }
        release?.cancel()
        let lead = crossfade + (session.source == nil || crossfade > 0 ? Self.latency : Self.lead)
        if isUnderWay, session.source != nil, left > lead + Self.longestLead {
            (hasComeIn, isUnderWay) = (false, false)
            session.rewind()
        }
        guard !hasComeIn, left <= Self.horizon + crossfade else { return }
        let wait = left - lead
        let due = ContinuousClock().hostTime + .seconds(left)
        guard wait > 0 else { return comeIn(at: due) }
        let timer = DispatchWorkItem { [weak self] in self?.comeIn(at: due) }
        release = timer
        queue.asyncAfter(deadline: .now() + wait, execute: timer)
    }

    /// - Parameter due: when the end before it is heard; by default it is over.
    func comeIn(at due: Duration? = nil) {
        cancel()
        guard !hasComeIn, !session.lacksPicture else { return }
        let isAtStart = !isUnderWay
        (hasComeIn, isUnderWay) = (true, true)
        if let due, crossfade == 0, isAtStart { session.play(at: due) } else { session.play() }
    }

    func cancel() { release?.cancel() }

    /// Playback has stopped on the way to the end.
    private func hold() {
        cancel()
        guard hasComeIn else { return }
        hasComeIn = false
        session.pause()
    }
}
#endif
