/// A player without a view, as hosts know it.
@MainActor
public protocol FlowplayerManagerAPI: FlowplayerAPI {
    /// The delegate for advertisements. Not retained by the player.
    var adDelegate: (any FlowplayerAdDelegate)? { get set }
}
