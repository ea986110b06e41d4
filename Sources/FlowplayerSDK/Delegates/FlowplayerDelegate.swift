/// The delegate of a player. Every method is optional.
///
/// Called on the main actor, in the order of the events, before notifications, streams and plugins. The player has
/// changed before the call. Commands may be given within a call. Each call is also a notification with the same value.
@preconcurrency @MainActor
public protocol FlowplayerDelegate: AnyObject, Sendable {
    /// The state changed. Sent last among changes that come together.
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState)
    /// The state of the view changed. Sent right after the player's state.
    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState)
    /// The volume changed. It is in `0...1`.
    func player(_ player: any FlowplayerAPI, didChangeVolume volume: Float)
    /// The rate changed, in media seconds a second. It is 0 after a pause, and positive after `play()`.
    func player(_ player: any FlowplayerAPI, didChangeRate rate: Float)
    /// The audio was muted or unmuted. The volume stays the same.
    func player(_ player: any FlowplayerAPI, didChangeMute isMuted: Bool)
    /// The position, in seconds, at most five times a second during playback and after each jump.
    func player(_ player: any FlowplayerAPI, didChangePosition position: Double)
    /// The length in seconds, with `ready` and whenever it is known better. Never sent for a stream without an end.
    func player(_ player: any FlowplayerAPI, didChangeDuration duration: Double)
    /// Once for each failure, right before the state `failure`.
    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError)
    /// The audio tracks of the item, once it is ready and after each change.
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [AudioTrack])
    /// The subtitle tracks of the item, once it is ready and after each change.
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [SubtitleTrack])
    /// An item was loaded, or loaded again. Sent before all other events of the item. An addition to the original
    /// interface.
    func player(_ player: any FlowplayerAPI, didReceiveMediaItem media: any Media)
    /// Another item of the queue is the current one. Sent after `didReceiveMediaItem`, before all other events of the
    /// item. An addition to the original interface.
    func player(_ player: any FlowplayerAPI, didChangeItem transition: ItemTransition)
    /// The configuration of a `MediaOVP` is loaded. The item is opened next.
    func player(_ player: any FlowplayerAPI, didReceiveConfig config: OVPConfig)
    /// The selected audio track, once the item is ready and after each change.
    func player(_ player: any FlowplayerAPI, selectedTrack track: AudioTrack)
    /// The selected subtitle track, whenever it changes; `SubtitleTrack.off` for none.
    func player(_ player: any FlowplayerAPI, selectedTrack track: SubtitleTrack)
    /// The quality of the current video, once it is known and after each change.
    func player(_ player: any FlowplayerAPI, didChangeQuality quality: PlayerQuality)
    /// The state of a seek. The position is in seconds: the target while seeking, then the position that the seek has
    /// reached.
    func player(_ player: any FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double)
    /// The state of the buffer.
    func player(_ player: any FlowplayerAPI, didChangeBufferState state: PlaybackBufferState)
    /// Known once the item is ready.
    func player(_ player: any FlowplayerAPI, didChangePlaybackType type: PlaybackType)
    /// The part of a live stream that can be played, whenever it moves.
    func player(_ player: any FlowplayerAPI, didChangeDVRWindow window: DVRWindow)
    /// The metadata of the item, and again when more are known. An addition to the original interface.
    func player(_ player: any FlowplayerAPI, didReceiveMetadata metadata: MediaMetadata)
}

extension FlowplayerDelegate {
    public func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {}
    public func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState) {}
    public func player(_ player: any FlowplayerAPI, didChangeVolume volume: Float) {}
    public func player(_ player: any FlowplayerAPI, didChangeRate rate: Float) {}
    public func player(_ player: any FlowplayerAPI, didChangeMute isMuted: Bool) {}
    public func player(_ player: any FlowplayerAPI, didChangePosition position: Double) {}
    public func player(_ player: any FlowplayerAPI, didChangeDuration duration: Double) {}
    public func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {}
    public func player(_ player: any FlowplayerAPI, loadedTracks tracks: [AudioTrack]) {}
    public func player(_ player: any FlowplayerAPI, loadedTracks tracks: [SubtitleTrack]) {}
    public func player(_ player: any FlowplayerAPI, didReceiveMediaItem media: any Media) {}
    public func player(_ player: any FlowplayerAPI, didChangeItem transition: ItemTransition) {}
    public func player(_ player: any FlowplayerAPI, didReceiveConfig config: OVPConfig) {}
    public func player(_ player: any FlowplayerAPI, selectedTrack track: AudioTrack) {}
    public func player(_ player: any FlowplayerAPI, selectedTrack track: SubtitleTrack) {}
    public func player(_ player: any FlowplayerAPI, didChangeQuality quality: PlayerQuality) {}
    public func player(_ player: any FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double) {}
    public func player(_ player: any FlowplayerAPI, didChangeBufferState state: PlaybackBufferState) {}
    public func player(_ player: any FlowplayerAPI, didChangePlaybackType type: PlaybackType) {}
    public func player(_ player: any FlowplayerAPI, didChangeDVRWindow window: DVRWindow) {}
    public func player(_ player: any FlowplayerAPI, didReceiveMetadata metadata: MediaMetadata) {}
}
