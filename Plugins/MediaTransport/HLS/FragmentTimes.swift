import Foundation

/// The times of the segments of an HLS stream in fragmented mp4, for an engine that needs continuous times.
///
/// The times in the segments may begin anywhere, and jump at a discontinuity. All tracks of a stream have the same shift, because
/// their times belong together.
struct FragmentTimes {
    /// A segment of a playlist.
    struct Fragment {
        /// In the engine's time, in seconds.
        let start: Double
        let map: HLSSegment.Part
    }

    /// Segments that a live playlist has dropped are kept so long, in seconds.
    private static let kept = 60.0

    private var fragments: [HLSSegment.Part: Fragment] = [:]
    /// The start of each segment by its number, for each playlist.
    private var starts: [URL: [Int: Double]] = [:]
    /// The times to subtract, in seconds.
    private var shifts: [Double]
    /// The time at the start of the engine's time, in seconds; `nil` before the first segment.
    private var base: Double?
    /// In seconds.
    private var longestSegment = 0.0

    /// - Parameter isFromZero: `true` if the engine's time begins at 0. Otherwise it begins at the time of the first segment.
    init(isFromZero: Bool) {
        base = isFromZero ? 0 : nil
        shifts = [0]
    }

    /// Takes the segments of a version of a playlist.
    mutating func add(_ segments: [HLSSegment], of playlist: URL) {
        guard let first = segments.first else { return }
        var start = self.start(of: first, in: playlist)
        starts[playlist] = [:]
        fragments = fragments.filter { $0.value.start >= start - Self.kept }
        for segment in segments {
            starts[playlist]?[segment.number] = start
            longestSegment = max(longestSegment, segment.duration)
            if let map = segment.map, !segment.isEncrypted {
                fragments[segment.part.beginning] = Fragment(start: start, map: map.beginning)
            }
            start += segment.duration
        }
    }

    /// The playlist's first version begins at 0, or where another playlist of the stream has the same number.
    private func start(of segment: HLSSegment, in playlist: URL) -> Double {
        let known = starts[playlist].map { [$0] } ?? Array(starts.values)
        for list in known {
            if let start = list[segment.number] { return start }
            // The engine has missed segments.
            guard let last = list.keys.max(), last < segment.number, starts[playlist] != nil else { continue }
            return (list[last] ?? 0) + Double(segment.number - last) * longestSegment
        }
        return 0
    }

    /// - Returns: `nil` if the part is no segment in fragmented mp4.
    func fragment(_ part: HLSSegment.Part) -> Fragment? { fragments[part.beginning] }

    /// `true` if the part is the initialization of a segment.
    func isMap(_ part: HLSSegment.Part) -> Bool { fragments.values.contains { $0.map == part.beginning } }

    /// The time to subtract from the times in a segment.
    ///
    /// - Parameters:
    ///   - time: a time in the segment, in seconds.
    ///   - start: the start of the segment in the engine's time.
    mutating func shift(of time: Double, startingAt start: Double) -> Double {
        let base = base ?? time - start
        self.base = base
        func distance(_ shift: Double) -> Double { abs(time - shift - base - start) }
        // Playlists of the same stream may begin with different segments.
        if let known = shifts.min(by: { distance($0) < distance($1) }), distance(known) <= 2 * longestSegment + 1 {
            return known
        }
        shifts.append(time - base - start)
        return time - base - start
    }
}
