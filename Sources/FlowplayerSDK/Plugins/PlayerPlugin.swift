import Playback

/// A feature that is attached to a player and sees its events.
///
/// Everything is called on the main actor.
@preconcurrency @MainActor
public protocol PlayerPlugin: AnyObject, Sendable {
    /// Returns the notice for a player that the plugin cannot serve. The player reports it and does not attach the plugin.
    ///
    /// - Returns: `nil`, the default, if the plugin can be attached.
    func refusal(of player: any FlowplayerAPI) -> PlaybackNotice?

    /// The plugin was attached. It sees every event from now on.
    func attach(to player: any FlowplayerAPI)

    /// An event, after all other observers have received it. The snapshot is the player's state at the event.
    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot)

    /// The plugin was detached: it sees no event any more.
    func detach()

    /// `true` if the plugin plays advertisements. Without such a plugin, a player reports that it plays none.
    var playsAds: Bool { get }
    /// Returns the request that starts a session of a stream with inserted advertisements. `nil`, the default, if the plugin cannot
    /// start it.
    func sessionRequest(for media: MediaDAI) -> DAISessionRequest?
    /// Skips the advertisement that plays, if the viewer may skip it now.
    func skipAd()
    /// The viewer clicked the advertisement that plays.
    func clickAd()
}

extension PlayerPlugin {
    public func refusal(of player: any FlowplayerAPI) -> PlaybackNotice? { nil }
    public func attach(to player: any FlowplayerAPI) {}
    public func detach() {}
    public var playsAds: Bool { false }
    public func sessionRequest(for media: MediaDAI) -> DAISessionRequest? { nil }
    public func skipAd() {}
    public func clickAd() {}
}
