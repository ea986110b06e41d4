import Foundation

/// A player that shows its picture.
///
/// Commands return at once; what they bring about is told to the delegate, as notifications, as a stream and to
/// plugins, in this order. Dropping the last reference closes everything.
///
/// ```swift
/// let view = FlowplayerView()
/// view.autoPlay = true
/// view.load(external: MediaExternal(url: URL(filePath: "/srv/clip.mp4")))
/// for await event in view.events { print(event) }
/// ```
@MainActor
public final class FlowplayerView: FlowplayerFacade {
    /// - Parameters:
    ///   - backend: the engine, by the name under which `BackendRegistry.shared` knows it. With an unknown one,
    ///     every load fails with `backendUnavailable`.
    ///   - notificationCenter: where notifications are posted.
    public init(backend: BackendName = .default, notificationCenter: NotificationCenter = .default) {
        super.init(player: .make(backend), notificationCenter: notificationCenter)
        showPicture()
    }

    /// Shows a player that the host has made.
    public init(avPlayer: MediaPlayer, notificationCenter: NotificationCenter = .default) {
        super.init(player: avPlayer, notificationCenter: notificationCenter)
        showPicture()
    }

    /// A window is only the default: a backend that has none need not excuse itself.
    private func showPicture() {
        if avPlayer?.capabilities.hasWindow == true { avPlayer?.videoOutput = videoOutput }
    }

    /// Where the picture goes: a window of the backend's own by default, where there is a display.
    public var videoOutput: VideoOutput = .window {
        didSet { avPlayer?.videoOutput = videoOutput }
    }
}
