/// The state of an advertisement.
public enum AdState: Int, Codable, Hashable, Sendable, CaseIterable {
    /// There is no advertisement.
    case idle
    /// A break starts and loads its first advertisement.
    case start
    /// The advertisement is ready to play.
    case loaded
    /// The advertisement plays.
    case play
    /// The advertisement is paused.
    case pause
    /// The viewer clicked the advertisement.
    case click
    /// The viewer skipped the advertisement.
    case skip
    /// The advertisement has ended.
    case complete
}

/// The position of an advertisement in its item.
public enum AdType: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Before the item.
    case preRoll
    /// During the item.
    case midRoll
    /// After the item.
    case postRoll
    /// The position is unknown.
    case unknown

    /// The name of the position, or `nil` if it is unknown.
    public var stringValue: String? { self == .unknown ? nil : String(describing: self) }
}

/// The metadata of an advertisement. Missing values are `nil`.
public struct IMAMetadata: Codable, Hashable, Sendable {
    /// The position of the advertisement in its item.
    public var type: AdType?
    /// The break of the advertisement.
    public var adBreak: AdBreak?
    /// The id of the advertisement on its server.
    public var adId: String?
    /// The title of the advertisement.
    public var adTitle: String?
    /// The description of the advertisement.
    public var adDescription: String?
    /// The name of the ad server.
    public var adSystem: String?
    /// The duration, in seconds.
    public var adDuration: Double?
    /// The name of the advertiser.
    public var advertiserName: String?
    /// The id of the image or video.
    public var creativeId: String?

    /// Creates empty metadata.
    public init() {}
}

/// Receives the events of advertisements. All methods are optional and are called on the main actor.
@preconcurrency @MainActor
public protocol FlowplayerAdDelegate: AnyObject, Sendable {
    /// The state of an advertisement changed.
    func player(_ player: any FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType)
    /// No advertisement could be shown. The item continues. Not called if the delegate has the longer form.
    func player(_ player: any FlowplayerAPI, didAdFailWith error: AdError)
    /// An advertisement of this type could not be shown. The item continues. `metadata` is `nil` if no advertisement was loaded.
    /// Default: calls the shorter form.
    func player(
        _ player: any FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?)
}

extension FlowplayerAdDelegate {
    public func player(_ player: any FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType) {}
    public func player(_ player: any FlowplayerAPI, didAdFailWith error: AdError) {}
    public func player(
        _ player: any FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?
    ) {
        self.player(player, didAdFailWith: error)
    }
}
