#if VLC
import CVLC
import Playback

/// Holds the clock of a player that was started early, until its first audio is audible.
///
/// The mixer needs the audio before it is due. Afterwards video, position and audio agree, as if the player had started
/// in time.
final class ClockSync {
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
    private let due: Duration
    let token = VLCPlayback.Token()

    /// - Parameter due: the time when the first audio is audible.
    init(due: Duration) { self.due = due }

    /// Returns how long to hold the clock in seconds, or `nil` if it is not worth it.
    ///
    /// - Parameter time: the time of the first audio on libVLC's clock, in microseconds.
    func wait(for time: Int64) -> Double? {
        let early = (due - ContinuousClock().hostTime) / .seconds(1) - Double(libvlc_delay(time)) / 1e6
        return early < Self.shortestWait ? nil : early
    }
}
#endif
