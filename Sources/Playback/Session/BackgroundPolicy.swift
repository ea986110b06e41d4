/// The effect of the background on playback.
public enum BackgroundAction: String, Codable, Hashable, Sendable, CaseIterable {
    /// Stops and unloads.
    case stop
    /// Pauses. The video stays visible.
    case pause
    /// Continues without video, which is neither decoded nor, if the stream separates it, downloaded.
    case continueAudio
    /// Continues unchanged.
    case continueVideo
}

/// The effect of each background reason on playback.
///
/// The policy is read when the reasons change. A change of the policy applies from then on.
///
/// ```swift
/// view.backgroundPolicy = .continueAudio
/// view.backgroundPolicy[.locked] = .pause
/// ```
public struct BackgroundPolicy: Codable, Hashable, Sendable {
    /// Pauses, and stays paused after the return, unless `resumesAfterBackground` is `true`. The default.
    public static let pause = Self(.pause)
    /// Continues without video, which returns with the foreground.
    public static let continueAudio = Self(.continueAudio)
    /// Continues unchanged.
    public static let continueVideo = Self(.continueVideo)
    /// Stops and unloads.
    public static let stop = Self(.stop)

    /// The action for every reason without an exception.
    public var standard: BackgroundAction
    /// The exceptions. By default, video continues in `pictureInPicture`, and `sleep` pauses.
    public private(set) var exceptions: [BackgroundReason: BackgroundAction] = [
        .pictureInPicture: .continueVideo, .sleep: .pause,
    ]

    /// - Parameter standard: for every reason but `pictureInPicture` and `sleep`.
    public init(_ standard: BackgroundAction) { self.standard = standard }

    /// The action for one reason.
    public subscript(reason: BackgroundReason) -> BackgroundAction {
        get { exceptions[reason] ?? standard }
        set { exceptions[reason] = newValue }
    }

    /// Returns the strictest action of several reasons; `nil` without a reason. `hidden` and `jobStopped` do not count
    /// during `pictureInPicture`.
    public func action(for reasons: Set<BackgroundReason>) -> BackgroundAction? {
        let actions = Set(reasons.thatCount.map { self[$0] })
        return BackgroundAction.allCases.first { actions.contains($0) }
    }
}
