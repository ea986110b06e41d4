import Foundation
import Playback

/// A break that a server has inserted into a stream. Times are in seconds.
struct StreamBreak: Codable, Hashable, Sendable {
    /// The position of its start.
    var start: Double
    /// The position of its end; `nil` if it is not known yet.
    var end: Double?
    /// The positions at which its advertisements start, in order. The first one starts with the break.
    var ads: [Double]

    /// Returns `true` if the position is in the break.
    func contains(_ position: Double) -> Bool { position >= start && position < end ?? start + Self.longest }

    /// The longest break whose end is not known, so that a mark that is missing does not lock a stream.
    static let longest = 600.0
    /// Marks that are so close to each other, in seconds, mean the same position.
    static let tolerance = 0.5
    /// The largest number of advertisements of a break.
    private static let mostAds = 100
    /// The largest number of starts and ends of parts.
    private static let mostEdges = 1000
}

extension StreamBreak {
    /// Returns the breaks that the marks of a stream describe, in order.
    ///
    /// | mark | meaning |
    /// |---|---|
    /// | `EXT-X-CUE-OUT`, `EXT-X-CUE-IN` | the start and the end |
    /// | a mark with `SCTE35-OUT`, and the duration of its range | the start and the end |
    /// | another mark with a message of SCTE 35 | `splice_insert`, or a segmentation of an advertisement, a break or an opportunity |
    ///
    /// Parts that overlap or follow each other directly are one break. Each part is one advertisement, and so is the whole break if the
    /// parts are not marked.
    ///
    /// - Parameter named: breaks that are known otherwise. They replace those that overlap them.
    static func breaks(_ markers: [StreamMarker], replacedBy named: [StreamBreak]) -> [StreamBreak] {
        let others = breaks(markers).filter { other in !named.contains { $0.overlaps(other) } }
        return (named + others).sorted { $0.start < $1.start }
    }

    private func overlaps(_ other: StreamBreak) -> Bool {
        let ends = [self, other].map { $0.end ?? $0.start + Self.longest }
        return start < ends[1] && other.start < ends[0]
    }

    static func breaks(_ markers: [StreamMarker]) -> [StreamBreak] {
        let all = markers.flatMap { Edge.edges(of: $0) }.sorted { $0.position < $1.position }.suffix(mostEdges)
        // An event cannot be cancelled after it has begun.
        let cancelled = Dictionary(
            all.filter { $0.kind == .cancellation }.map { ($0.event, $0.position) }, uniquingKeysWith: min)
        let edges = all.filter { edge in cancelled[edge.event].map { edge.position < $0 } ?? true }
        var breaks: [StreamBreak] = []
        for index in edges.indices where edges[index].kind == .start {
            let start = edges[index].position
            let end = edges[index].end(before: edges[(index + 1)...])
            if let end, end <= start { continue }
            if let last = breaks.last, start <= (last.end ?? last.start + longest) + tolerance {
                breaks[breaks.count - 1].add(start, end)
            } else {
                breaks.append(StreamBreak(start: start, end: end, ads: [start]))
            }
        }
        return breaks
    }

    private mutating func add(_ start: Double, _ partEnd: Double?) {
        let isNew = ads.last.map { start - $0 > Self.tolerance } ?? true
        if isNew, ads.count < Self.mostAds { ads.append(start) }
        guard let known = end else { return }
        // A part of unknown length may be in the break, or continue it.
        let isInside = start < known
        end = partEnd.map { max(known, $0) } ?? (isInside ? known : nil)
    }

    /// The start or the end of a part of a break, or the mark that there is no such part.
    private struct Edge {
        enum Kind {
            case start, end, cancellation
        }

        let kind: Kind
        let position: Double
        /// Equal for the start and the end of one part; `nil` for cues, whose end is the next one.
        var id: String?
        /// The event of SCTE 35, by which it may be cancelled.
        var event: String?
        var duration: Double?

        static func edges(of marker: StreamMarker) -> [Edge] {
            switch marker.kind {
            case .cueOut: return [Edge(kind: .start, position: marker.start, duration: duration(of: marker))]
            case .cueIn: return [Edge(kind: .end, position: marker.start)]
            case .dateRange where marker.attributes["SCTE35-OUT"] != nil:
                return [Edge(kind: .start, position: marker.start, id: marker.id, duration: duration(of: marker))]
            case .dateRange, .event: return signals(of: marker)
            }
        }

        /// The duration of the mark, or else that of its message.
        private static func duration(of marker: StreamMarker) -> Double? {
            if let duration = marker.duration { return duration > 0 ? duration : nil }
            guard let info = marker.message.flatMap({ SpliceInfo($0) }) else { return nil }
            if case .insert(let insert) = info.command { return insert.duration }
            return info.segmentations.lazy.compactMap { $0.duration }.max()
        }

        private static func signals(of marker: StreamMarker) -> [Edge] {
            guard let info = marker.message.flatMap({ SpliceInfo($0) }) else { return [] }
            var edges: [Edge] = []
            if case .insert(let insert) = info.command {
                let event = "insert \(insert.eventID)"
                edges.append(
                    Edge(
                        kind: insert.isCancelled ? .cancellation : insert.isOut ? .start : .end,
                        position: marker.start, id: event, event: event, duration: marker.duration ?? insert.duration))
            }
            for segmentation in info.segmentations {
                let event = "segmentation \(segmentation.eventID)"
                if segmentation.isCancelled {
                    edges.append(Edge(kind: .cancellation, position: marker.start, event: event))
                }
                guard let kind = starts.firstIndex(where: { $0 == segmentation.type & 0xFE }) else { continue }
                edges.append(
                    Edge(
                        kind: segmentation.type & 1 == 0 ? .start : .end, position: marker.start,
                        id: "\(kind) \(segmentation.eventID) \(segmentation.number)", event: event,
                        duration: segmentation.duration ?? marker.duration))
            }
            return edges
        }

        /// The types of segments that are breaks or advertisements. The type of an end is one higher. Source: SCTE 35, table 23.
        private static let starts: [UInt8] = [0x22, 0x30, 0x32, 0x34, 0x36, 0x3C, 0x3E, 0x44, 0x46]

        /// The end of the part, which a later mark may correct; `nil` if it is not known.
        func end(before later: ArraySlice<Edge>) -> Double? {
            let next = later.first { $0.id == id && ($0.position > position || $0.kind == .end) }
            if let next, next.kind == .end { return next.position }
            return duration.map { position + $0 }
        }
    }
}
