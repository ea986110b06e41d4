/// What a view makes of the reasons for which its host is not in front.
@MainActor
final class ViewBackground {
    var policy = BackgroundPolicy.pause
    var resumes = false

    /// What the reasons have brought about; `nil` in the foreground.
    private(set) var action: BackgroundAction?
    private var reasons: Set<BackgroundReason> = []
    /// Everything that has held playback since it was held first.
    private var pausedBy: Set<BackgroundReason> = []
    private var lifecycle: ApplicationLifecycle?
    private var following: ObservationToken?

    /// - Parameter change: called with the reasons, now and after everybody else has been told of them.
    func follow(_ lifecycle: ApplicationLifecycle, change: @escaping @MainActor (Set<BackgroundReason>) -> Void) {
        self.lifecycle = lifecycle
        following = lifecycle.follow(change)
    }

    /// Whether others are told of the foreground, and this view has not been yet.
    var isComingBack: Bool { !reasons.isEmpty && lifecycle?.isInBackground == false }

    func end() { following?.cancel() }

    /// The reasons have changed.
    func change(to reasons: Set<BackgroundReason>, for player: MediaPlayer, isAttached: Bool) {
        self.reasons = reasons
        apply(action(isAttached: isAttached), to: player)
    }

    /// The host has taken the picture away after its player was paused: it wants to hear it.
    func detached(_ player: MediaPlayer) {
        guard action == .pause else { return }
        pausedBy = []
        apply(allowed(.continueAudio, player), to: player, resumes: true)
    }

    /// Another player is to be what this one was.
    func handOver(to player: MediaPlayer) {
        if let action { player.enterBackground(action) }
    }

    /// The player is nobody's any more.
    func letGo(_ player: MediaPlayer) {
        if action != nil { player.leaveBackground() }
    }

    private func action(isAttached: Bool) -> BackgroundAction? {
        guard let wanted = policy.action(for: reasons) else { return nil }
        // The picture is seen, though not in the host's own window.
        if wanted == .continueVideo, reasons.thatCount == [.pictureInPicture] { return nil }
        return isAttached ? wanted : .continueAudio
    }

    private func apply(_ wanted: BackgroundAction?, to player: MediaPlayer, resumes: Bool? = nil) {
        if wanted == .pause { pausedBy.formUnion(reasons.thatCount.filter { policy[$0] == .pause }) }
        let action = wanted.map { allowed($0, player) }
        guard action != self.action else { return }
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

    /// Sound goes on only where the host says that it does.
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
