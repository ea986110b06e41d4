import Playback

/// Applies the policy of a view to its player, according to the background reasons.
@MainActor
final class ViewBackground {
    var policy = BackgroundPolicy.pause
    var resumes = false

    /// The current effect; `nil` in the foreground.
    private(set) var action: BackgroundAction?
    private let follower = BackgroundFollower()
    /// Everything that has held playback since it was held first.
    private var pausedBy: Set<BackgroundReason> = []
    /// The current reasons that pause.
    private var pausing: Set<BackgroundReason> = []

    /// - Parameter change: called now and after each change of the reasons, once the host's own handlers have been
    ///   called.
    func follow(_ lifecycle: ApplicationLifecycle, change: @escaping @MainActor () -> Void) {
        follower.follow(lifecycle) { _ in change() }
    }

    /// `true` while the return to the foreground is being reported, and has not reached this view.
    var isComingBack: Bool { follower.isComingBack }

    func end() { follower.end() }

    private var reasons: Set<BackgroundReason> { follower.reasons }

    /// The reasons have changed.
    func reasonsChanged(for player: MediaPlayer, isAttached: Bool) {
        let wanted = policy.action(for: reasons)
        // The video is visible in picture in picture.
        if wanted == .continueVideo, reasons.thatCount == [.pictureInPicture] { return apply(nil, to: player) }
        apply(wanted.map { isAttached ? $0 : .continueAudio }, to: player)
    }

    /// The host has detached the video of a paused player: it wants the audio.
    func detached(_ player: MediaPlayer) {
        guard action == .pause else { return }
        pausedBy = []
        apply(allowed(.continueAudio, player), to: player, resumes: true)
    }

    /// Another player is to be what this one was.
    func handOver(to player: MediaPlayer) {
        if let action { player.enterBackground(action) }
    }

    /// The player belongs to this view no longer.
    func letGo(_ player: MediaPlayer) {
        if action != nil { player.leaveBackground() }
    }

    private func apply(_ wanted: BackgroundAction?, to player: MediaPlayer, resumes: Bool? = nil) {
        let before = pausing
        pausing = Set(wanted == .pause ? reasons.thatCount.filter { policy[$0] == .pause } : [])
        pausedBy.formUnion(pausing)
        // A new reason pauses playback again that the user has started in the background.
        let pausesAgain = !pausing.isSubset(of: before)
        let action = wanted.map { allowed($0, player) }
        guard action != self.action || pausesAgain else { return }
        if wanted != action { explain(player) }
        let resumes = resumes ?? (self.resumes || pausedBy == [.sleep])
        self.action = action
        if action != .pause { pausedBy = [] }
        if let action {
            player.enterBackground(action, resumes: resumes)
        } else {
            player.leaveBackground(resumes: resumes)
        }
    }

    /// Audio continues only if the host's category and configuration allow it.
    private func allowed(_ action: BackgroundAction, _ player: MediaPlayer) -> BackgroundAction {
        let goesOn = action == .continueAudio || action == .continueVideo
        return goesOn && hindrance(player) != nil ? .pause : action
    }

    private func hindrance(_ player: MediaPlayer) -> String? {
        let category = player.audioSession.category
        if !category.continuesInBackground {
            return "the category of the audio session is \(category.rawValue), not playback"
        }
        return Flowplayer.current.config.backgroundModes.contains(.audio)
            ? nil : "audio is not among the background modes of Flowplayer.current.config"
    }

    private func explain(_ player: MediaPlayer) {
        guard let hindrance = hindrance(player), player.snapshot.shouldPlay else { return }
        let message = "Pausing in the background (\(reasons.names)): \(hindrance)."
        player.warn(PlaybackNotice(code: "backgroundAudioNotAllowed", message: message))
    }
}
