/// Shows the picture of a player that has no view, by the classic rule for the background: video that is shown pauses and
/// stays paused after the return; sound alone goes on, and so does the sound of a player whose picture was taken away.
///
/// ```swift
/// let layer = PlayerLayer(player: player)
/// layer.player = nil    // in the background: the sound goes on
/// layer.player = player
/// ```
@MainActor
public final class PlayerLayer {
    /// Where pictures go. Takes effect with the next player or opening.
    public let videoOutput: VideoOutput
    /// Whose picture is shown. Without one, the picture of the player before is decoded no longer.
    public var player: MediaPlayer? {
        didSet {
            guard player !== oldValue else { return }
            oldValue.map(letGo)
            player.map(show)
        }
    }

    private var isInBackground = false
    private var following: ObservationToken?

    /// - Parameters:
    ///   - player: whose picture is shown.
    ///   - videoOutput: where it goes.
    ///   - lifecycle: knows whether the host is in front.
    public init(
        player: MediaPlayer? = nil, videoOutput: VideoOutput = .window, lifecycle: ApplicationLifecycle = .shared
    ) {
        self.videoOutput = videoOutput
        self.player = player
        player.map(show)
        following = lifecycle.follow { [weak self] in self?.follow($0) }
    }

    isolated deinit {
        following?.cancel()
        player.map(letGo)
    }

    private func show(_ player: MediaPlayer) {
        player.videoOutput = videoOutput
        player.isPictureAttached = true
        if isInBackground { enterBackground(player) }
    }

    private func letGo(_ player: MediaPlayer) {
        player.isPictureAttached = false
        if isInBackground { player.leaveBackground() }
    }

    private func follow(_ reasons: Set<BackgroundReason>) {
        let counting = reasons.thatCount.subtracting([.pictureInPicture])
        guard counting.isEmpty == isInBackground else { return }
        isInBackground = !counting.isEmpty
        guard let player else { return }
        if isInBackground { enterBackground(player) } else { player.leaveBackground() }
    }

    private func enterBackground(_ player: MediaPlayer) {
        let isPicture = player.snapshot.tracks.map { !$0.video.isEmpty } ?? true
        player.enterBackground(isPicture ? .pause : .continueAudio)
    }
}
