import Playback

/// What a host says of what it plays, in place of what the player says of itself.
///
/// ```swift
/// NowPlayingInfoCenter.default().nowPlayingInfo = NowPlayingInfo(title: "Morning show", artist: "Radio")
/// ```
///
/// What the default one says counts for all players. Each `NowPlayingSession` has another one for its own player.
@MainActor
public final class NowPlayingInfoCenter {
    /// That of the process.
    public static func `default`() -> NowPlayingInfoCenter { NowPlayingCenter.shared.nowPlayingInfoCenter }

    /// What is shown. `nil`: what the player says of itself.
    public var nowPlayingInfo: NowPlayingInfo? {
        didSet {
            setAt = clock()
            if nowPlayingInfo?.elapsedPlaybackTime != oldValue?.elapsedPlaybackTime { isElapsedTimeNew = true }
            changed?()
        }
    }

    /// What is shown that the player does. `unknown`: what it does.
    public var playbackState = NowPlayingPlaybackState.unknown {
        didSet { changed?() }
    }

    /// When the info was set.
    private(set) var setAt = Duration.zero
    private var isElapsedTimeNew = false
    private let clock: @MainActor () -> Duration
    var changed: (@MainActor () -> Void)?

    /// - Parameter clock: gives the time that has passed since any zero.
    init(clock: @escaping @MainActor () -> Duration) { self.clock = clock }

    /// Seconds into the medium, if the host says so.
    ///
    /// - Parameter rate: at which it moves if the host does not say that.
    func elapsedTime(rate: Double) -> Double? {
        guard let info = nowPlayingInfo, let elapsed = info.elapsedPlaybackTime else { return nil }
        let moved = elapsed + (clock() - setAt).inSeconds * (info.playbackRate ?? rate)
        return max(0, min(moved, info.playbackDuration ?? .infinity))
    }

    /// Whether the host has said another elapsed time since this was asked last.
    func takeElapsedTimeIsNew() -> Bool {
        defer { isElapsedTimeNew = false }
        return isElapsedTimeNew
    }
}
