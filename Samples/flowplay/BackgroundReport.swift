import FlowplayerSDK

/// Tells people what the background makes of playback.
struct BackgroundReport {
    let resumes: Bool
    /// What the background did when it was told last; `nil` in the foreground.
    private var action: BackgroundAction?
    private var isInBackground = false
    private var holdsPlayback = false

    init(resumes: Bool) { self.resumes = resumes }

    /// - Parameters:
    ///   - reasons: why the host is not in front.
    ///   - snapshot: what has become of playback because of it.
    /// - Returns: `nil` in the foreground that was one before.
    mutating func text(for reasons: Set<BackgroundReason>, _ snapshot: PlayerSnapshot) -> String? {
        guard isInBackground || !reasons.isEmpty else { return nil }
        defer {
            isInBackground = !reasons.isEmpty
            action = snapshot.background
            holdsPlayback = snapshot.suppression.contains(.background) && snapshot.wantsToPlay
        }
        guard !reasons.isEmpty else { return "foreground: " + back(snapshot) }
        let names = reasons.map(\.rawValue).sorted().joined(separator: ", ")
        return "background (\(names)): " + away(snapshot)
    }

    private func away(_ snapshot: PlayerSnapshot) -> String {
        if snapshot.background == .stop { return "stopped" }
        guard snapshot.isOpen else { return "nothing plays" }
        if snapshot.shouldPlay {
            guard hasPicture(snapshot) else { return "sound goes on" }
            return snapshot.showsPicture ? "picture and sound go on" : "sound goes on without its picture"
        }
        guard snapshot.wantsToPlay else { return "stays paused" }
        return snapshot.hasStarted ? "paused" : "does not begin to play (--background audio does)"
    }

    private func back(_ snapshot: PlayerSnapshot) -> String {
        guard snapshot.isOpen else { return "nothing plays" }
        guard snapshot.shouldPlay else {
            return holdsPlayback && !resumes ? "stays paused (space plays; --resume goes on by itself)" : "stays paused"
        }
        return action == .continueAudio && hasPicture(snapshot) ? "picture back" : "goes on"
    }

    private func hasPicture(_ snapshot: PlayerSnapshot) -> Bool { snapshot.tracks?.video.isEmpty != true }
}
