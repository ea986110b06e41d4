/// Is told what a player does. Every method is optional.
///
/// Called on the main actor, in the order of the events, before notifications, streams and plugins. The player has
/// changed already when it is told; commands may be given within a call.
@MainActor
public protocol FlowplayerDelegate: AnyObject {
    /// The player does something else now. Told last among the changes that come together.
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState)
    /// The player shows something else now. Told right after the state.
    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState)
    /// - Parameter volume: in `0...1`.
    func player(_ player: any FlowplayerAPI, didChangeVolume volume: Float)
    /// - Parameter rate: media seconds a second.
    func player(_ player: any FlowplayerAPI, didChangeRate rate: Float)
    /// The sound was turned off or on; the volume stays.
    func player(_ player: any FlowplayerAPI, didChangeMute isMuted: Bool)
    /// - Parameter position: in seconds.
    func player(_ player: any FlowplayerAPI, didChangePosition position: Double)
    /// - Parameter duration: in seconds.
    func player(_ player: any FlowplayerAPI, didChangeDuration duration: Double)
    /// Once for each failure, right before the state `failure`.
    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError)
    /// The sounds of the medium, once it is ready and whenever they change.
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [AudioTrack])
    /// The texts of the medium, once it is ready and whenever they change.
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [SubtitleTrack])
    /// - Parameter position: in seconds: the target while seeking, else where the playhead came to be or stayed.
    func player(_ player: any FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double)
    /// Known once the medium is ready.
    func player(_ player: any FlowplayerAPI, didChangePlaybackType type: PlaybackType)
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
    public func player(_ player: any FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double) {}
    public func player(_ player: any FlowplayerAPI, didChangePlaybackType type: PlaybackType) {}
}
