/// The delegate of a player's view. Every method is optional.
///
/// Called on the main actor, before the notification of the same event.
@preconcurrency @MainActor
public protocol FlowplayerViewDelegate: AnyObject, Sendable {
    /// The view fills the screen now, or no longer does.
    func view(_ view: any FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool)
    /// The controls can be seen now, or no longer can.
    func view(_ view: any FlowplayerViewAPI, didChangeControlsVisibility isVisible: Bool)
    /// The view cannot show its content. Playback may continue.
    func view(_ view: any FlowplayerViewAPI, didEncounterError error: (any Error)?)
    /// The view can be seen now, or no longer can: it is minimised, unmapped or covered.
    func view(_ view: any FlowplayerViewAPI, didChangeViewVisibility isVisible: Bool)
    /// The view has come into being, or is gone.
    func view(_ view: any FlowplayerViewAPI, didChangeLifecycle lifecycle: ViewLifecycle)
}

extension FlowplayerViewDelegate {
    public func view(_ view: any FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool) {}
    public func view(_ view: any FlowplayerViewAPI, didChangeControlsVisibility isVisible: Bool) {}
    public func view(_ view: any FlowplayerViewAPI, didEncounterError error: (any Error)?) {}
    public func view(_ view: any FlowplayerViewAPI, didChangeViewVisibility isVisible: Bool) {}
    public func view(_ view: any FlowplayerViewAPI, didChangeLifecycle lifecycle: ViewLifecycle) {}
}
