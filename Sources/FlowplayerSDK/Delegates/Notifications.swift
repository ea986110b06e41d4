import Foundation

extension Notification.Name {
    /// The object is the `OVPConfig`.
    public static let flowplayerDidReceiveConfig = Self("flowplayerDidReceiveConfig")
    /// The object is the `Media`.
    public static let flowplayerDidReceiveMediaItem = Self("flowplayerDidReceiveMediaItem")
    /// The object is the `ItemTransition`.
    public static let flowplayerDidChangeItem = Self("flowplayerDidChangeItem")
    /// The object is the `PlayerState`.
    public static let flowplayerDidChangeState = Self("flowplayerDidChangeState")
    /// The object is the `PlaybackState`.
    public static let flowplayerDidChangePlaybackState = Self("flowplayerDidChangePlaybackState")
    /// The object is the `PlayerError`.
    public static let flowplayerDidFailWithError = Self("flowplayerDidFailWithError")
    /// The object is the `Bool`.
    public static let flowplayerDidChangeIsMuted = Self("flowplayerDidChangeIsMuted")
    /// The object is the `Float`, in `0...1`.
    public static let flowplayerDidChangeVolume = Self("flowplayerDidChangeVolume")
    /// The object is the `Float`.
    public static let flowplayerDidChangeRate = Self("flowplayerDidChangeRate")
    /// The object is the `[SubtitleTrack]`.
    public static let flowplayerDidLoadSubtitleTracks = Self("flowplayerDidLoadSubtitleTracks")
    /// The object is the `[AudioTrack]`.
    public static let flowplayerDidLoadAudioTracks = Self("flowplayerDidLoadAudioTracks")
    /// The object is the `Double`, in seconds.
    public static let flowplayerDidChangeDuration = Self("flowplayerDidChangeDuration")
    /// The object is the `Double`, in seconds.
    public static let flowplayerDidChangePosition = Self("flowplayerDidChangePosition")
    /// The object is the `AudioTrack`.
    public static let flowplayerDidSelectAudioTrack = Self("flowplayerDidSelectAudioTrack")
    /// The object is the `SubtitleTrack`, `SubtitleTrack.off` for none.
    public static let flowplayerDidSelectSubtitleTrack = Self("flowplayerDidSelectSubtitleTrack")
    /// The object is the `PlayerQuality`.
    public static let flowplayerDidChangeQuality = Self("flowplayerDidChangeQuality")
    /// The object is the tuple `(PlaybackSeekState, Double)`, the position in seconds.
    public static let flowplayerDidChangeSeekState = Self("flowplayerDidChangeSeekState")
    /// The object is the `PlaybackType`.
    public static let flowplayerDidChangePlaybackType = Self("flowplayerDidChangePlaybackType")
    /// The object is the `PlaybackBufferState`.
    public static let flowplayerDidChangeBufferState = Self("flowplayerDidChangeBufferState")
    /// The object is the `DVRWindow`.
    public static let flowplayerDidChangeDVRWindow = Self("flowplayerDidChangeDVRWindow")
    /// The object is the `MediaMetadata`. An addition to the original interface.
    public static let flowplayerDidReceiveMetadata = Self("flowplayerDidReceiveMetadata")

    // MARK: Views

    /// The object is the `ViewLifecycle`. For `destroyed` there is the player's id in `userInfo`, but no player any more.
    public static let flowplayerViewDidChangeLifecycle = Self("flowplayerViewDidChangeLifecycle")
    /// The object is the `Bool`.
    public static let flowplayerViewDidChangeFullscreen = Self("flowplayerViewDidChangeFullscreen")
    /// The object is the `Error`, or `nil`.
    public static let flowplayerViewDidEncounterError = Self("flowplayerViewDidEncounterError")
    /// The object is the `Bool`.
    public static let flowplayerViewDidChangeVisibility = Self("flowplayerViewDidChangeVisibility")
    /// The object is the `Bool`.
    public static let flowplayerViewDidChangeControlsVisibility = Self("flowplayerViewDidChangeControlsVisibility")

    // MARK: Advertisements

    /// The object is the tuple `(AdState, AdType)`.
    public static let flowplayerAdDidChangeState = Self("flowplayerAdDidChangeState")
    /// The object is the `AdError`.
    public static let flowplayerAdDidFail = Self("flowplayerAdDidFail")
    /// The viewer clicked an advertisement. The object is the `URL` to open. An addition to the original interface.
    public static let flowplayerAdDidRequestPage = Self("flowplayerAdDidRequestPage")
    /// The object is the `DAIStateStream`. An addition to the original interface.
    public static let flowplayerStreamDidChangeState = Self("flowplayerStreamDidChangeState")
    /// The object is the `AdError`. An addition to the original interface.
    public static let flowplayerStreamDidFail = Self("flowplayerStreamDidFail")
}

/// The keys of the `userInfo` that every notification of a player carries.
public enum FlowplayerNotificationKey: Hashable, Sendable {
    /// The player's `id`, a `String`.
    case playerID
    /// The player, an `any FlowplayerAPI`.
    case player
    /// The `PlayerItem` of the notification; missing while it is not known. When an end is reported, the player may be
    /// at the next one.
    case item
}
