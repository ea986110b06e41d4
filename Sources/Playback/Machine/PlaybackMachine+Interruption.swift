// Interruptions, audio devices and ducking.
extension PlaybackMachine {
    mutating func beginInterruption(_ cause: InterruptionCause) {
        changeIntent { $0.interruptions.insert(cause) }
    }

    /// - Parameter shouldResume: `false` if the player stays paused, as if the user had paused it.
    mutating func endInterruption(_ cause: InterruptionCause, shouldResume: Bool) {
        guard snapshot.interruptions.contains(cause) else { return }
        changeIntent {
            $0.interruptions.remove(cause)
            if !shouldResume { $0.wantsToPlay = false }
        }
    }

    /// Handles a change of the audio device. Audio of a headset must not play in the room.
    mutating func routeChanged(_ change: AudioRouteChange) {
        snapshot.route = .init(number: (snapshot.route?.number ?? 0) + 1, change: change)
        if change.reason == .oldDeviceUnavailable { setIntent(wantsToPlay: false) }
    }

    /// Other players are louder than this one.
    mutating func duck(_ isDucked: Bool) {
        guard isDucked != snapshot.isDucked else { return }
        snapshot.isDucked = isDucked
        if snapshot.volume > 0 { send(.setVolume(snapshot.audibleVolume)) }
    }
}

extension PlayerSnapshot {
    /// Some 20 dB less, since volumes count by their third power.
    private static let duckedShare = 0.46

    /// The audible volume.
    var audibleVolume: Double { isDucked ? volume * Self.duckedShare : volume }
}
