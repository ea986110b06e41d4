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
    /// The number of segments that are kept after a live playlist has dropped them.
    private static let kept = 100
    /// Segments of variants that differ by more, in seconds, are other segments.
    private static let tolerance = 0.1

    /// The variants to choose from, the lowest bit rate first.
    private let variants: [HLSPlaylist.Variant]
    /// The variant whose playlist the engine receives; `nil` before the first one.
    private(set) var main: URL?
    private var segments: [URL: [Int: HLSSegment]] = [:]
    /// The initializations that were read.
    var initializations: [HLSSegment.Part: [UInt8]] = [:]
    /// In bits per second; `nil` before the first measurement.
    private var bitRate: Double?
    private var measured = TransferMeter.Totals()

    /// - Parameter variants: those within the limits of the item. Those with other codecs than the best are left out.
    init(_ variants: [HLSPlaylist.Variant]) {
        let ascending = variants.ascending
        func families(_ variant: HLSPlaylist.Variant) -> Set<Substring> { Set(variant.codecs.map { $0.prefix(4) }) }
        self.variants = ascending.filter { families($0) == ascending.last.map(families) && !$0.isAudioOnly }
    }

    // MARK: Playlists

    /// Keeps the segments of a variant, and the initializations that they need. The engine may request those that a live playlist
    /// has just dropped.
    mutating func note(_ list: [HLSSegment], of variant: URL) {
        let first = (list.first?.number ?? 0) - Self.kept
        segments[variant] = (segments[variant] ?? [:]).filter { $0.key >= first }
            .merging(list.map { ($0.number, $0) }) { $1 }
        let maps = Set(segments.values.flatMap(\.values).compactMap(\.map))
        initializations = initializations.filter { maps.contains($0.key) }
    }

    /// Returns the playlist for the engine; `nil` if its segments cannot be replaced.
    ///
    /// - Parameter address: returns the address of a segment by its number.
    mutating func playlist(_ text: String, _ list: [HLSSegment], of variant: URL, address: (Int) -> URL) -> String? {
        guard variants.count > 1, variants.contains(where: { $0.url == variant }), !list.isEmpty,
            !list.contains(where: \.isEncrypted)
        else { return nil }
        main = variant
        note(list, of: variant)
        let tags = [
            "#EXTM3U", "#EXT-X-VERSION", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY",
            "#EXT-X-PLAYLIST-TYPE", "#EXT-X-ENDLIST", "#EXTINF",
        ]
        var numbers = list.map(\.number)[...]
        let lines = text.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("#") { return tags.contains(where: line.hasPrefix) ? line : nil }
            return line.isEmpty ? nil : numbers.popFirst().map { address($0).absoluteString }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Segments

    /// The segment of the playlist that the engine has; `nil` for a number that is not in it.
    func mainSegment(_ number: Int) -> HLSSegment? { main.flatMap { segments[$0]?[number] } }

    /// The segment of a variant with the same content as that of the engine's playlist; `nil` without one.
    func segment(_ number: Int, of variant: HLSPlaylist.Variant) -> HLSSegment? {
        guard let own = mainSegment(number), let other = segments[variant.url]?[number], !other.isEncrypted,
            (own.map == nil) == (other.map == nil), abs(own.duration - other.duration) <= Self.tolerance
        else { return nil }
        return other
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
