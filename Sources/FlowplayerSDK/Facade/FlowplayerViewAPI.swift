/// A player with a view.
///
/// The view itself belongs to the host: a window, a widget, a screen. The host, or a plugin that draws, sets the view's
/// state, and the view's delegate and notifications report it.
@preconcurrency @MainActor
public protocol FlowplayerViewAPI: FlowplayerAPI {
    /// `true` if the view fills the screen.
    var isFullscreen: Bool { get }
    /// The orientation of the screen, as set by the host.
    var orientation: Orientation { get }
    /// `true` if turning the screen to landscape enters fullscreen, and turning it back leaves it. `false` by default.
    var orientationControlsFullscreen: Bool { get set }
    /// `true` if entering fullscreen turns the screen to landscape, and leaving turns it back. `false` by default.
    var fullscreenControlsOrientation: Bool { get set }
    /// `true` to keep the controls hidden. `false` by default.
    var hideControls: Bool { get set }
    /// Which controls a view draws, and how; `nil` for the view's own choice.
    var controlsConfig: ControlsConfig? { get }
    /// `true` if audio continues in the background: `true` is the policy `continueAudio`, `false` is `pause`. `false`
    /// by default.
    var enableBackgroundPlayback: Bool { get set }
    /// The effect of each background reason on playback. `pause` by default.
    var backgroundPolicy: BackgroundPolicy { get set }
    /// `true` to resume automatically after the background paused. `false` by default.
    var resumesAfterBackground: Bool { get set }
    /// The delegate of the view. Not retained by it.
    var viewDelegate: (any FlowplayerViewDelegate)? { get set }
    /// The delegate for advertisements. Not retained by the player.
    var adDelegate: (any FlowplayerAdDelegate)? { get set }

    /// Fills the screen.
    func openFullscreen()
    /// No longer fills the screen.
    func closeFullscreen()
}

// The additions to the original interface, for hosts whose own types conform.
extension FlowplayerViewAPI {
    public var backgroundPolicy: BackgroundPolicy {
        get { enableBackgroundPlayback ? .continueAudio : .pause }
        set { enableBackgroundPlayback = newValue != .pause }
    }

    /// `false`, whatever is set.
    public var resumesAfterBackground: Bool {
        get { false }
        set {}
    }
}
