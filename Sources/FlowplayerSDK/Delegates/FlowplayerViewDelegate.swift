/// The delegate of a player's view. Every method is optional.
///
/// Called on the main actor, before the notification of the same event. Each notification of a view has a call here.
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
    /// The view was created or destroyed. `created` is sent to the first delegate, when you set it. `destroyed` is sent
    /// by code that draws the view, such as a window. A view that is only released calls `viewWasDestroyed(playerID:)`.
    func view(_ view: any FlowplayerViewAPI, didChangeLifecycle lifecycle: ViewLifecycle)
    /// A view was released, and had not sent `destroyed`. It is gone, so the call has the `id` of its player only. An
    /// addition to the original interface.
    func viewWasDestroyed(playerID: String)
}

extension FlowplayerViewDelegate {
    public func view(_ view: any FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool) {}
    public func view(_ view: any FlowplayerViewAPI, didChangeControlsVisibility isVisible: Bool) {}
    public func view(_ view: any FlowplayerViewAPI, didEncounterError error: (any Error)?) {}
    public func view(_ view: any FlowplayerViewAPI, didChangeViewVisibility isVisible: Bool) {}
    public func view(_ view: any FlowplayerViewAPI, didChangeLifecycle lifecycle: ViewLifecycle) {}
    public func viewWasDestroyed(playerID: String) {}
}
