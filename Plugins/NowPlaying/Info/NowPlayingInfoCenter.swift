import Playback

/// The information that a host shows about its playback, in place of the player's own.
///
/// ```swift
/// NowPlayingInfoCenter.default().nowPlayingInfo = NowPlayingInfo(title: "Morning show", artist: "Radio")
/// ```
///
/// The default center applies to all players. Each `NowPlayingSession` has another one for its own player.
@preconcurrency @MainActor
public final class NowPlayingInfoCenter {
    /// The center of the process.
    public static func `default`() -> NowPlayingInfoCenter { NowPlayingCenter.shared.nowPlayingInfoCenter }

    /// The information of the host; `nil` to show the player's own.
    public var nowPlayingInfo: NowPlayingInfo? {
        didSet {
            setAt = clock.hostTime
            changed()
        }
    }

    /// The playback state of the host; `unknown` to show the player's own.
    public var playbackState = NowPlayingPlaybackState.unknown { didSet { changed() } }

    /// The time at which the info was set.
    private var setAt = Duration.zero
    private let clock: any PlaybackClock
    /// Called when the information changes.
    var changed: @MainActor () -> Void = {}

    init(clock: any PlaybackClock) { self.clock = clock }

    /// The position in seconds; `nil` if the host has not set it.
    ///
    /// - Parameter rate: the rate at which the position moves if the host has not set one.
    func elapsedTime(rate: Double) -> Double? {
        guard let info = nowPlayingInfo, let elapsed = info.elapsedPlaybackTime else { return nil }
        let moved = elapsed + (clock.hostTime - setAt).inSeconds * (info.playbackRate ?? rate)
        return max(0, min(moved, info.playbackDuration ?? .infinity))
    }
}
