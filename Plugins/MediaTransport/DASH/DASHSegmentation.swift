import Foundation
import Playback

/// A segment of a representation.
struct DASHSegment: Equatable, Sendable {
    /// On the timeline of the presentation, in seconds.
    let start: Double
    /// In seconds.
    let duration: Double
    let url: URL
    var range: ByteRange?
}

/// The addresses and times of the segments of a representation.
struct DASHSegmentation: Sendable {
    /// The part of a file with the index of its segments (`sidx`).
    struct Index: Hashable, Sendable {
        let url: URL
        let first: UInt64
        let last: UInt64

        var range: ByteRange { ByteRange(first: first, last: last) }
    }

    private enum Form {
        /// Numbers and times replace parts of the address.
        case template(String)
        /// The addresses as they are in the manifest, because resolved ones take more memory.
        case list([(address: String?, range: ByteRange?)])
        /// The segments are parts of one file.
        case file(Index)
    }

    /// An entry of a timeline. In units of the time scale.
    private struct Run {
        let start: Int?
        let duration: Int
        /// -1 for repetitions up to the next entry.
        let repetitions: Int
    }

    /// The limits of the segments of a period. In units of the time scale.
    private struct Limits {
        /// The end of the period; `nil` if it has none yet.
        let end: Int?
        /// The time of a live stream up to which segments are available.
        let available: Int?
        /// The length of a live stream's window.
        let window: Int?
    }

    private struct Entry {
        let number: Int
        let time: Int
        let duration: Int
    }

    /// The error of a product of seconds, in units of the time scale.
    private static let rounding = 1e-3
    /// The latest time of a segment, in units of the time scale.
    private static let latest = 1 << 60
    /// The largest number of segments of a representation.
    static let mostSegments = 50_000
    /// The size of the addresses in a playlist, in bytes.
    static let mostAddressBytes = 32 << 20
    /// The largest number of segments of a live stream whose window has no end. They are the latest ones.
    private static let mostLiveSegments = 10_000
    /// The part of a file in which the index is, if the manifest does not say where. In bytes.
    private static let indexLimit: UInt64 = 1 << 20

    /// The end of a period up to which there may be no segment, because the duration of a manifest is rounded. In seconds.
    private static let longestRemainder = 0.1

    private let base: URL
    private let id: String
    private let bandwidth: Int
    private let form: Form
    private let scale: Double
    private let timeOffset: Int
    private let startNumber: Int
    private let duration: Int?
    private let runs: [Run]?
    /// The data that a decoder needs before the first segment; `nil` if the segments contain them.
    let initialization: (url: URL, range: ByteRange?)?

    /// `true` if the manifest lists the segments, and grows.
    var isListed: Bool {
        guard let runs else { return false }
        return runs.last?.repetitions != -1
    }

    /// The number of entries that were read from the manifest.
    var entryCount: Int {
        let listed = if case .list(let list) = form { list.count } else { 0 }
        return listed + (runs?.count ?? 0)
    }

    /// - Parameter elements: the period, the set and the representation.
    init(_ elements: [MarkupElement], id: String, bandwidth: Int, base: URL) throws(DASHManifest.Problem) {
        (self.base, self.id, self.bandwidth) = (base, id, bandwidth)
        let names = ["SegmentTemplate", "SegmentList", "SegmentBase"]
        let name = elements.reversed().lazy.compactMap { element in names.first { element.first($0) != nil } }.first
        // The representation comes first: what it says counts.
        let levels = elements.reversed().compactMap { $0.first(name ?? "") }
        func number(_ name: String, limit: Int = DASHManifest.largestNumber) throws(DASHManifest.Problem) -> Int? {
            try levels.first { $0[name] != nil }.flatMap { element throws(DASHManifest.Problem) in
                try DASHManifest.number(name, of: element, limit: limit)
            }
        }
        func child(_ name: String) -> MarkupElement? { levels.lazy.compactMap { $0.first(name) }.first }
        let scale = try number("timescale") ?? 1
        guard scale > 0 else { throw .damaged("timescale is 0") }
        self.scale = Double(scale)
        timeOffset = try number("presentationTimeOffset", limit: Self.latest) ?? 0
        startNumber = try number("startNumber") ?? 1
        duration = try number("duration")
        guard duration != 0 else { throw .damaged("the duration of the segments is 0") }
        // The time of the last segment must not overflow.
        guard duration ?? 0 < 1 << 44 else { throw .damaged("the times of the segments are too large") }
        runs = try child("SegmentTimeline").map { timeline throws(DASHManifest.Problem) in try Self.runs(timeline) }

        let template = levels.lazy.compactMap { $0["initialization"] }.first
        if let template, name == "SegmentTemplate" {
            let text = try Self.expand(template, id: id, bandwidth: bandwidth, nil)
            initialization = (try Self.resolve(text, against: base), nil)
        } else {
            initialization = try child("Initialization").map { element throws(DASHManifest.Problem) in
                (try Self.resolve(element["sourceURL"], against: base), try Self.range(element["range"]))
            }
        }
        switch name {
        case "SegmentTemplate":
            guard let media = levels.lazy.compactMap({ $0["media"] }).first else {
                throw .damaged("a template has no address")
            }
            form = .template(media)
        case "SegmentList":
            let list = levels.first { $0.first("SegmentURL") != nil }?.children("SegmentURL") ?? []
            guard list.count <= Self.mostSegments else { throw Self.tooMany }
            form = .list(
                try list.map { element throws(DASHManifest.Problem) in
                    (element["media"], try Self.range(element["mediaRange"]))
                })
        default:
            let range = try Self.range(levels.lazy.compactMap { $0["indexRange"] }.first)
            let (first, last) = (range?.first ?? 0, range?.last ?? Self.indexLimit - 1)
            guard last >= first, last - first < Self.indexLimit else { throw .damaged("an index is too large") }
            form = .file(Index(url: base, first: first, last: last))
        }
    }

    private static var tooMany: DASHManifest.Problem {
        .damaged("a stream has more than \(mostSegments) segments")
    }

    private static func runs(_ timeline: MarkupElement) throws(DASHManifest.Problem) -> [Run] {
        try timeline.children("S").map { element throws(DASHManifest.Problem) in
            guard let duration = try DASHManifest.number("d", of: element), duration > 0 else {
                throw .damaged("the duration of a segment is 0")
            }
            let isOpen = element["r"].flatMap { Int($0) }.map { $0 < 0 } ?? false
            let repetitions = isOpen ? -1 : try DASHManifest.number("r", of: element) ?? 0
            return Run(
                start: try DASHManifest.number("t", of: element, limit: latest), duration: duration,
                repetitions: repetitions)
        }
    }

    private static func resolve(_ text: String?, against base: URL) throws(DASHManifest.Problem) -> URL {
        guard let text else { return base }
        guard let url = try DASHManifest.resolve(text, against: base) else { throw .damaged("an address is invalid") }
        return url
    }

    private static func range(_ text: String?) throws(DASHManifest.Problem) -> ByteRange? {
        guard let text else { return nil }
        guard let range = ByteRange("bytes=" + text), let last = range.last, last >= range.first else {
            throw .damaged("the range \(text.prefix(40)) is invalid")
        }
        return range
    }

    // MARK: Segments

    /// The index that `segments` needs; `nil` if the manifest lists the segments.
    var index: Index? { if case .file(let index) = form { index } else { nil } }

    /// The time in the segments at the start of the period, in seconds.
    var mediaStart: Double { Double(timeOffset) / scale }

    /// Returns the segments of a period.
    ///
    /// - Parameters:
    ///   - edge: the time of a live stream up to which segments are available, on the timeline of the presentation. In seconds.
    ///   - window: the length of a live stream's window, in seconds.
    ///   - index: the content of `index`.
    ///   - room: the size that the addresses may have, in bytes. It becomes less by the size that they have.
    func segments(
        in period: DASHManifest.Period, edge: Double?, window: Double?, index: SegmentIndex?, room: inout Int
    ) throws(DASHManifest.Problem) -> [DASHSegment] {
        if case .file(let file) = form {
            guard let index else { throw .damaged("the index of a stream is missing") }
            let segments = index.segments(of: file.url, from: period.start - mediaStart)
            try Self.take(segments.count * file.url.absoluteString.utf8.count, from: &room)
            return segments
        }
        var segments: [DASHSegment] = []
        for entry in try entries(in: period, edge: edge, window: window) {
            let start = Double(entry.time - timeOffset) / scale + period.start
            if let edge, runs == nil, start > edge { break }
            guard let (url, range) = try address(of: entry) else { break }
            try Self.take(url.absoluteString.utf8.count, from: &room)
            segments.append(
                DASHSegment(start: start, duration: Double(entry.duration) / scale, url: url, range: range))
        }
        return segments
    }

    private static func take(_ count: Int, from room: inout Int) throws(DASHManifest.Problem) {
        room -= count
        guard room >= 0 else { throw .damaged("the addresses of its segments are too long") }
    }

    private func entries(
        in period: DASHManifest.Period, edge: Double?, window: Double?
    ) throws(DASHManifest.Problem) -> [Entry] {
        let limits = Limits(
            end: try period.duration.map { seconds throws(DASHManifest.Problem) in timeOffset + (try ticks(seconds)) },
            available: try edge.map { edge throws(DASHManifest.Problem) in
                timeOffset + (try ticks(max(0, edge - period.start)))
            },
            window: try window.map(ticks))
        if let runs { return try entries(of: runs, limits) }
        guard let duration else {
            guard let end = limits.end, end > timeOffset else { throw .damaged("a stream has no duration") }
            return [Entry(number: startNumber, time: timeOffset, duration: end - timeOffset)]
        }
        var places = 0..<0
        if case .list(let list) = form, limits.available == nil, limits.end == nil {
            places = list.indices
        } else {
            places = try self.places(of: duration, from: timeOffset, to: limits.end, limits)
            if case .list(let list) = form { places = places.clamped(to: list.indices) }
        }
        guard places.count <= Self.mostSegments else { throw Self.tooMany }
        return places.map { place in
            let time = timeOffset + place * duration
            return Entry(
                number: startNumber + place, time: time, duration: min(duration, (limits.end ?? .max) - time))
        }
    }

    private func entries(of runs: [Run], _ limits: Limits) throws(DASHManifest.Problem) -> [Entry] {
        var entries: [Entry] = []
        var (number, time) = (startNumber, 0)
        for (index, run) in runs.enumerated() {
            time = run.start ?? time
            var places = 0..<run.repetitions + 1
            if run.repetitions < 0 {
                let next = index + 1 < runs.count ? runs[index + 1].start : limits.end
                places = try self.places(of: run.duration, from: time, to: next, limits)
            }
            guard places.count <= Self.mostSegments - entries.count else { throw Self.tooMany }
            for place in places {
                let start = time + place * run.duration
                guard start + run.duration < Self.latest else {
                    throw .damaged("the times of the segments are too large")
                }
                entries.append(Entry(number: number + place, time: start, duration: run.duration))
            }
            number += places.upperBound
            time += places.upperBound * run.duration
            // Runs may overlap, and those outside the window have no entries.
            guard number < Self.latest else { throw Self.tooMany }
        }
        return entries
    }

    /// Returns the places of those segments that can be played, among segments of the same duration. In units of the time scale.
    ///
    /// - Parameter end: the time at which they end; `nil` if it is not known.
    private func places(
        of duration: Int, from start: Int, to end: Int?, _ limits: Limits
    ) throws(DASHManifest.Problem) -> Range<Int> {
        guard let last = [limits.available, end].compactMap(\.self).min() else {
            throw .damaged("a stream has no duration")
        }
        let (whole, remainder) = max(0, last - start).quotientAndRemainder(dividingBy: duration)
        // The last segment may be shorter.
        let count = whole + (last == end && Double(remainder) / scale > Self.longestRemainder ? 1 : 0)
        guard let available = limits.available else { return 0..<count }
        let most = limits.window.map { $0 / duration + 1 } ?? Self.mostLiveSegments
        let first = max(0, (available - start) / duration - most)
        return min(first, count)..<count
    }

    /// Converts seconds to units of the time scale, rounded down: a segment is available when it is complete.
    private func ticks(_ seconds: Double) throws(DASHManifest.Problem) -> Int {
        let ticks = (seconds * scale + Self.rounding).rounded(.down)
        guard ticks < Double(Self.latest) else { throw .damaged("the times of the segments are too large") }
        return Int(ticks)
    }

    private func address(of entry: Entry) throws(DASHManifest.Problem) -> (URL, ByteRange?)? {
        switch form {
        case .template(let template):
            let text = try Self.expand(template, id: id, bandwidth: bandwidth, (entry.number, entry.time))
            return (try Self.resolve(text, against: base), nil)
        case .list(let list):
            let index = entry.number - startNumber
            guard list.indices.contains(index) else { return nil }
            return (try Self.resolve(list[index].address, against: base), list[index].range)
        case .file: return nil
        }
    }

    /// Replaces the identifiers of a template, such as `$Number%05d$`.
    private static func expand(
        _ template: String, id: String, bandwidth: Int, _ segment: (number: Int, time: Int)?
    ) throws(DASHManifest.Problem) -> String {
        let parts = template.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { throw .damaged("a template is invalid") }
        var text = ""
        for (index, part) in parts.enumerated() {
            try DASHManifest.checkLength(of: text)
            guard index % 2 == 1 else {
                text += part
                continue
            }
            let pieces = part.split(separator: "%", maxSplits: 1)
            let value: Int?
            switch pieces.first {
            case nil:
                text += "$"
                continue
            case "RepresentationID":
                text += id
                continue
            case "Number": value = segment?.number
            case "Time": value = segment?.time
            case "Bandwidth": value = bandwidth
            default: value = nil
            }
            let format = pieces.count == 2 ? pieces[1].wholeMatch(of: /0(\d{1,2})d/) : nil
            guard let value, pieces.count == 1 || format != nil else { throw .damaged("a template is invalid") }
            let digits = String(value)
            text += String(repeating: "0", count: max(0, (format.flatMap { Int($0.1) } ?? 0) - digits.count)) + digits
        }
        return text
    }
}
