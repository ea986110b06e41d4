#if VLC
    import Foundation
    import Playback

    /// Lets what is prepared come in when the sound before it is over, or fade in before.
    final class VLCJoint {
        let session: VLCSession
        private let crossfade: Double
        private let queue: DispatchQueue
        private var release: DispatchWorkItem?
        private var hasComeIn = false

        /// In seconds, in real time: the end is planned for when it is so near.
        private static let horizon = 2.0
        /// In seconds: from the call that lets a player go to its first sound.
        private static let latency = 0.04

        init(session: VLCSession, crossfade: Double, queue: DispatchQueue) {
            self.session = session
            self.crossfade = crossfade
            self.queue = queue
        }

        var generation: Generation { session.request.generation }

        /// Finds out anew when to come in.
        func plan(behind predecessor: VLCSession?) {
            guard let left = predecessor?.secondsToEnd else {
                if predecessor != nil { hold() }
                return
            }
            release?.cancel()
            guard !hasComeIn, left <= Self.horizon + crossfade else { return }
            let wait = left - crossfade - Self.latency
            guard wait > 0 else { return comeIn() }
            let timer = DispatchWorkItem { [weak self] in self?.comeIn() }
            release = timer
            queue.asyncAfter(deadline: .now() + wait, execute: timer)
        }

        func comeIn() {
            cancel()
            guard !hasComeIn, !session.lacksPicture else { return }
            hasComeIn = true
            session.play()
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
