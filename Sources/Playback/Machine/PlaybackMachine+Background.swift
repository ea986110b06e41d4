// The effect of the background on playback.
extension PlaybackMachine {
    /// - Parameter action: `nil` for the foreground.
    mutating func setBackground(_ action: BackgroundAction?, resumes: Bool) {
        let before = snapshot.background
        guard action != before else { return }
        let isAdvertisement = snapshot.item?.source?.isAdvertisement == true
        if action == .stop { stop() }
        changePicture { snapshot in
            snapshot.background = action
            switch action {
            case .continueAudio: snapshot.isPictureHidden = true
            case nil, .continueVideo: snapshot.isPictureHidden = false
            case .pause, .stop: break
            }
        }
        snapshot.hasEndedInBackground = snapshot.hasEndedInBackground && action != nil
        changeIntent { snapshot in
            if action == .pause {
                snapshot.suppression.insert(.background)
            } else if snapshot.suppression.remove(.background) != nil, !resumes, !isAdvertisement {
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

    /// The shortest time between two reported positions.
    var positionInterval: Duration {
        switch snapshot.background {
        case nil, .continueVideo: .zero
        case .stop, .pause, .continueAudio: .seconds(1)
        }
    }
}
