import Foundation

/// A range of bytes in a file.
struct ByteRange: Equatable, Sendable {
    let first: UInt64
    /// The last position; `nil` for the end of the file.
    let last: UInt64?

    init(first: UInt64, last: UInt64?) { (self.first, self.last) = (first, last) }

    /// Parses a header field (RFC 9110, section 14.2). Returns `nil` for forms that players do not use.
    init?(_ field: String) {
        guard let match = field.wholeMatch(of: /bytes=(\d+)-(\d*)/), let first = UInt64(position: match.1) else {
            return nil
        }
        self.init(first: first, last: UInt64(position: match.2))
    }

    /// The form that libcurl expects.
    var text: String { "\(first)-\(last.map(String.init) ?? "")" }
}

/// The head of a response.
struct HTTPHead: Equatable, Sendable {
    let status: Int
    /// The address of the request.
    let url: URL
    /// In lower case, without parameters; empty if it is unknown.
    let contentType: String
    /// The position of the first byte of the body.
    let start: UInt64
    /// The size of the whole file in bytes; `nil` if it is unknown, or is that of a compressed file.
    let size: UInt64?
    /// A value that changes with the file; `nil` if it is unknown.
    let version: String?
    /// `true` if the server has compressed the file. It then has no ranges.
    let isCompressed: Bool
    /// `true` for a radio station. Its stream has no end.
    let isStation: Bool

    /// The fields with which Icecast and SHOUTcast describe a station. Each of them may be missing.
    private static let stationFields = [
        "icy-name", "icy-description", "icy-genre", "icy-url", "icy-br", "icy-pub", "icy-notice1", "icy-metaint",
    ]

    /// The compressions that libcurl knows. Servers also send names that mean none, such as `utf-8` and `aws-chunked`.
    private static let compressions: Set<Substring> = ["gzip", "x-gzip", "deflate", "br", "zstd"]

    /// `true` if the body is a range of the file (RFC 9110, section 14).
    var isPart: Bool { status == 206 && !isCompressed }

    /// `true` for a body that may be a live stream: only files have a size or a version.
    var mayBeEndless: Bool { isStation || size == nil && version == nil && !isCompressed }

    /// Returns `true` if a whole file is another one than before. A compressed one has no size.
    func differs(from other: HTTPHead) -> Bool {
        guard isCompressed || other.isCompressed else { return size != other.size }
        return version != nil && other.version != nil && version != other.version
    }

    /// - Parameter field: returns the value of a header field.
    init(status: Int, url: URL, field: (String) -> String?) {
        self.status = status
        self.url = url
        let type = field("Content-Type")?.split(separator: ";").first.map(String.init) ?? ""
        contentType = type.trimmingCharacters(in: .whitespaces).lowercased()
        version = field("ETag") ?? field("Last-Modified")
        let length = field("Content-Length").flatMap { UInt64(position: $0) }
        isStation = status != 206 && length == nil && Self.stationFields.contains { field($0) != nil }
        let encodings = field("Content-Encoding")?.lowercased().split { ", ".contains($0) } ?? []
        isCompressed = !encodings.isEmpty && encodings.allSatisfy { Self.compressions.contains($0) }
        guard status == 206, !isCompressed else {
            (start, size) = (0, isCompressed ? nil : length)
            return
        }
        let range = field("Content-Range")?.wholeMatch(of: /bytes +(\d+)-(\d+)\/(\d+|\*)/)
        start = range.flatMap { UInt64(position: $0.1) } ?? .max
        size = range.flatMap { UInt64(position: $0.3) }
    }

    /// The number of bytes that show what kind of file it is.
    static let markLength = 64

    /// Returns `true` for text that may name other addresses: XML and HTML, in UTF-8 or UTF-16, and session descriptions
    /// (RFC 8866).
    static func isManifest(_ bytes: some Collection<UInt8>) -> Bool {
        if bytes.starts(with: Array("v=".utf8)) { return true }
        // The size of the first box of an mp4 file, and the first letter of its type.
        let start = Array(bytes.prefix(5))
        if start.starts(with: [0, 0, 0, UInt8(ascii: "<")]), start.count == 5, start[4] != 0 { return false }
        let text = bytes.drop { blanks.contains($0) }.prefix(markLength)
        guard text.first == UInt8(ascii: "<") else { return false }
        // The stream of a radio station starts in the middle of a frame, so its first byte can have any value.
        let isUTF16 = (start + Array(text.prefix(2))).contains { $0 == 0 || $0 >= 0xFE }
        return isUTF16 || !text.contains { controls.contains($0) }
    }

    /// Returns `true` if a manifest may follow. The beginning of a long file may be gone, and is empty then.
    static func isBlank(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { blanks.contains($0) }
    }

    /// White space, and the bytes of byte order marks and of white space in UTF-16.
    private static let blanks: Set<UInt8> = [0, 9, 10, 13, 32, 0xBB, 0xBF, 0xEF, 0xFE, 0xFF]

    /// The bytes that are in no text, apart from UTF-16. 14, 15 and 27 change the characters of an encoding (ISO 2022).
    private static let controls = Set<UInt8>(1..<32).subtracting([9, 10, 13, 14, 15, 27])

    /// Returns `true` if the first bytes are those of a playlist.
    static func isPlaylist(_ bytes: some Collection<UInt8>) -> Bool {
        unmarked(bytes).starts(with: Array("#EXTM3U".utf8))
    }

    /// The text of a playlist.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: unmarked(bytes), as: UTF8.self)
    }

    /// Removes the byte order mark of UTF-8.
    private static func unmarked<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }
}

extension UInt64 {
    /// Parses a position in a file. Returns `nil` for invalid values, and for values that could overflow.
    fileprivate init?(position text: some StringProtocol) {
        guard let position = Int64(text), position >= 0, position < .max else { return nil }
        self.init(position)
    }
}
