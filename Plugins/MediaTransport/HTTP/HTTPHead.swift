import Foundation

/// Some bytes of a medium that follow each other.
package struct ByteRange: Equatable, Sendable {
    package let first: UInt64
    /// `nil`: up to the end.
    package let last: UInt64?

    package init(first: UInt64, last: UInt64?) { (self.first, self.last) = (first, last) }

    /// As in a request's header field (RFC 9110, section 14.2); `nil` for what players do not ask for.
    package init?(_ field: String) {
        guard let match = field.wholeMatch(of: /bytes=(\d+)-(\d*)/), let first = UInt64(place: match.1) else {
            return nil
        }
        self.init(first: first, last: UInt64(place: match.2))
    }

    /// As curl wants it.
    package var text: String { "\(first)-\(last.map(String.init) ?? "")" }
}

/// What a server says before the bytes of a medium.
package struct HTTPHead: Equatable, Sendable {
    package let status: Int
    /// Where it came from.
    package let url: URL
    /// In lower case, without parameters; empty if it is not told.
    package let contentType: String
    /// In bytes: where what follows begins.
    package let start: UInt64
    /// In bytes: of the whole; `nil` if it is not told.
    package let size: UInt64?
    /// Changes with the medium; `nil` if the server tells nothing of that kind.
    package let version: String?

    /// Whether the server sends parts (RFC 9110, section 14).
    package var isPart: Bool { status == 206 }

    /// - Parameter field: the value of a header field by its name.
    package init(status: Int, url: URL, field: (String) -> String?) {
        self.status = status
        self.url = url
        let type = field("Content-Type")?.split(separator: ";").first.map(String.init) ?? ""
        contentType = type.trimmingCharacters(in: .whitespaces).lowercased()
        version = field("ETag") ?? field("Last-Modified")
        let length = field("Content-Length").flatMap { UInt64(place: $0) }
        guard status == 206 else {
            (start, size) = (0, length)
            return
        }
        let range = field("Content-Range")?.wholeMatch(of: /bytes +(\d+)-(\d+)\/(\d+|\*)/)
        start = range.flatMap { UInt64(place: $0.1) } ?? .max
        size = range.flatMap { UInt64(place: $0.3) }
    }

    /// Whether it is XML or HTML, in UTF-8 or UTF-16.
    package static func isMarkup(_ bytes: some Collection<UInt8>) -> Bool {
        // The length of the first box of an mp4 file, and the first letter of its type.
        let start = Array(bytes.prefix(5))
        if start.starts(with: [0, 0, 0, UInt8(ascii: "<")]), start.count == 5, start[4] != 0 { return false }
        let blanks: Set<UInt8> = [0, 9, 10, 13, 32, 0xBB, 0xBF, 0xEF, 0xFE, 0xFF]
        return bytes.first { !blanks.contains($0) } == UInt8(ascii: "<")
    }

    /// Whether it is a playlist, so far as its first bytes say.
    package static func isPlaylist(_ bytes: some Collection<UInt8>) -> Bool {
        unmarked(bytes).starts(with: Array("#EXTM3U".utf8))
    }

    /// The text of a playlist.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: unmarked(bytes), as: UTF8.self)
    }

    /// Without the mark that may stand before a text in UTF-8.
    private static func unmarked<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }
}

extension UInt64 {
    /// A place in a medium, in bytes; `nil` for what is none, or beyond all media, since it is counted with.
    fileprivate init?(place text: some StringProtocol) {
        guard let place = Int64(text), place >= 0, place < .max else { return nil }
        self.init(place)
    }
}
