/// A player with a view, as hosts know it.
///
/// The view itself is the host's: a window, a widget, a screen. The host, or a plugin that draws, tells what becomes of
/// it, and the view's delegate and notifications pass it on.
@MainActor
public protocol FlowplayerViewAPI: FlowplayerAPI {
    /// Whether the view fills the screen.
    var isFullscreen: Bool { get }
    /// How the screen is turned, as the host told last.
    var orientation: Orientation { get }
    /// Whether turning the screen to landscape fills it, and turning it back no longer does. `false` by default.
    var orientationControlsFullscreen: Bool { get set }
    /// Whether filling the screen turns it to landscape, and leaving turns it back. `false` by default.
    var fullscreenControlsOrientation: Bool { get set }
    /// Whether controls are never to be seen. `false` by default.
    var hideControls: Bool { get set }
    /// Which controls a view draws, and how; `nil` for the view's own choice.
    var controlsConfig: ControlsConfig? { get }
    /// Whether sound goes on while nobody looks: `true` is the policy `continueAudio`, `false` is `pause`. `false` by default.
    var enableBackgroundPlayback: Bool { get set }
    /// What becomes of playback while the host is not in front, by reason. `pause` by default.
    var backgroundPolicy: BackgroundPolicy { get set }
    /// Whether what the background paused goes on by itself after the return. `false` by default.
    var resumesAfterBackground: Bool { get set }
    /// Is told what becomes of the view. Not kept alive by it.
    var viewDelegate: (any FlowplayerViewDelegate)? { get set }
    /// Is told of advertisements. Not kept alive by the player.
    var adDelegate: (any FlowplayerAdDelegate)? { get set }

    /// Fills the screen.
    func openFullscreen()
    /// No longer fills the screen.
    func closeFullscreen()
}
