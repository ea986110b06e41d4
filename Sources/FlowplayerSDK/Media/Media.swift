import Foundation

/// An item that a player can load.
public protocol Media: Sendable {
    /// The maximum bit rate, in bit/s, or `nil` for no limit. Always finite and above 0.
    var preferredPeakBitRate: Double? { get }
    /// A unique id, which distinguishes two plays of one address. Default: the id of this process.
    var sessionID: UUID { get }
}

extension Media {
    public var sessionID: UUID { Flowplayer.processID }
}

/// An item at an address.
///
/// Two items are equal if their sessions are: an item equals only its copies.
public struct MediaExternal: Media, Hashable {
    /// The address of the item.
    public let url: URL
    /// The schedule of advertisements, if any.
    public let adSchedule: (any AdSchedule)?
    public let preferredPeakBitRate: Double?
    /// The external subtitles, in the order of the track list.
    public let subtitles: [ExternalSubtitle]
    /// A random id, unique for each `MediaExternal`.
    public let sessionID: UUID

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - url: a local file, or an address with a scheme that the backend supports.
    ///   - adSchedule: the schedule of advertisements, if any.
    ///   - preferredPeakBitRate: the maximum bit rate, in bit/s. Values that are not finite or not above 0 mean no limit.
    ///   - subtitles: the external subtitles, in the order of the track list.
    public init(
        url: URL, adSchedule: (any AdSchedule)? = nil, preferredPeakBitRate: Double? = nil,
        subtitles: [ExternalSubtitle] = []
    ) {
        self.url = url
        self.adSchedule = adSchedule
        self.preferredPeakBitRate = PlayerItem.limit(preferredPeakBitRate)
        self.subtitles = subtitles
        sessionID = UUID()
    }

    public static func == (a: Self, b: Self) -> Bool { a.sessionID == b.sessionID }
    public func hash(into hasher: inout Hasher) { hasher.combine(sessionID) }
}

/// An item of an online video platform. The platform's config contains its address.
public struct MediaOVP: Media, Hashable {
    /// The platform's id of the item.
    public let mediaId: String
    /// The platform's id of the player configuration.
    public let playerId: String
    public let preferredPeakBitRate: Double?
    /// A random id, unique for each `MediaOVP`.
    public let sessionID: UUID

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - mediaId: the platform's id of the item.
    ///   - playerId: the platform's id of the player configuration.
    ///   - preferredPeakBitRate: the maximum bit rate, in bit/s. Values that are not finite or not above 0 mean no limit.
    public init(mediaId: String, playerId: String, preferredPeakBitRate: Double? = nil) {
        self.mediaId = mediaId
        self.playerId = playerId
        self.preferredPeakBitRate = PlayerItem.limit(preferredPeakBitRate)
        sessionID = UUID()
    }
}
