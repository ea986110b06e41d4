import Foundation
import Playback

/// Reads the marks of a media playlist: date ranges and cues.
///
/// Sources: RFC 8216bis, section 4.4.5.1; SCTE 35, section 12.2. Cues have no standard: these are the forms that packagers write.
struct HLSMarkers {
    /// The tag with which the proxy passes on an event of DASH.
    static let eventTag = "#EXT-X-FLOWPLAYER-EVENT"

    /// The number of the next segment.
    var number = 0
    /// The start of the next segment, in seconds.
    var position = 0.0
    private var found: [(marker: StreamMarker, date: Date?)] = []
    /// The dates of segments, with their positions.
    private var dates: [(text: Substring, position: Double)] = []
    /// A message before its cue.
    private var message: Data?

    /// The marks of the lines so far, in their order.
    var markers: [StreamMarker] {
        let isDated = found.contains { $0.date != nil }
        let anchors = isDated ? dates.compactMap { text, place in Self.date(text).map { ($0, place) } } : []
        return found.compactMap { marker, date in
            var marker = marker
            if let date, let anchor = anchors.last(where: { $0.0 <= date }) ?? anchors.first {
                marker.start = anchor.1 + date.timeIntervalSince(anchor.0)
            }
            return abs(marker.start) < Self.latest ? marker : nil
        }
    }

    /// Takes a tag that says nothing about a segment.
    mutating func read(_ tag: Substring, _ value: Substring) {
        // RFC 8216, section 4.1.
        guard !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return }
        switch tag {
        case "#EXT-X-PROGRAM-DATE-TIME": dates.append((value, position))
        case "#EXT-X-DATERANGE": addRange(HLSAttributes.values(value))
        case Self.eventTag: addEvent(HLSAttributes.values(value))
        case "#EXT-OATCLS-SCTE35": message = Data(base64Encoded: String(value))
        // Without the start of the break, this is a later segment of it.
        case "#EXT-X-CUE-OUT-CONT" where !found.contains { $0.marker.kind == .cueOut }: addContinuation(value)
        case "#EXT-X-CUE-OUT": addCueOut(value)
        case "#EXT-X-CUE-IN": add(.cueIn, "in \(number)", position, nil, [:])
        default: break
        }
    }

    /// Reads `30`, or `DURATION=30,CUE="…"`.
    private mutating func addCueOut(_ text: Substring) {
        let attributes = HLSAttributes.values(text)
        message = message ?? attributes["CUE"].flatMap { Data(base64Encoded: $0) }
        let duration = attributes["DURATION"].flatMap { Double($0) } ?? Double(text)
        add(.cueOut, "out \(number)", position, duration, attributes)
    }

    /// Reads `ElapsedTime=5,Duration=30,SCTE35=…`, `5/30` or `5`.
    private mutating func addContinuation(_ text: Substring) {
        var attributes: [String: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { attributes[pair[0].uppercased()] = String(pair[1]) }
        }
        let numbers = text.split(separator: "/").map { Double($0) }
        // Without the time since its start, the start of the break is unknown.
        guard let elapsed = attributes["ELAPSEDTIME"].flatMap({ Double($0) }) ?? numbers.first.flatMap({ $0 }) else {
            return
        }
        let duration = attributes["DURATION"].flatMap { Double($0) } ?? (numbers.count > 1 ? numbers[1] : nil)
        message = attributes["SCTE35"].flatMap { Data(base64Encoded: $0) } ?? message
        add(.cueOut, "out \(number)", position - elapsed, duration, attributes)
    }

    private mutating func addRange(_ attributes: [String: String]) {
        guard let id = attributes["ID"] else { return }
        let start = attributes["START-DATE"].flatMap { Self.date($0) }
        let end = attributes["END-DATE"].flatMap { Self.date($0) }
        let length = attributes["DURATION"].flatMap { Double($0) } ?? start.flatMap { end?.timeIntervalSince($0) }
        let planned = attributes["PLANNED-DURATION"].flatMap { Double($0) }
        let names = ["SCTE35-OUT", "SCTE35-IN", "SCTE35-CMD"]
        message = names.lazy.compactMap { attributes[$0] }.first.flatMap { Self.bytes(hexadecimal: $0) }
        add(.dateRange, id, position, length ?? planned, attributes, date: start)
    }

    private mutating func addEvent(_ attributes: [String: String]) {
        guard let id = attributes["ID"], let position = attributes["OFFSET"].flatMap({ Double($0) }) else { return }
        message = attributes["MESSAGE"].flatMap { Data(base64Encoded: $0) }
        let kept = attributes.filter { ["SCHEME", "VALUE"].contains($0.key) }
        add(.event, id, position, attributes["DURATION"].flatMap { Double($0) }, kept)
    }

    private mutating func add(
        _ kind: StreamMarker.Kind, _ id: String, _ start: Double, _ duration: Double?, _ attributes: [String: String],
        date: Date? = nil
    ) {
        defer { message = nil }
        guard id.utf8.count <= Self.longestID else { return }
        let length = duration.flatMap { (0..<Self.latest).contains($0) ? $0 : nil }
        let section = message.flatMap { $0.count <= StreamMarker.longestMessage ? $0 : nil }
        var marker = StreamMarker(id: id, kind: kind, start: start, duration: length, message: section)
        marker.add(attributes)
        found.append((marker, date))
        // In a live playlist, the last ones matter.
        if found.count > StreamMarker.mostMarkers { found.removeFirst() }
    }

    /// The largest time in seconds, some thirty years.
    private static let latest = 1e9
    /// The longest id of a mark, in bytes.
    private static let longestID = 256

    /// Reads a date of ISO 8601, with or without fractions of a second.
    private static func date(_ text: some StringProtocol) -> Date? {
        let style = Date.ISO8601FormatStyle()
        let text = String(text)
        return (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    }

    /// Reads `0xFC30…`.
    private static func bytes(hexadecimal text: String) -> Data? {
        let digits = Array(text.dropFirst(2).utf8)
        guard text.lowercased().hasPrefix("0x"), digits.count.isMultiple(of: 2) else { return nil }
        var bytes = Data()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
