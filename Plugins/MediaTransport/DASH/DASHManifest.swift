import Foundation
import Playback

/// A DASH manifest (ISO/IEC 23009-1): the parts that `DASHPlaylists` needs.
struct DASHManifest: Sendable {
    /// The reason why a manifest cannot be played.
    struct Problem: Error {
        var code = PlaybackErrorCode.unrecognisedFormat
        let detail: String

        static func damaged(_ reason: String) -> Problem {
            Problem(detail: "The DASH manifest is damaged: \(reason).")
        }

        func error(at url: URL) -> PlaybackError { PlaybackError(code, url: url, detail: detail) }
    }

    struct Period: Sendable {
        /// In seconds.
        let start: Double
        /// In seconds; `nil` if the period has no end yet.
        var duration: Double?
        let sets: [AdaptationSet]
        var events: [Event] = []
    }

    /// An event of an `EventStream`.
    struct Event: Equatable, Sendable {
        let id: String
        /// On the timeline of the presentation, in seconds.
        let start: Double
        /// In seconds; `nil` if it is not known.
        let duration: Double?
        let scheme: String
        let value: String
        let message: Data?
    }

    /// Versions of the same content.
    struct AdaptationSet: Sendable {
        enum Kind: String { case video, audio }

        let kind: Kind
        /// The attribute `lang`.
        let language: String?
        let label: String?
        /// `true` for the role `main`.
        let isMain: Bool
        let representations: [Representation]
    }

    struct Representation: Sendable {
        let id: String
        /// In bits per second.
        let bandwidth: Int
        let width: Int?
        let height: Int?
        let frameRate: Double?
        let codecs: String?
        let segmentation: DASHSegmentation
    }

    /// `true` if more segments will follow.
    let isLive: Bool
    /// The time at which time 0 of a live stream became available.
    let availabilityStart: Date?
    /// The duration of the window in which a live stream can be played, in seconds.
    let windowLength: Double?
    /// The time after which the manifest changes, in seconds; `nil` if it does not change.
    let updateInterval: Double?
    /// The address of later versions; `nil` if it stays the same.
    let location: URL?
    let periods: [Period]

    /// The end of a live stream, on the timeline of the presentation, in seconds; `nil` while it is not known, or may change.
    var end: Double? {
        guard updateInterval == nil, let last = periods.last else { return nil }
        return last.duration.map { last.start + $0 }
    }

    /// `true` if it lists the segments of a set, so that a later version has more of them.
    var isListed: Bool {
        periods.contains { $0.sets.contains { $0.representations.contains(where: \.segmentation.isListed) } }
    }

    var indexes: [DASHSegmentation.Index] {
        periods.flatMap(\.sets).flatMap(\.representations).compactMap(\.segmentation.index)
    }

    /// The largest number of periods, of sets in a period, and of representations in a set.
    private static let longestList = 200
    /// The largest number that is no time. Sums of larger ones could overflow.
    static let largestNumber = 1 << 53
    /// The size of an address, in bytes.
    static let longestAddress = 8 << 10
    private static let trickMode = "http://dashif.org/guidelines/trickmode"

    /// The size of a manifest in memory. Representations inherit lists of segments, so that a short document can be large.
    private struct Contents {
        private static let mostRepresentations = 2000
        private static let mostEntries = 500_000

        private var representations = 0
        /// The number of entries in lists of segments.
        private var entries = 0

        mutating func add(_ representation: Representation) throws(Problem) {
            representations += 1
            entries += representation.segmentation.entryCount
            guard representations <= Self.mostRepresentations, entries <= Self.mostEntries else {
                throw .damaged("it has too many representations or segments")
            }
        }
    }

    /// - Parameter url: the address of the manifest, after redirects.
    init(_ document: [UInt8], url: URL) throws(Problem) {
        guard let root = MarkupElement(document, root: "MPD") else {
            throw .damaged("it is not complete XML, or too large")
        }
        try Self.refuseLinks(in: root)
        isLive = root["type"] == "dynamic"
        availabilityStart = root["availabilityStartTime"].flatMap(Self.date)
        windowLength = try Self.duration("timeShiftBufferDepth", of: root)
        updateInterval = try Self.duration("minimumUpdatePeriod", of: root)
        location = try root.first("Location").flatMap { element throws(Problem) in
            try Self.resolve(element.text, against: url)
        }
        let whole = try Self.duration("mediaPresentationDuration", of: root)
        let base = try Self.base(of: root, in: url)
        var periods: [Period] = []
        var contents = Contents()
        for element in try Self.list("Period", of: root) {
            let end = periods.last.flatMap { period in period.duration.map { period.start + $0 } }
            guard let start = try Self.duration("start", of: element) ?? end ?? (periods.isEmpty ? 0 : nil) else {
                // A live stream may announce a period before its start is known.
                if isLive { continue }
                throw .damaged("a period has no start")
            }
            if let last = periods.last {
                guard start >= last.start else { throw .damaged("the periods overlap") }
                periods[periods.count - 1].duration = start - last.start
            }
            periods.append(
                Period(
                    start: start, duration: try Self.duration("duration", of: element),
                    sets: try Self.sets(of: element, base: Self.base(of: element, in: base), &contents),
                    events: Self.events(of: element, at: start)))
        }
        guard let last = periods.last else { throw .damaged("it has no period") }
        if last.duration == nil, let whole { periods[periods.count - 1].duration = max(0, whole - last.start) }
        self.periods = periods
    }

    private static func events(of period: MarkupElement, at start: Double) -> [Event] {
        var events: [Event] = []
        for stream in period.children("EventStream") {
            func number(_ text: String?) -> Double? { text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }
            let scale = max(number(stream["timescale"]) ?? 1, 1)
            let offset = number(stream["presentationTimeOffset"]) ?? 0
            for event in stream.children("Event").prefix(StreamMarker.mostMarkers - events.count) {
                let time = number(event["presentationTime"]) ?? 0
                let scheme = stream["schemeIdUri"] ?? ""
                events.append(
                    Event(
                        id: event["id"] ?? "\(scheme) \(time)", start: start + (time - offset) / scale,
                        duration: number(event["duration"]).map { $0 / scale }, scheme: scheme,
                        value: stream["value"] ?? "", message: message(of: event)))
            }
        }
        return events
    }

    /// The message is binary in an element of SCTE 35, in an attribute, or text.
    private static func message(of event: MarkupElement) -> Data? {
        let binary = (event.first("Signal") ?? event).first("Binary")?.text
        let text = (binary ?? event["messageData"] ?? event.text).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return nil }
        let isEncoded = binary != nil || event["contentEncoding"] == "base64"
        return isEncoded ? Data(base64Encoded: text) : Data(text.utf8.prefix(StreamMarker.longestMessage))
    }

    /// The document that a link names could replace any part of the manifest.
    private static func refuseLinks(in element: MarkupElement) throws(Problem) {
        if element.attributes.contains(where: { $0.name == "href" || $0.name.hasSuffix(":href") }) {
            let detail = "The DASH manifest includes other documents (xlink), which is not allowed."
            throw Problem(code: .addressForbidden, detail: detail)
        }
        for child in element.children { try refuseLinks(in: child) }
    }

    private static func sets(
        of period: MarkupElement, base: URL, _ contents: inout Contents
    ) throws(Problem) -> [AdaptationSet] {
        var sets: [AdaptationSet] = []
        var encrypted: Set<AdaptationSet.Kind> = []
        for element in try list("AdaptationSet", of: period) {
            // A set with an unknown essential property is not for us, such as images for fast forwarding.
            guard element.first("EssentialProperty") == nil,
                !element.children("SupplementalProperty").contains(where: { $0["schemeIdUri"] == trickMode })
            else { continue }
            let base = try Self.base(of: element, in: base)
            var kinds: Set<AdaptationSet.Kind> = []
            var representations: [Representation] = []
            for representation in try list("Representation", of: element) {
                guard let kind = kind(of: representation, in: element) else { continue }
                guard [element, representation].allSatisfy({ $0.first("ContentProtection") == nil }) else {
                    encrypted.insert(kind)
                    continue
                }
                kinds.insert(kind)
                let base = try Self.base(of: representation, in: base)
                let next = try Representation(representation, in: element, period: period, base: base)
                try contents.add(next)
                representations.append(next)
            }
            guard let kind = kinds.contains(.video) ? .video : kinds.first else { continue }
            let label = element["label"] ?? element.first("Label")?.text
            let isMain = element.children("Role").contains { $0["value"] == "main" }
            sets.append(
                AdaptationSet(
                    kind: kind, language: element["lang"], label: label, isMain: isMain,
                    representations: representations))
        }
        guard encrypted.isSubset(of: sets.map(\.kind)) else {
            throw Problem(code: .noPlayableStream, detail: PlaybackError.protection)
        }
        return sets
    }

    /// - Returns: `nil` for subtitles, images and unknown formats.
    private static func kind(of representation: MarkupElement, in set: MarkupElement) -> AdaptationSet.Kind? {
        let type = (representation["mimeType"] ?? set["mimeType"] ?? "").lowercased()
        guard type.hasSuffix("/mp4") || type.isEmpty else { return nil }
        return AdaptationSet.Kind(rawValue: type.isEmpty ? set["contentType"] ?? "" : String(type.dropLast(4)))
    }

    // MARK: Values

    private static func list(_ name: String, of element: MarkupElement) throws(Problem) -> [MarkupElement] {
        let list = element.children(name)
        guard list.count <= longestList else { throw .damaged("it has more than \(longestList) elements \(name)") }
        return list
    }

    /// The address that relative ones refer to. The first of several alternatives counts.
    private static func base(of element: MarkupElement, in outer: URL) throws(Problem) -> URL {
        guard let text = element.first("BaseURL")?.text else { return outer }
        return try resolve(text, against: outer) ?? outer
    }

    static func resolve(_ text: String, against base: URL) throws(Problem) -> URL? {
        try checkLength(of: text)
        let url = URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines), relativeTo: base)?.absoluteURL
        try checkLength(of: url?.absoluteString ?? "")
        return url
    }

    static func checkLength(of address: String) throws(Problem) {
        guard address.utf8.count <= longestAddress else { throw .damaged("an address is too long") }
    }

    /// Parses a number that is not negative. Above the limit, sums could overflow.
    static func number(
        _ name: String, of element: MarkupElement, limit: Int = largestNumber
    ) throws(Problem) -> Int? {
        guard let text = element[name] else { return nil }
        guard let number = Int(text), (0...limit).contains(number) else { throw .damaged("\(name) is \(text)") }
        return number
    }

    /// Parses a duration (XML Schema), such as `PT1H2M3.5S`. In seconds.
    static func duration(_ name: String, of element: MarkupElement) throws(Problem) -> Double? {
        guard let text = element[name] else { return nil }
        guard let seconds = seconds(text) else { throw .damaged("\(name) is \(text.prefix(40))") }
        return seconds
    }

    private static func seconds(_ text: String) -> Double? {
        let pattern = /P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d*)?|\.\d+)S)?)?/
        guard text.utf8.count < 64, let match = text.wholeMatch(of: pattern) else { return nil }
        let (_, years, months, days, hours, minutes, seconds) = match.output
        let parts = [
            (years, 31_536_000.0), (months, 2_592_000), (days, 86400), (hours, 3600), (minutes, 60), (seconds, 1),
        ]
        let sum = parts.reduce(0) { sum, part in sum + (part.0.flatMap { Double($0) } ?? 0) * part.1 }
        return sum < 1e10 ? sum : nil
    }

    /// Parses a date. One without a time zone is in UTC.
    private static func date(_ text: String) -> Date? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard let match = text.prefixMatch(of: /\d+-\d\d-\d\dT\d\d:\d\d:\d\d/) else { return nil }
        var rest = text[match.range.upperBound...]
        let fraction = rest.prefix { $0 == "." || $0.isNumber }
        rest = rest[fraction.endIndex...]
        let date = try? Date(String(match.0) + (rest.isEmpty ? "Z" : rest), strategy: .iso8601)
        return date?.addingTimeInterval(Double("0" + fraction) ?? 0)
    }
}

extension DASHManifest.Representation {
    fileprivate init(
        _ element: MarkupElement, in set: MarkupElement, period: MarkupElement, base: URL
    ) throws(DASHManifest.Problem) {
        id = element["id"] ?? ""
        bandwidth = try DASHManifest.number("bandwidth", of: element) ?? 0
        width = (element["width"] ?? set["width"]).flatMap { Int($0) }.flatMap { (1..<1 << 20).contains($0) ? $0 : nil }
        height = (element["height"] ?? set["height"]).flatMap { Int($0) }
            .flatMap { (1..<1 << 20).contains($0) ? $0 : nil }
        let rate = (element["frameRate"] ?? set["frameRate"])?.split(separator: "/").map { Double($0) ?? 0 } ?? []
        let frameRate = rate.count == 2 && rate[1] > 0 ? rate[0] / rate[1] : rate.first ?? 0
        self.frameRate = frameRate > 0 && frameRate < 1000 ? frameRate : nil
        codecs = element["codecs"] ?? set["codecs"]
        segmentation = try DASHSegmentation([period, set, element], id: id, bandwidth: bandwidth, base: base)
    }
}
