// Interruptions, audio devices and ducking.
extension PlaybackMachine {
    mutating func beginInterruption(_ cause: InterruptionCause) {
        changeIntent { $0.interruptions.insert(cause) }
    }

    /// - Parameter shouldResume: `false`: what it has stopped stays so, as if the user had paused.
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

    /// Others are to be heard above this player.
    mutating func duck(_ isDucked: Bool) {
        guard isDucked != snapshot.isDucked else { return }
        snapshot.isDucked = isDucked
        if snapshot.volume > 0 { send(.setVolume(snapshot.audibleVolume)) }
    }
}

extension PlayerSnapshot {
    /// Some 20 dB less, since volumes count by their third power.
    private static let duckedShare = 0.46

    /// As loud as it is to be heard now.
    var audibleVolume: Double { isDucked ? volume * Self.duckedShare : volume }
}
