/// A player without a view, as hosts know it.
@MainActor
public protocol FlowplayerManagerAPI: FlowplayerAPI {
    /// Is told of advertisements. Not kept alive by the player.
    var adDelegate: (any FlowplayerAdDelegate)? { get set }
}
