/// What becomes of playback when its host leaves the foreground.
public enum BackgroundAction: String, Codable, Hashable, Sendable, CaseIterable {
    /// Stops and unloads.
    case stop
    /// Pauses. The picture stays as it is.
    case pause
    /// Goes on without its picture, which is neither decoded nor, where the stream keeps it apart, downloaded.
    case continueAudio
    /// Goes on as it is.
    case continueVideo
}

/// What a player does with its playback when its host leaves the foreground.
///
/// The policy is read when the reasons change: changing it in between has no effect until then.
///
/// ```swift
/// view.backgroundPolicy = .continueAudio
/// view.backgroundPolicy[.locked] = .pause
/// ```
public struct BackgroundPolicy: Codable, Hashable, Sendable {
    /// Pauses, and stays paused after the return until somebody plays again, or `resumesAfterBackground`. The default.
    public static let pause = Self(.pause)
    /// Goes on without the picture, which comes back on return.
    public static let continueAudio = Self(.continueAudio)
    /// Goes on as it is.
    public static let continueVideo = Self(.continueVideo)
    /// Stops and unloads.
    public static let stop = Self(.stop)

    /// What holds for every reason that has nothing of its own.
    public var standard: BackgroundAction
    /// What holds for single reasons. At first the picture goes on in `pictureInPicture`, and `sleep` pauses.
    public private(set) var exceptions: [BackgroundReason: BackgroundAction] = [
        .pictureInPicture: .continueVideo, .sleep: .pause,
    ]

    /// - Parameter standard: for every reason but `pictureInPicture` and `sleep`.
    public init(_ standard: BackgroundAction) { self.standard = standard }

    /// What one reason brings about.
    public subscript(reason: BackgroundReason) -> BackgroundAction {
        get { exceptions[reason] ?? standard }
        set { exceptions[reason] = newValue }
    }

    /// What several reasons bring about together: the strictest. `hidden` and `jobStopped` don't count during
    /// `pictureInPicture`. `nil` without a reason.
    public func action(for reasons: Set<BackgroundReason>) -> BackgroundAction? {
        let actions = Set(reasons.thatCount.map { self[$0] })
        return BackgroundAction.allCases.first { actions.contains($0) }
    }
}
