/// Is told what advertisements do. Every method is optional, and called on the main actor.
@MainActor
public protocol FlowplayerAdDelegate: AnyObject {
    /// An advertisement does something else now.
    func player(_ player: any FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType)
    /// No advertisement could be shown; the medium goes on.
    func player(_ player: any FlowplayerAPI, didAdFailWith error: AdError)
    /// An advertisement of this type could not be shown; the medium goes on. The metadata are `nil` if none was loaded.
    func player(
        _ player: any FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?)
}

extension FlowplayerAdDelegate {
    public func player(_ player: any FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType) {}
    public func player(_ player: any FlowplayerAPI, didAdFailWith error: AdError) {}
    public func player(
        _ player: any FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?
    ) {}
}
