import Foundation

/// What a player plays: an address, and what belongs to it.
public struct PlayerItem: Codable, Hashable, Sendable, Identifiable {
    /// New for each item that is made: the same address twice is two items.
    public let id: UUID
    /// Where the medium is.
    public var url: URL
    /// Texts that lie beside the medium. They are listed among its subtitles, after those of the medium itself.
    public var subtitles: [ExternalSubtitle]
    /// Of several variants, none is chosen that needs more bits a second; if all do, the smallest. `nil`: no limit.
    public let preferredPeakBitRate: Double?
    /// What is known about the medium beforehand; it counts for more than what the medium says of itself.
    public var metadata: MediaMetadata
    /// Whether this is an advertisement: `playbackState` is `ads` while it plays, and it resumes after the background.
    public var isAdvertisement: Bool
    /// Where a queue begins with it, in seconds.
    public var startPosition: Double
    /// What is done where the network fails.
    public var retryPolicy = RetryPolicy.standard
    /// What the medium may reach.
    public var securityPolicy = MediaSecurityPolicy.standard

    /// - Parameters:
    ///   - url: a local file or an address with a scheme that the backend plays.
    ///   - subtitles: texts that lie beside the medium.
    ///   - preferredPeakBitRate: in bits a second. What is not a positive number means no limit.
    ///   - metadata: what is known about the medium beforehand.
    ///   - isAdvertisement: whether this is an advertisement.
    ///   - startPosition: where a queue begins with it, in seconds.
    public init(
        url: URL, subtitles: [ExternalSubtitle] = [], preferredPeakBitRate: Double? = nil,
        metadata: MediaMetadata = MediaMetadata(), isAdvertisement: Bool = false,
        startPosition: Double = 0
    ) {
        id = UUID()
        self.url = url
        self.subtitles = subtitles
        self.preferredPeakBitRate = Self.limit(preferredPeakBitRate)
        self.metadata = metadata
        self.isAdvertisement = isAdvertisement
        self.startPosition = startPosition.isFinite ? max(0, startPosition) : 0
    }

    /// A limit of the bit rate as it is kept: what limits nothing is none.
    package static func limit(_ bitRate: Double?) -> Double? {
        bitRate.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}
