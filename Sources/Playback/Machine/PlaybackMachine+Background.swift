// The effect of the background on playback.
extension PlaybackMachine {
    /// - Parameter action: `nil` for the foreground.
    mutating func setBackground(_ action: BackgroundAction?, resumes: Bool) {
        guard action != snapshot.background else { return }
        let isAdvertisement = snapshot.showsAdvertisement
        if action == .stop { stop() }
        changeVideo { snapshot in
            snapshot.background = action
            if action != .pause, action != .stop { snapshot.isVideoHidden = action == .continueAudio }
        }
        snapshot.hasEndedInBackground = snapshot.hasEndedInBackground && action != nil
        changeIntent { snapshot in
            if action == .pause {
                snapshot.holds.insert(.background)
            } else if snapshot.holds.remove(.background) != nil, !resumes, !isAdvertisement {
                // A player that the background paused stays paused, as if the user had paused it.
                snapshot.wantsToPlay = false
            }
        }
    }

    /// The command precedes playback, so that hidden video is never decoded.
    mutating func changeVideo(_ change: (inout PlayerSnapshot) -> Void) {
        let before = snapshot.showsVideo
        change(&snapshot)
        guard snapshot.showsVideo != before else { return }
        if !snapshot.showsVideo { warnIfMissing(.videoDetaching, "This backend also decodes hidden video.") }
        send(.setVideoVisible(snapshot.showsVideo))
    }

    /// The shortest time between two reported positions. libVLC reports up to 85 a second for Matroska.
    var positionInterval: Duration {
        [nil, .continueVideo].contains(snapshot.background) ? .milliseconds(200) : .seconds(1)
    }
}
