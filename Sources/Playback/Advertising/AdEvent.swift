import Foundation

/// An event of advertisements.
@nonexhaustive
public enum AdEvent: Codable, Hashable, Sendable {
    /// The state of an advertisement changed.
    case state(AdState, AdType)
    /// An advertisement, or a part of it, could not be shown. The metadata is `nil` if no advertisement was loaded. `vastCode` is the
    /// number of the error in VAST 4.2, section 2.3.6.3; `nil` if it has none. With 203, 409 and 410, the advertisement plays.
    case failed(AdError, AdType = .unknown, IMAMetadata? = nil, vastCode: Int? = nil)
    /// The viewer clicked an advertisement. The host opens this address, for example in a browser.
    case clickThrough(URL)
    /// The state of a stream with inserted advertisements changed.
    case streamState(DAIStateStream)
    /// A stream with inserted advertisements could not be loaded.
    case streamFailed(AdError)
}

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

    /// The name of the case, as logs give it.
    public var name: String { String(describing: self) }

    /// The states that can follow. After an advertisement that fails, any state can follow.
    package var successors: Set<AdState> {
        switch self {
        case .idle: [.start]
        case .start: [.loaded, .idle]
        case .loaded: [.play, .loaded, .idle]
        case .play: [.pause, .click, .skip, .complete, .loaded, .idle]
        case .pause: [.play, .click, .skip, .loaded, .idle]
        case .click: [.play, .pause, .click, .skip, .complete, .loaded, .idle]
        case .skip, .complete: [.loaded, .idle]
        }
    }
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

/// A break for advertisements.
public struct AdBreak: Codable, Hashable, Sendable {
    /// The ad tags, in order of preference. Each is used only if the ones before return no advertisement.
    public var adTags: [String]
    /// The position in the item, in seconds. -1 uses the position in the schedule.
    public var offset: Int

    /// Creates a break.
    ///
    /// - Parameters:
    ///   - adTags: the ad tags, in order of preference.
    ///   - offset: the position in the item, in seconds. -1 uses the position in the schedule.
    public init(adTags: [String], offset: Int = -1) {
        self.adTags = adTags
        self.offset = offset
    }
}

/// The state of a stream with inserted advertisements.
public enum DAIStateStream: Int, Codable, Hashable, Sendable, CaseIterable {
    /// No stream is loaded.
    case idle
    /// The stream is loaded.
    case loaded
    /// A break begins.
    case adBreakStarted
    /// A break has ended.
    case adBreakEnded
    /// An advertisement plays.
    case adStarted
    /// An advertisement is paused.
    case adPaused
    /// An advertisement plays again after a pause.
    case adResumed
    /// The viewer clicked an advertisement.
    case adClicked
    /// The viewer skipped an advertisement.
    case adSkipped
    /// An advertisement has ended.
    case adCompleted

    /// The name of the case, as logs give it.
    public var name: String { String(describing: self) }

    /// The states that can follow.
    package var successors: Set<DAIStateStream> {
        let afterStart: Set<DAIStateStream> = [.adPaused, .adClicked, .adSkipped, .adCompleted, .adBreakEnded, .idle]
        return switch self {
        case .idle: [.loaded]
        case .loaded, .adBreakEnded: [.adBreakStarted, .idle]
        case .adBreakStarted, .adSkipped, .adCompleted: [.adStarted, .adBreakEnded, .idle]
        case .adStarted, .adResumed: afterStart
        case .adPaused: [.adResumed, .adClicked, .adSkipped, .adBreakEnded, .idle]
        case .adClicked: afterStart.union([.adResumed])
        }
    }
}
