/// The delegate of a player's view. Every method is optional.
///
/// Called on the main actor, before the notification of the same event.
@preconcurrency @MainActor
public protocol FlowplayerViewDelegate: AnyObject, Sendable {
    /// The view entered or left full screen.
    func view(_ view: any FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool)
    /// The controls appeared or disappeared.
    func view(_ view: any FlowplayerViewAPI, didChangeControlsVisibility isVisible: Bool)
    /// The view cannot show its content. Playback may continue.
    func view(_ view: any FlowplayerViewAPI, didEncounterError error: (any Error)?)
    /// The view became visible or invisible: minimised, unmapped or covered.
    func view(_ view: any FlowplayerViewAPI, didChangeViewVisibility isVisible: Bool)
    /// The view was created or destroyed.
    func view(_ view: any FlowplayerViewAPI, didChangeLifecycle lifecycle: ViewLifecycle)
}

extension FlowplayerViewDelegate {
    public func view(_ view: any FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool) {}
    public func view(_ view: any FlowplayerViewAPI, didChangeControlsVisibility isVisible: Bool) {}
    public func view(_ view: any FlowplayerViewAPI, didEncounterError error: (any Error)?) {}
    public func view(_ view: any FlowplayerViewAPI, didChangeViewVisibility isVisible: Bool) {}
    public func view(_ view: any FlowplayerViewAPI, didChangeLifecycle lifecycle: ViewLifecycle) {}
}
