import FlowplayerSDK

/// Tells people what other sound makes of playback.
struct InterruptionReport {
    /// What was loaded when it began.
    private var item: Int?

    /// - Parameter snapshot: as it is with what is told.
    mutating func text(for interruption: PlaybackInterruption, _ snapshot: PlayerSnapshot) -> String {
        switch interruption {
        case .began:
            item = snapshot.item?.number
            guard snapshot.wantsToPlay else { return "interrupted by other sound: stays paused" }
            return "interrupted by other sound: " + (snapshot.hasStarted ? "paused" : "does not begin to play")
        case .ended:
            guard snapshot.item?.number == item else { return "interruption over: something else is played" }
            if snapshot.shouldPlay { return "interruption over: plays on" }
            return "interruption over" + (snapshot.wantsToPlay ? "" : ": stays paused")
        }
    }

    /// What to say of another device.
    static func text(for change: AudioRouteChange) -> String {
        let name = change.device.map { " (\($0))" } ?? ""
        return change.reason == .oldDeviceUnavailable
            ? "the sound device is gone: paused" : "sound goes to another device\(name)"
    }
}
