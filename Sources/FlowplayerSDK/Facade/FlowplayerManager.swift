import Foundation
import Playback

/// A player without video: for audio, and for hosts that only control.
///
/// `close` ends the player. So does the release of the last reference.
@preconcurrency @MainActor
public final class FlowplayerManager: FlowplayerFacade, FlowplayerManagerAPI {
    /// - Parameters:
    ///   - backend: the engine, by the name under which `BackendRegistry.shared` knows it, as in `.named("vlc")`.
    ///     With an unknown one, every load fails with `backendUnavailable`, whose message lists the known ones.
    ///   - notificationCenter: where notifications are posted.
    public init(backend: BackendName = .default, notificationCenter: NotificationCenter = .default) {
        super.init(player: QueuePlayer(backend: backend), notificationCenter: notificationCenter)
    }

    /// Controls a player that the host has made.
    public init(avPlayer: MediaPlayer, notificationCenter: NotificationCenter = .default) {
        super.init(player: avPlayer, notificationCenter: notificationCenter)
    }
}

/// A player without a view, as hosts know it.
@preconcurrency @MainActor
public protocol FlowplayerManagerAPI: FlowplayerAPI {
    /// The delegate for advertisements. Not retained by the player.
    var adDelegate: (any FlowplayerAdDelegate)? { get set }
}
