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

    /// The difference between the times of segments and their places in the playlist.
    private struct Shift {
        /// The time to subtract, in seconds.
        let value: Double
        /// The last difference, in seconds. It drifts, because durations in playlists are rounded.
        var last: Double
    }

    /// The times of two periods that differ by less, in seconds, are continuous.
    private static let rounding = 0.5
    /// The times of MPEG-TS begin again after this time, in seconds.
    private static let wrap = Double(UInt64(1) << 33) / 90_000

    /// By the number of the segment, for each playlist.
    private var places: [URL: [Int: Place]] = [:]
    /// By the number of discontinuities before the segments.
    private var shifts: [Int: [Shift]] = [:]
    /// By how much the times are ahead of the playlist, in seconds.
    private var drift = 0.0
    /// The playlists whose numbers differ from those of the others, until their first segment shows their place.
    private var unplaced: Set<URL> = []
    /// The time at the start of the engine's time, in seconds; `nil` before the first segment.
    private var base: Double?
    /// In seconds.
    private var longestSegment = 0.0

    /// - Parameter isFromZero: `true` if the engine's time begins at 0. Otherwise it begins at the time of the first segment.
    init(isFromZero: Bool) { base = isFromZero ? 0 : nil }

    /// Takes a segment whose times the engine has received as they are. Without effect after the first segment.
    mutating func begin(at time: Double, in number: Int, of playlist: URL) {
        guard base == nil, let place = places[playlist]?[number] else { return }
        base = time - place.start
        shifts[place.period] = [Shift(value: 0, last: 0)]
    }

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
    private mutating func place(of segment: HLSSegment, in playlist: URL) -> Place {
        let known = places[playlist].map { [$0] } ?? Array(places.values)
        for list in known {
            if let place = list[segment.number] { return place }
            // The engine has missed segments.
            guard let last = list.keys.max(), last < segment.number, places[playlist] != nil else { continue }
            let missed = Double(segment.number - last) * longestSegment
            return Place(start: (list[last]?.start ?? 0) + missed, period: segment.period)
        }
        if !places.isEmpty { unplaced.insert(playlist) }
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
        // Times in MPEG-TS are not negative.
        let base = base ?? max(0, time - place.start)
        self.base = base
        let own = time - base - place.start
        if unplaced.remove(playlist) != nil, let known = shifts[place.period]?.last {
            move(playlist, by: own - known.last)
            return known.value
        }
        // Playlists of the same stream may begin with different segments.
        let tolerance = 2 * longestSegment + 1
        let shifts = shifts[place.period] ?? []
        let index = shifts.indices.min { distance(own, shifts[$0].last) < distance(own, shifts[$1].last) }
        let value: Double
        if let index, distance(own, shifts[index].last) <= tolerance {
            value = shifts[index].value
            self.shifts[place.period]?[index].last = own
        } else {
            value = shifts.isEmpty ? firstShift(own, tolerance) : own - drift
            self.shifts[place.period, default: []].append(Shift(value: value, last: own))
        }
        drift = (own - value).remainder(dividingBy: Self.wrap)
        return value
    }

    /// The shift of a period whose first segment has arrived.
    private func firstShift(_ own: Double, _ tolerance: Double) -> Double {
        let others = shifts.values.flatMap(\.self)
        guard let nearest = others.min(by: { distance(own, $0.last) < distance(own, $1.last) }) else {
            return abs(own) <= tolerance ? 0 : own
        }
        return distance(own, nearest.last) <= Self.rounding ? nearest.value : own - drift
    }

    /// Moves the places of a playlist's segments.
    private mutating func move(_ playlist: URL, by time: Double) {
        places[playlist] = places[playlist]?.mapValues { Place(start: $0.start + time, period: $0.period) }
    }

    /// The distance of two times, which may have begun again between them. In seconds.
    private func distance(_ one: Double, _ other: Double) -> Double {
        abs((one - other).remainder(dividingBy: Self.wrap))
    }
}

/// Moves the times in a segment, while it passes.
protocol SegmentClock: Sendable {
    /// Returns the next bytes with other times. May return fewer or more bytes than it receives.
    func pass(_ bytes: [UInt8]) -> [UInt8]

    /// Returns the bytes that are left at the end of the segment.
    func finish() -> [UInt8]
}
