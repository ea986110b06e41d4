import Foundation

/// The initializations of segments in fragmented mp4, for streams that have several: after a discontinuity, or in each period of DASH.
///
/// Engines request the first one of a playlist only. So the proxy sends another one before the first segment that needs it.
struct HLSInitializations {
    /// The playlist of a rendition; `nil` for all variants, because the engine plays one of them at a time.
    typealias Track = URL?

    private struct Use {
        let map: HLSSegment.Part
        let track: Track
        let number: Int
    }

    /// The number of segments that are kept after a live playlist has dropped them.
    private static let kept = 100

    /// By the beginning of the segment.
    private var uses: [HLSSegment.Part: Use] = [:]
    /// What the engine has received last.
    private var last: [Track: HLSSegment.Part] = [:]
    /// `true` if a playlist has several, and no encrypted segments.
    private(set) var areSeveral = false

    /// Takes the segments of a playlist.
    mutating func add(_ segments: [HLSSegment], of track: Track) {
        guard let first = segments.first?.number else { return }
        uses = uses.filter { $0.value.track != track || $0.value.number >= first - Self.kept }
        // An engine would decrypt the initialization with the segment.
        guard !segments.contains(where: \.isEncrypted) else { return }
        areSeveral = areSeveral || Set(segments.compactMap(\.map)).count > 1
        for segment in segments {
            guard let map = segment.map else { continue }
            uses[segment.part.beginning] = Use(map: map, track: track, number: segment.number)
        }
    }

    /// The initialization that the engine needs before a segment; `nil` if it has it.
    func missing(before part: HLSSegment.Part) -> HLSSegment.Part? {
        guard areSeveral, let use = uses[part.beginning], last[use.track] != use.map.beginning else { return nil }
        return use.map
    }

    /// The engine has received a segment or an initialization.
    mutating func received(_ part: HLSSegment.Part) {
        if let use = uses[part.beginning] {
            last[use.track] = use.map.beginning
        } else if let use = uses.values.first(where: { $0.map.beginning == part.beginning }) {
            last[use.track] = part.beginning
        }
    }

    /// The engine drops what it has received, because it seeks.
    mutating func drop() { last = [:] }
}
