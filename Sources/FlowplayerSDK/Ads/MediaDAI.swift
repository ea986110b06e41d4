import Foundation
import Playback

/// A stream with advertisements that a server inserts (DAI).
public struct MediaDAI: Media, Hashable {
    /// The stream: a `DAIStreamVOD`, a `DAIStreamLive` or a `DAIStreamPodLive`.
    public let stream: any DAIStream
    public var preferredPeakBitRate: Double? {
        didSet { preferredPeakBitRate = PlayerItem.limit(preferredPeakBitRate) }
    }
    /// The retries after network failures.
    public var retryPolicy = RetryPolicy.standard
    /// The addresses that the stream, and the request for its session, may open.
    public var securityPolicy = MediaSecurityPolicy.standard
    /// A random id, unique for each `MediaDAI`.
    public let sessionID = UUID()

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - preferredPeakBitRate: the maximum bit rate, in bit/s. Values that are not finite or not above 0 mean no limit.
    public init(stream: any DAIStream, preferredPeakBitRate: Double? = nil) {
        self.stream = stream
        self.preferredPeakBitRate = PlayerItem.limit(preferredPeakBitRate)
    }

    public static func == (a: Self, b: Self) -> Bool { a.sessionID == b.sessionID }
    public func hash(into hasher: inout Hasher) { hasher.combine(sessionID) }
}

/// Starts a session on a server that inserts advertisements, and returns the address of the stream. Runs off the main actor. Cancelled if
/// another item is loaded.
public typealias DAISessionRequest = @Sendable () async throws(PlaybackError) -> URL

/// A stream on a server that inserts advertisements.
public protocol DAIStream: Sendable {
    /// The address that plays if the stream cannot be loaded, if any.
    var backupStream: URL? { get }
}

/// A video on demand.
public struct DAIStreamVOD: DAIStream, Hashable, Codable {
    /// The id of the collection.
    public let contentSourceID: String
    /// The id of the video in its collection.
    public let videoID: String
    /// The first position, in seconds, or `nil` for the beginning.
    public let bookmark: Double?
    public let backupStream: URL?

    /// Creates a stream. `bookmark` is in seconds.
    public init(contentSourceID: String, videoID: String, bookmark: Double? = nil, backupStream: URL? = nil) {
        self.contentSourceID = contentSourceID
        self.videoID = videoID
        self.bookmark = bookmark
        self.backupStream = backupStream
    }
}

/// A live stream.
public struct DAIStreamLive: DAIStream, Hashable, Codable {
    /// The key of the stream.
    public let assetKey: String
    public let backupStream: URL?

    /// Creates a stream.
    public init(assetKey: String, backupStream: URL? = nil) {
        self.assetKey = assetKey
        self.backupStream = backupStream
    }
}

/// A live stream whose playlist comes from elsewhere; the server only delivers the advertisements.
public struct DAIStreamPodLive: DAIStream, Hashable, Codable {
    /// The playlist of the stream.
    public struct StreamData: Hashable, Codable, Sendable {
        /// The address of the playlist.
        public let streamURL: URL

        /// Creates the data of a stream.
        public init(streamURL: URL) { self.streamURL = streamURL }
    }

    /// The code of the advertisement network.
    public let networkCode: String
    /// The playlist of the stream.
    public let streamData: StreamData
    /// The key of the event.
    public let customAssetKey: String
    /// The key of the interface, empty for none.
    public let apiKey: String
    public let backupStream: URL?

    /// Creates a stream.
    public init(
        networkCode: String, streamData: StreamData, customAssetKey: String, apiKey: String, backupStream: URL? = nil
    ) {
        self.networkCode = networkCode
        self.streamData = streamData
        self.customAssetKey = customAssetKey
        self.apiKey = apiKey
        self.backupStream = backupStream
    }
}
