#if VLC || GStreamer
import Foundation

/// The segments of a stream that an engine has received, by their numbers.
struct DeliveredSegments {
    /// A segment can be a part of a file.
    private struct Address: Hashable {
        let url: URL
        let offset: UInt64
    }

    private struct Delivery {
        let size: Int?
        var received = 0
        var isComplete = false
    }

    private var numbers: [Address: Int] = [:]
    private var deliveries: [Int: Delivery] = [:]

    /// The received part of each segment, in `0...1`.
    var parts: [Int: Double] {
        deliveries.mapValues { delivery in
            if delivery.isComplete { return 1 }
            guard let size = delivery.size, size > 0 else { return 0 }
            return min(Double(delivery.received) / Double(size), 1)
        }
    }

    /// Takes the numbers of the segments from a media playlist. Segments before its first one are forgotten.
    mutating func add(_ playlist: String, at url: URL) {
        var number = 0
        var offset: UInt64 = 0
        var range: (start: UInt64, count: UInt64)?
        var found: [Address: Int] = [:]
        for line in playlist.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if let first = Self.value(of: "#EXT-X-MEDIA-SEQUENCE:", in: line).flatMap({ Self.number($0) }) {
                number = Int(first)
                numbers = numbers.filter { $0.value >= number }
                deliveries = deliveries.filter { $0.key >= number }
            } else if let (count, start) = Self.value(of: "#EXT-X-BYTERANGE:", in: line).flatMap({ Self.byteRange($0) })
            {
                range = (start ?? offset, count)
            } else if !line.isEmpty, !line.hasPrefix("#") {
                if let segment = URL(string: line, relativeTo: url)?.absoluteURL {
                    found[Address(url: segment, offset: range?.start ?? 0)] = number
                }
                offset = range.map { $0.start + $0.count } ?? 0
                range = nil
                number += 1
            }
        }
        numbers.merge(found) { $1 }
    }

    // The playlist is parsed under the session's lock, and again at each reload. A regular expression would need seconds for a
    // long one.
    private static func value(of tag: String, in line: String) -> Substring? {
        line.hasPrefix(tag) ? line.dropFirst(tag.count) : nil
    }

    /// Parses `count` or `count@start`.
    private static func byteRange(_ text: Substring) -> (count: UInt64, start: UInt64?)? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map { number($0) }
        guard let count = parts[0], parts.count == 1 || parts.count == 2 && parts[1] != nil else { return nil }
        return (count, parts.count == 2 ? parts[1] : nil)
    }

    /// Parses 1 to 15 digits. More could overflow when they are added.
    private static func number(_ text: Substring) -> UInt64? {
        let isValid = (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isValid ? UInt64(text) : nil
    }

    /// A segment is delivered from now on. Other addresses than those of segments are ignored.
    ///
    /// - Parameters:
    ///   - offset: its first byte in the file.
    ///   - size: its size in bytes; `nil` if it is unknown.
    mutating func begin(_ url: URL, at offset: UInt64, size: Int?) {
        if let number = number(url, offset) { deliveries[number] = Delivery(size: size) }
    }

    mutating func received(_ count: Int, of url: URL, at offset: UInt64) {
        if let number = number(url, offset) { deliveries[number]?.received += count }
    }

    mutating func completed(_ url: URL, at offset: UInt64) {
        if let number = number(url, offset) { deliveries[number]?.isComplete = true }
    }

    /// The engine drops what it has received, because it seeks.
    mutating func drop() { deliveries = [:] }

    private func number(_ url: URL, _ offset: UInt64) -> Int? { numbers[Address(url: url, offset: offset)] }
}
#endif
