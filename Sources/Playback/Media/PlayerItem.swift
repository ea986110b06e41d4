import Foundation

/// An address to play, and its settings.
public struct PlayerItem: Codable, Hashable, Sendable, Identifiable {
    /// New for each item that is made: the same address twice is two items.
    public let id: UUID
    /// The address of the item.
    public var url: URL
    /// External subtitles. They are listed after the item's own subtitles.
    public var subtitles: [ExternalSubtitle]
    /// The limit of the bit rate, in bits a second; `nil` for none. Among several variants, the player chooses none
    /// above it. If all are above it, the player chooses the smallest.
    public let preferredPeakBitRate: Double?
    /// Metadata from the host. They override the item's own.
    public var metadata: MediaMetadata
    /// `true` if this is an advertisement: `playbackState` is `ads` while it plays, and it resumes after the
    /// background.
    public var isAdvertisement: Bool
    /// Where a queue begins with it, in seconds.
    public var startPosition: Double
    /// The retries after network failures.
    public var retryPolicy = RetryPolicy.standard
    /// The addresses that the item may open.
    public var securityPolicy = MediaSecurityPolicy.standard

    /// - Parameters:
    ///   - url: a local file or an address with a scheme that the backend plays.
    ///   - subtitles: external subtitles.
    ///   - preferredPeakBitRate: in bits a second. A value that is not a positive number means no limit.
    ///   - metadata: metadata from the host.
    ///   - isAdvertisement: `true` if this is an advertisement.
    ///   - startPosition: the position at which a queue starts the item, in seconds.
    public init(
        url: URL, subtitles: [ExternalSubtitle] = [], preferredPeakBitRate: Double? = nil,
        metadata: MediaMetadata = MediaMetadata(),
        isAdvertisement: Bool = false, startPosition: Double = 0
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
