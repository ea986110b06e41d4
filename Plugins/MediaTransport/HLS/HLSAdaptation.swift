import Foundation
import Playback

/// Chooses the variant of each segment for an engine that receives the playlist of one variant only.
///
/// The proxy names the segments by their numbers. It answers a request with the segment of that number of any variant, after its
/// initialization, so that the engine needs no other playlist.
struct HLSAdaptation: Sendable {
    /// The part of the measured bit rate that a variant may need.
    private static let share = 0.8
    /// The bytes after which a bit rate is measured.
    private static let sample = 16 << 10

    /// The variants to choose from, the lowest bit rate first.
    private let variants: [HLSPlaylist.Variant]
    /// `true` after the engine has received the playlist of a variant.
    private(set) var hasBegun = false
    /// In bits per second; `nil` before the first measurement.
    private var bitRate: Double?
    private var measured = TransferMeter.Totals()

    /// - Parameter variants: those within the limits of the item. Those with other codecs than the best are left out.
    init(_ variants: [HLSPlaylist.Variant]) {
        let ascending = variants.ascending
        func families(_ variant: HLSPlaylist.Variant) -> Set<Substring> { Set(variant.codecs.map { $0.prefix(4) }) }
        self.variants = ascending.filter { families($0) == ascending.last.map(families) && !$0.isAudioOnly }
    }

    /// The engine receives the playlist of a variant.
    ///
    /// - Returns: `false` if its segments cannot be replaced.
    mutating func begin(_ variant: URL) -> Bool {
        guard variants.count > 1, variants.contains(where: { $0.url == variant }) else { return false }
        hasBegun = true
        return true
    }

    /// Chooses the best variant that arrives in time, or the lowest one.
    mutating func choose(_ totals: TransferMeter.Totals) -> HLSPlaylist.Variant? {
        if let rate = totals.bitRate(since: measured), totals.bytes - measured.bytes >= Self.sample {
            measured = totals
            // A slower network is taken at once, a faster one in steps.
            bitRate = bitRate.map { rate < $0 ? rate : ($0 + rate) / 2 } ?? rate
        }
        return variants.last { $0.bandwidth <= Self.share * (bitRate ?? 0) } ?? variants.first
    }
}
