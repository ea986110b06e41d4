/// Is told what a player does. Every method is optional.
///
/// Called on the main actor, in the order of the events, before notifications, streams and plugins. The player has
/// changed already when it is told; commands may be given within a call.
@MainActor
public protocol FlowplayerDelegate: AnyObject {
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState)
    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState)
    /// - Parameter volume: in `0...1`.
    func player(_ player: any FlowplayerAPI, didChangeVolume volume: Float)
    /// - Parameter rate: media seconds a second.
    func player(_ player: any FlowplayerAPI, didChangeRate rate: Float)
    func player(_ player: any FlowplayerAPI, didChangeMute isMuted: Bool)
    /// - Parameter position: in seconds.
    func player(_ player: any FlowplayerAPI, didChangePosition position: Double)
    /// - Parameter duration: in seconds.
    func player(_ player: any FlowplayerAPI, didChangeDuration duration: Double)
    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError)
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [AudioTrack])
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [SubtitleTrack])
    /// - Parameter position: in seconds: the target while seeking, else where the playhead came to be or stayed.
    func player(_ player: any FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double)
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
