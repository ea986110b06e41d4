// The effect of the background on playback.
extension PlaybackMachine {
    /// - Parameter action: `nil` for the foreground.
    mutating func setBackground(_ action: BackgroundAction?, resumes: Bool) {
        guard action != snapshot.background else { return }
        let isAdvertisement = snapshot.showsAdvertisement
        if action == .stop { stop() }
        changePicture { snapshot in
            snapshot.background = action
            if action != .pause, action != .stop { snapshot.isPictureHidden = action == .continueAudio }
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
    mutating func changePicture(_ change: (inout PlayerSnapshot) -> Void) {
        let before = snapshot.showsPicture
        change(&snapshot)
        guard snapshot.showsPicture != before else { return }
        if !snapshot.showsPicture { warnIfMissing(.pictureDetaching, "This backend also decodes hidden video.") }
        send(.setPicture(isShown: snapshot.showsPicture))
    }

    /// The shortest time between two reported positions. libVLC reports up to 85 a second for Matroska.
    var positionInterval: Duration {
        [nil, .continueVideo].contains(snapshot.background) ? .milliseconds(200) : .seconds(1)
    }
}
