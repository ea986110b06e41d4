import FlowplayerSDK

/// Describes how a change of the background reasons affected playback.
struct BackgroundReport {
    let resumes: Bool
    /// `false` if no video is visible, even in the foreground.
    var showsVideo: Bool
    /// The player's state after the change before; `nil` in the foreground.
    private var background: PlayerSnapshot?

    init(resumes: Bool, showsVideo: Bool) {
        self.resumes = resumes
        self.showsVideo = showsVideo
    }

    /// - Parameters:
    ///   - reasons: the current reasons; empty in the foreground.
    ///   - snapshot: the player's state after the change.
    /// - Returns: `nil` if the host was in the foreground before, too.
    mutating func text(for reasons: Set<BackgroundReason>, _ snapshot: PlayerSnapshot) -> String? {
        defer { background = reasons.isEmpty ? nil : snapshot }
        guard reasons.isEmpty else {
            let names = reasons.map(\.words).sorted().joined(separator: ", ")
            return "background (\(names)): " + backgroundText(snapshot)
        }
        return background.map { "foreground: " + foregroundText(snapshot, after: $0) }
    }

    private func backgroundText(_ snapshot: PlayerSnapshot) -> String {
        if snapshot.background == .stop { return "stopped" }
        guard snapshot.isOpen else { return "no item" }
        if snapshot.isPlaybackWanted {
            guard hasVideo(snapshot) else { return "audio continues" }
            return snapshot.showsVideo ? "audio and video continue" : "audio continues without video"
        }
        guard snapshot.wantsToPlay else { return "stays paused" }
        return snapshot.hasStarted ? "paused" : "not started (--background audio starts it)"
    }

    private func foregroundText(_ snapshot: PlayerSnapshot, after background: PlayerSnapshot) -> String {
        let wasPaused = background.suppression.contains(.background) && background.wantsToPlay
        guard snapshot.isOpen else { return "no item" }
        guard snapshot.isPlaybackWanted else {
            return "stays paused" + (wasPaused && !resumes ? " (press space to resume, or use --resume)" : "")
        }
        if background.background == .continueAudio, hasVideo(snapshot) { return "video restored" }
        return wasPaused ? "resumed" : "still playing"
    }

    private func hasVideo(_ snapshot: PlayerSnapshot) -> Bool {
        showsVideo && snapshot.tracks?.video.isEmpty == false
    }
}

extension BackgroundReason {
    /// The name as words: `job stopped`.
    fileprivate var words: String { rawValue.replacing(/[A-Z]/) { " " + $0.output.lowercased() } }
}
