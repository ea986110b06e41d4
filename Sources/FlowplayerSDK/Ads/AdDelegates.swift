import Foundation
import Playback

/// Receives the events of advertisements. All methods are optional and are called on the main actor.
@preconcurrency @MainActor
public protocol FlowplayerAdDelegate: AnyObject, Sendable {
    /// The state of an advertisement changed.
    func player(_ player: any FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType)
    /// An advertisement, or a part of it, could not be shown. Not called if the delegate has the longer form.
    func player(_ player: any FlowplayerAPI, didAdFailWith error: AdError)
    /// An advertisement of this type, or a part of it, could not be shown. Another one may play instead, or this one without the part, as
    /// `didChangeAdState` reports. `metadata` is `nil` if no advertisement was loaded. Default: calls the shorter form.
    func player(
        _ player: any FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?)
    /// The viewer clicked an advertisement, which is paused. Open its page, for example in a browser. An addition to the original
    /// interface.
    func player(_ player: any FlowplayerAPI, didRequestPage url: URL)
}

extension FlowplayerAdDelegate {
    public func player(_ player: any FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType) {}
    public func player(_ player: any FlowplayerAPI, didAdFailWith error: AdError) {}
    public func player(_ player: any FlowplayerAPI, didRequestPage url: URL) {}
    public func player(
        _ player: any FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?
    ) {
        self.player(player, didAdFailWith: error)
    }
}

/// Receives the events of a stream with inserted advertisements. All methods are optional and are called on the main actor.
@preconcurrency @MainActor
public protocol FlowplayerDAIDelegate: AnyObject, Sendable {
    /// The state of the stream changed.
    func player(_ player: any FlowplayerAPI, didStreamChangeState state: DAIStateStream)
    /// The stream could not be loaded. Its `backupStream` plays instead, if there is one.
    func player(_ player: any FlowplayerAPI, didStreamFailWith error: AdError)
}

extension FlowplayerDAIDelegate {
    public func player(_ player: any FlowplayerAPI, didStreamChangeState state: DAIStateStream) {}
    public func player(_ player: any FlowplayerAPI, didStreamFailWith error: AdError) {}
}
