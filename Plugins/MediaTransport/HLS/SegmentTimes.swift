import Foundation

/// The times of the segments of an HLS stream, for an engine that needs continuous times.
///
/// The times in the segments may begin anywhere, and jump at a discontinuity. All tracks of a period have the same shift, because
/// their times belong together.
struct SegmentTimes {
    /// The place of a segment in a stream.
    private struct Place {
        /// In the engine's time, in seconds.
        let start: Double
        /// The number of discontinuities before it, counted from those of the first playlist.
        let period: Int
    }

    /// The times of two periods that differ by less, in seconds, are continuous.
    private static let rounding = 0.5

    /// By the number of the segment, for each playlist.
    private var places: [URL: [Int: Place]] = [:]
    /// The times to subtract in each period, in seconds.
    private var shifts: [Int: [Double]] = [:]
    /// The time at the start of the engine's time, in seconds; `nil` before the first segment.
    private var base: Double?
    /// In seconds.
    private var longestSegment = 0.0

    /// - Parameter isFromZero: `true` if the engine's time begins at 0. Otherwise it begins at the time of the first segment.
    init(isFromZero: Bool) { base = isFromZero ? 0 : nil }

    /// `true` after the first segment.
    var hasBegun: Bool { !shifts.isEmpty }

    /// Takes the segments of a version of a playlist.
    mutating func add(_ segments: [HLSSegment], of playlist: URL) {
        guard let first = segments.first else { return }
        let place = place(of: first, in: playlist)
        // A server may not count the discontinuities that have left the playlist.
        let dropped = place.period - first.period
        var list = (places[playlist] ?? [:]).filter { $0.key >= first.number - NumberedSegments.kept }
        var start = place.start
        for segment in segments {
            list[segment.number] = Place(start: start, period: segment.period + dropped)
            longestSegment = max(longestSegment, segment.duration)
            start += segment.duration
        }
        places[playlist] = list
    }

    /// The playlist's first version begins at 0, or where another playlist of the stream has the same number.
    private func place(of segment: HLSSegment, in playlist: URL) -> Place {
        let known = places[playlist].map { [$0] } ?? Array(places.values)
        for list in known {
            if let place = list[segment.number] { return place }
            // The engine has missed segments.
            guard let last = list.keys.max(), last < segment.number, places[playlist] != nil else { continue }
            let missed = Double(segment.number - last) * longestSegment
            return Place(start: (list[last]?.start ?? 0) + missed, period: segment.period)
        }
        return Place(start: 0, period: segment.period)
    }

    /// The start of a segment in the engine's time, in seconds; `nil` for an unknown one.
    func start(of number: Int, in playlist: URL) -> Double? { places[playlist]?[number]?.start }

    /// Returns the time to subtract from the times in a segment, in seconds.
    ///
    /// - Parameters:
    ///   - time: a time in the segment, in seconds.
    ///   - number: the number of the segment.
    mutating func shift(of time: Double, in number: Int, of playlist: URL) -> Double {
        guard let place = places[playlist]?[number] else { return 0 }
        let base = base ?? time - place.start
        self.base = base
        let own = time - base - place.start
        func nearest(_ shifts: [Double], within limit: Double) -> Double? {
            shifts.filter { abs($0 - own) <= limit }.min { abs($0 - own) < abs($1 - own) }
        }
        // Playlists of the same stream may begin with different segments.
        let tolerance = 2 * longestSegment + 1
        let shift =
            if let known = shifts[place.period] {
                nearest(known, within: tolerance)
            } else if shifts.isEmpty {
                nearest([0], within: tolerance)
            } else {
                nearest(shifts.values.flatMap(\.self), within: Self.rounding)
            }
        let chosen = shift ?? own
        if shifts[place.period]?.contains(chosen) != true { shifts[place.period, default: []].append(chosen) }
        return chosen
    }
}

/// Moves the times in a segment, while it passes.
protocol SegmentClock: Sendable {
    /// Returns the next bytes with other times. May return fewer or more bytes than it receives.
    func pass(_ bytes: [UInt8]) -> [UInt8]

    /// Returns the bytes that are left at the end of the segment.
    func finish() -> [UInt8]
}
