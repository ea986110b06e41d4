#if VLC
import AudioMixer
import Playback

/// Starts the preloaded item when the current one ends, or fades it in before.
///
/// The mixer joins the audio of both items. The player of the preloaded item starts a little early, so that its audio
/// is there in time. The engine plans again after each command and each event, because each of them can move the end.
final class GaplessTransition {
    private enum State {
        /// The item is paused at its start.
        case waiting
        case started
        /// The item was started and paused again, because the current one has paused.
        case paused
    }

    /// The end is planned when it is this near, in seconds of real time.
    private static let horizon = 2.0
    /// The time from the start of a player to its first audio, in seconds.
    private static let startTime = 0.04
    /// The mixer receives the audio this long before the end, in seconds.
    private static let lead = 0.4
    /// If this much is left after the start, the end has moved, in seconds of real time.
    private static let longestLead = 1.0

    let playback: VLCPlayback
    private let crossfade: Double
    private unowned let engine: VLCEngine
    private var state = State.waiting
    private var timer: VLCPlayback.Token?

    init(to playback: VLCPlayback, crossfade: Double, engine: VLCEngine) {
        self.playback = playback
        self.crossfade = crossfade
        self.engine = engine
    }

    var generation: Generation { playback.generation }

    func plan(after current: VLCPlayback?) {
        guard let current else { return }
        playback.input?.follow(current.input, crossfade: crossfade)
        guard let left = current.secondsToEnd else { return pause() }
        timer = nil
        let lead = crossfade + (playback.input == nil || crossfade > 0 ? Self.startTime : Self.lead)
        if state != .waiting, playback.input != nil, left > lead + Self.longestLead {
            state = .waiting
            playback.rewind()
        }
        guard state != .started, left <= Self.horizon + crossfade else { return }
        let due = ContinuousClock().hostTime + .seconds(left)
        let wait = left - lead
        guard wait > 0 else { return start(at: due) }
        let timer = VLCPlayback.Token()
        self.timer = timer
        engine.perform(after: wait) { engine in
            if let next = engine.next, next.timer === timer { next.start(at: due) }
        }
    }

    /// - Parameter due: the end of the current item; by default it has ended.
    func start(at due: Duration? = nil) {
        timer = nil
        guard state != .started, !playback.lacksDeferredVideo else { return }
        let isAtStart = state == .waiting
        state = .started
        if let due, crossfade == 0, isAtStart { playback.resume(at: due) } else { playback.resume() }
    }

    /// The current item has paused before its end.
    private func pause() {
        timer = nil
        guard state == .started else { return }
        state = .paused
        playback.pause()
    }
}
#endif
