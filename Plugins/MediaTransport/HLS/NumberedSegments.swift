import Foundation

/// The segments that an engine requests by their numbers.
///
/// The proxy sends each segment after its initialization, so that the playlist for the engine names none: engines request the first
/// initialization of a playlist only, and a stream may have others after a discontinuity.
struct NumberedSegments: Sendable {
    /// The number of segments that are kept after a live playlist has dropped them.
    static let kept = 100
    /// Segments of two variants that differ by more, in seconds, are other segments.
    private static let tolerance = 0.1
    /// The tags of a playlist that engines need.
    private static let tags = [
        "#EXTM3U", "#EXT-X-VERSION", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY",
        "#EXT-X-PLAYLIST-TYPE", "#EXT-X-PROGRAM-DATE-TIME", "#EXT-X-ENDLIST", "#EXTINF",
    ]

    /// By the address of the playlist.
    private var segments: [URL: [Int: HLSSegment]] = [:]
    /// The initializations that were read.
    var initializations: [HLSSegment.Part: [UInt8]] = [:]

    /// Keeps the segments of a playlist, and the initializations that they need. The engine may request those that a live playlist has
    /// just dropped.
    mutating func add(_ list: [HLSSegment], of playlist: URL) {
        let first = (list.first?.number ?? 0) - Self.kept
        segments[playlist] = (segments[playlist] ?? [:]).filter { $0.key >= first }
            .merging(list.map { ($0.number, $0) }) { $1 }
        let maps = Set(segments.values.flatMap(\.values).compactMap(\.map))
        initializations = initializations.filter { maps.contains($0.key) }
    }

    subscript(_ number: Int, _ playlist: URL) -> HLSSegment? { segments[playlist]?[number] }

    /// Returns the segment of another variant with the same content; `nil` without one.
    func counterpart(of own: HLSSegment, in playlist: URL) -> HLSSegment? {
        guard let other = segments[playlist]?[own.number], !other.isEncrypted,
            (own.map == nil) == (other.map == nil), abs(own.duration - other.duration) <= Self.tolerance
        else { return nil }
        return other
    }

    /// Returns a playlist for the engine. A discontinuity without another initialization is left out: the times are continuous, and
    /// libVLC would replace its demuxer.
    ///
    /// - Parameters:
    ///   - dropsDiscontinuities: `true` to leave out all discontinuities. At one, GStreamer's demuxer ignores an initialization.
    ///   - address: returns the address of a segment by its number.
    static func playlist(
        _ text: String, _ list: [HLSSegment], dropsDiscontinuities: Bool, address: (Int) -> URL
    ) -> String {
        var rest = list[...]
        var last: HLSSegment?
        let lines = text.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            let line = line.trimmingCharacters(in: .whitespaces)
            guard line.hasPrefix("#") else {
                if !line.isEmpty { last = rest.popFirst() }
                return line.isEmpty ? nil : last.map { address($0.number).absoluteString }
            }
            let isDropped = dropsDiscontinuities || rest.first?.hasInitialization(of: last) == true
            if line == "#EXT-X-DISCONTINUITY", isDropped { return nil }
            return tags.contains(where: line.hasPrefix) ? line : nil
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension HLSSegment {
    /// `true` if it needs the same file, also in another period of DASH.
    fileprivate func hasInitialization(of other: HLSSegment?) -> Bool {
        guard let map, let other = other?.map else { return false }
        return map.url.withoutFragment == other.url.withoutFragment && map.start == other.start
    }
}
