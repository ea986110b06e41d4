import Foundation

/// A segment of an HLS media playlist.
struct HLSSegment: Equatable, Sendable {
    /// A file, or a part of one.
    struct Part: Hashable, Sendable {
        let url: URL
        var start: UInt64 = 0
        /// In bytes; `nil` for the whole file.
        var count: UInt64?

        /// The part without its number of bytes, by which segments are found.
        var beginning: Self { Self(url: url, start: start) }

        var range: ByteRange? { count.map { ByteRange(first: start, last: start + max($0, 1) - 1) } }
    }

    let number: Int
    let part: Part
    /// The initialization that the segment needs; `nil` without one.
    var map: Part?
    /// In seconds.
    var duration = 0.0
    var isEncrypted = false

    /// Parses the segments of a media playlist.
    ///
    /// It is parsed again at each reload. A regular expression would need seconds for a long one.
    static func list(of playlist: String, at url: URL) -> [HLSSegment] {
        var segments: [HLSSegment] = []
        var number = 0
        var offset: UInt64 = 0
        var range: (count: UInt64, start: UInt64?)?
        var map: Part?
        var duration = 0.0
        var isEncrypted = false
        for line in playlist.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if let first = value(of: "#EXT-X-MEDIA-SEQUENCE:", in: line).flatMap({ self.number($0) }) {
                number = Int(first)
            } else if let found = value(of: "#EXT-X-BYTERANGE:", in: line).flatMap({ byteRange($0) }) {
                range = found
            } else if let text = value(of: "#EXTINF:", in: line) {
                duration = Double(text.prefix { $0 != "," }) ?? 0
            } else if let text = value(of: "#EXT-X-MAP:", in: line) {
                map = initialization(text, at: url)
            } else if let text = value(of: "#EXT-X-KEY:", in: line) {
                isEncrypted = !text.contains("METHOD=NONE")
            } else if !line.isEmpty, !line.hasPrefix("#") {
                let start = range.map { $0.start ?? offset }
                if let address = URL(string: line, relativeTo: url)?.absoluteURL {
                    let part = Part(url: address, start: start ?? 0, count: range?.count)
                    segments.append(
                        HLSSegment(number: number, part: part, map: map, duration: duration, isEncrypted: isEncrypted))
                }
                offset = (start ?? 0) + (range?.count ?? 0)
                range = nil
                number += 1
            }
        }
        return segments
    }

    private static func value(of tag: String, in line: String) -> Substring? {
        line.hasPrefix(tag) ? line.dropFirst(tag.count) : nil
    }

    /// Parses `URI="address",BYTERANGE="count@start"`.
    private static func initialization(_ attributes: Substring, at url: URL) -> Part? {
        func quoted(_ name: String) -> Substring? {
            attributes.range(of: "\(name)=\"").map { attributes[$0.upperBound...].prefix { $0 != "\"" } }
        }
        guard let address = quoted("URI").flatMap({ URL(string: String($0), relativeTo: url)?.absoluteURL }) else {
            return nil
        }
        let range = quoted("BYTERANGE").flatMap { byteRange($0) }
        return Part(url: address, start: range?.start ?? 0, count: range?.count)
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
}
