/// Is told what a stream with inserted advertisements does. Every method is optional, and called on the main actor.
@MainActor
public protocol FlowplayerDAIDelegate: AnyObject {
    /// An advertisement in the stream does something else now.
    func player(_ player: any FlowplayerAPI, didStreamChangeState state: AdState)
    /// The stream could not be had. Its `fallbackURL` plays, if it has one.
    func player(_ player: any FlowplayerAPI, didStreamFailWith error: any Error)
}

extension FlowplayerDAIDelegate {
    public func player(_ player: any FlowplayerAPI, didStreamChangeState state: AdState) {}
    public func player(_ player: any FlowplayerAPI, didStreamFailWith error: any Error) {}
}
