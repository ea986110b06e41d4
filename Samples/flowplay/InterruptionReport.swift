import FlowplayerSDK
import Playback

/// Describes how audio of other programs affects playback.
struct InterruptionReport {
    /// The item that was loaded when the interruption began.
    private var item: Int?

    /// - Parameter snapshot: the player's state at the event.
    mutating func text(for interruption: PlaybackInterruption, _ snapshot: PlayerSnapshot) -> String {
        switch interruption {
        case .began:
            item = snapshot.item?.number
            guard snapshot.wantsToPlay else { return "interrupted by other audio: stays paused" }
            return "interrupted by other audio: " + (snapshot.hasStarted ? "paused" : "not started")
        case .ended:
            guard snapshot.item?.number == item else { return "interruption ended: another item plays" }
            if snapshot.isPlaybackWanted { return "interruption ended: resumed" }
            return "interruption ended" + (snapshot.wantsToPlay ? "" : ": stays paused")
        }
    }

    static func text(for change: AudioRouteChange) -> String {
        let name = change.device.map { " (\($0))" } ?? ""
        return change.reason == .oldDeviceUnavailable
            ? "audio device removed: paused" : "audio device changed\(name)"
    }
}
