import Foundation

/// A medium that an online video platform knows by an id. Its address and the rest come with the platform's config.
public struct MediaOVP: Media, Hashable {
    /// The platform's id of the medium.
    public let mediaId: String
    /// The platform's id of the player that it is configured for.
    public let playerId: String
    public let preferredPeakBitRate: Double?
    /// Random, and new for each `MediaOVP` that is made.
    public let sessionID: UUID

    /// - Parameters:
    ///   - mediaId: the platform's id of the medium.
    ///   - playerId: the platform's id of the player that it is configured for.
    ///   - preferredPeakBitRate: in bit/s; 0 and less, and what is not finite, mean no limit.
    public init(mediaId: String, playerId: String, preferredPeakBitRate: Double? = nil) {
        self.mediaId = mediaId
        self.playerId = playerId
        self.preferredPeakBitRate = PlayerItem.limit(preferredPeakBitRate)
        sessionID = UUID()
    }
}
