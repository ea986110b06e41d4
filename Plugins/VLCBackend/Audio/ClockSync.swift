#if VLC
import CVLC
import Playback

/// What is done to a player that was let go before its sound can be heard: its clock is held for as long.
///
/// Picture, position and sound agree afterwards as if it had been let go at the right moment.
// Unchecked: used on the worker's queue only.
final class ClockSync: @unchecked Sendable {
    enum Phase {
        case begun
        case held
        case leaving
    }

    /// In seconds: so long after it was let go the player has handed out its first sound.
    static let untilSoundHasCome = 0.05
    /// In seconds: so long after it is held no more, libVLC has told that it plays.
    static let longestSilence = 0.3
    /// In seconds: less is not worth it.
    private static let shortestWait = 0.03

    var phase = Phase.begun
    private let due: Duration

    /// - Parameter due: when its first sound is heard.
    init(due: Duration) { self.due = due }

    /// In seconds: how long to hold the clock.
    ///
    /// - Parameter time: when its first sound would be heard, by libVLC's clock.
    func wait(for time: Int64) -> Double? {
        let early = (due - ContinuousClock().hostTime) / .seconds(1) - Double(libvlc_delay(time)) / 1e6
        return early < Self.shortestWait ? nil : early
    }
}
#endif
