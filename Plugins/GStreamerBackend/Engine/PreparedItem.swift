#if GStreamer
import Playback

/// The item that follows the current one. It starts when the current one ends, or fades in before.
///
/// The mixer joins the audio of both items. The pipeline of this item starts a moment before, with a clock that is late by
/// this time, so that its video and its audio are due exactly then. Without the mixer it starts after the end.
final class PreparedItem {
    private enum State {
        /// The item is paused at its start.
        case waiting
        case started
    }

    /// The item is started at most this long before it is due, in seconds.
    private static let horizon = 0.6
    /// If the current item ends so much later than planned, in seconds, this one returns to its start.
    private static let longestDelay = 1.0

    private(set) var playback: GStreamerPlayback
    private let crossfade: Double
    private var state = State.waiting

    init(_ request: OpenRequest, crossfade: Double, engine: GStreamerEngine) {
        playback = GStreamerPlayback(request, engine: engine, isPreloaded: true)
        self.crossfade = crossfade
    }

    var generation: Generation { playback.request.generation }

    func open() { playback.open() }

    func plan(after current: GStreamerPlayback) {
        let left = current.secondsToEnd(estimated: crossfade > 0)
        switch state {
        case .waiting:
            guard let left, left < crossfade + Self.horizon else { return }
            playback.follow(current, crossfade: crossfade)
            state = .started
            playback.start(after: left - crossfade)
        case .started:
            // The current item may have paused, or it has gone back.
            guard current.isPlaying else { return playback.setPlaying(false) }
            let rest = left ?? current.secondsToEnd(estimated: true)
            if let rest, rest > crossfade + Self.horizon + Self.longestDelay { return rewind() }
            playback.follow(current, crossfade: crossfade)
            playback.setPlaying(true)
        }
    }

    /// The current item has ended.
    func start() {
        state = .started
        playback.start()
    }

    private func rewind() {
        let started = playback
        playback = GStreamerPlayback(again: started)
        state = .waiting
        started.discard()
        open()
    }
}
#endif
