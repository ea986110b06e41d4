import Foundation

/// A medium at an address.
///
/// Two are equal if they are the same one: by session, address, limit and subtitles. The schedule of advertisements
/// is not compared.
public struct MediaExternal: Media, Hashable {
    /// Where the medium is.
    public let url: URL
    /// Which advertisements are shown with it; `nil` for none.
    public let adSchedule: (any AdSchedule)?
    public let preferredPeakBitRate: Double?
    /// Subtitles that are not in the medium itself, in the order in which they are offered.
    public let subtitles: [ExternalSubtitle]
    /// Random, and new for each `MediaExternal` that is made.
    public let sessionID: UUID

    /// - Parameters:
    ///   - url: a local file or an address with a scheme that the backend plays.
    ///   - adSchedule: which advertisements are shown with it; `nil` for none.
    ///   - preferredPeakBitRate: in bit/s; 0 and less, and what is not finite, mean no limit.
    ///   - subtitles: texts that are not in the medium itself, in the order in which they are offered.
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

    public static func == (a: Self, b: Self) -> Bool {
        a.sessionID == b.sessionID && a.url == b.url && a.preferredPeakBitRate == b.preferredPeakBitRate
            && a.subtitles == b.subtitles
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(sessionID)
        hasher.combine(url)
        hasher.combine(preferredPeakBitRate)
        hasher.combine(subtitles)
    }
}
