import Foundation
import Playback

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
    public var preferredPeakBitRate: Double? {
        didSet { preferredPeakBitRate = PlayerItem.limit(preferredPeakBitRate) }
    }
    /// The largest size of the video, in pixels; see `PlayerItem.maximumResolution`.
    public var maximumResolution: VideoSize?
    /// The external subtitles, in the order of the track list.
    public var subtitles: [ExternalSubtitle]
    /// The position at which the item starts, in seconds. Negative values mean 0.
    public var startPosition = 0.0
    /// Metadata from the host. They override the item's own.
    public var metadata = MediaMetadata()
    /// The HTTP header fields of the item's requests; see `PlayerItem.httpHeaders`.
    public var httpHeaders: [String: String] = [:]
    /// The `User-Agent` of the item's requests; see `PlayerItem.userAgent`.
    public var userAgent: String?
    /// Addresses whose origins receive the headers too; see `PlayerItem.httpHeaderOrigins`.
    public var httpHeaderOrigins: [URL] = []
    /// The retries after network failures.
    public var retryPolicy = RetryPolicy.standard
    /// The addresses that the item may open.
    public var securityPolicy = MediaSecurityPolicy.standard
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
    public var preferredPeakBitRate: Double? {
        didSet { preferredPeakBitRate = PlayerItem.limit(preferredPeakBitRate) }
    }
    /// The largest size of the video, in pixels; see `PlayerItem.maximumResolution`.
    public var maximumResolution: VideoSize?
    /// The position at which the item starts, in seconds. Negative values mean 0.
    public var startPosition = 0.0
    /// Metadata from the host. They override those of the platform.
    public var metadata = MediaMetadata()
    /// The HTTP header fields of the item's requests; see `PlayerItem.httpHeaders`. The item's address is the one that the
    /// platform returns. The platform itself does not receive them.
    public var httpHeaders: [String: String] = [:]
    /// The `User-Agent` of the item's requests; see `PlayerItem.userAgent`.
    public var userAgent: String?
    /// Addresses whose origins receive the headers too; see `PlayerItem.httpHeaderOrigins`.
    public var httpHeaderOrigins: [URL] = []
    /// The retries after network failures.
    public var retryPolicy = RetryPolicy.standard
    /// The addresses that the item may open.
    public var securityPolicy = MediaSecurityPolicy.standard
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

extension MediaExternal: CustomReflectable {
    /// The item for logs: headers and the query of an address may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["url": PlayerItem(url: url)], displayStyle: .struct) }
}

extension MediaOVP: CustomReflectable {
    /// The item for logs: headers may be secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["mediaId": mediaId, "playerId": playerId], displayStyle: .struct)
    }
}
