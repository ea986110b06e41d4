import Foundation

/// A stream into which a server inserts advertisements.
public struct MediaDAI: Media, Hashable {
    /// Which stream.
    public let stream: DAIStream
    /// What plays if the stream cannot be had; `nil` for nothing.
    public let fallbackURL: URL?
    public let preferredPeakBitRate: Double?
    /// Random, and new for each `MediaDAI` that is made.
    public let sessionID: UUID

    /// - Parameters:
    ///   - stream: which stream.
    ///   - fallbackURL: what plays if the stream cannot be had; `nil` for nothing.
    ///   - preferredPeakBitRate: in bit/s; 0 and less, and what is not finite, mean no limit.
    public init(stream: DAIStream, fallbackURL: URL? = nil, preferredPeakBitRate: Double? = nil) {
        self.stream = stream
        self.fallbackURL = fallbackURL
        self.preferredPeakBitRate = PlayerItem.limit(preferredPeakBitRate)
        sessionID = UUID()
    }
}
