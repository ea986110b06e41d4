import Foundation

/// The text of a list, decoded from any supported encoding.
struct PlaylistText {
    /// A line, without its end and surrounding white space.
    struct Line {
        /// Counted from 1.
        let number: Int
        private let bytes: ArraySlice<UInt8>

        /// `nil` if the line is not UTF-8.
        var text: String? { String(validating: bytes, as: UTF8.self) }
        /// The text with replacement characters for invalid UTF-8.
        var repairedText: String { String(decoding: bytes, as: UTF8.self) }
        var isBlank: Bool { bytes.isEmpty }

        init(number: Int, bytes: ArraySlice<UInt8>) {
            self.number = number
            let start = bytes.firstIndex { !$0.isSpace } ?? bytes.endIndex
            let end = bytes.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? start
            self.bytes = bytes[start..<end]
        }

        /// Compares in ASCII and ignores case.
        func begins(with prefix: String) -> Bool {
            bytes.count >= prefix.utf8.count && zip(bytes, prefix.utf8).allSatisfy { $0.lowercased == $1.lowercased }
        }
    }

    /// UTF-8, except invalid bytes in a list that must be UTF-8.
    let bytes: [UInt8]

    /// - Parameter isAlwaysUTF8: `true` to keep invalid UTF-8, so that lines with it can be reported. Otherwise data that
    ///   is not UTF-8 is Windows-1252, a superset of Latin-1. A byte order mark has precedence.
    init(_ data: Data, isAlwaysUTF8: Bool = false) {
        if let text = Self.utf16(data) {
            bytes = Array(text.utf8)
            return
        }
        let plain = Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
        let isUTF8 = isAlwaysUTF8 || String(validating: plain, as: UTF8.self) != nil
        bytes = isUTF8 ? plain : Array(Self.western(plain).utf8)
    }

    var lines: Lines { Lines(bytes: bytes[...]) }

    var beginning: String { String(decoding: bytes.prefix(Limits.beginning), as: UTF8.self) }

    /// Lines end in LF, CRLF or CR.
    struct Lines: Sequence, IteratorProtocol {
        private var rest: ArraySlice<UInt8>
        private var number = 0

        init(bytes: ArraySlice<UInt8>) { rest = bytes }

        mutating func next() -> Line? {
            guard !rest.isEmpty else { return nil }
            number += 1
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
            defer {
                let isPair = rest[end...].starts(with: [0x0D, 0x0A])
                rest = rest[end...].dropFirst(isPair ? 2 : 1)
            }
            return Line(number: number, bytes: rest[..<end])
        }
    }

    /// Detects UTF-16 by its byte order mark, or by the `<` of XML without one.
    private static func utf16(_ data: Data) -> String? {
        let starts: [(bytes: [UInt8], mark: Int, encoding: String.Encoding)] = [
            ([0xFF, 0xFE], 2, .utf16LittleEndian), ([0xFE, 0xFF], 2, .utf16BigEndian),
            ([0x3C, 0], 0, .utf16LittleEndian), ([0, 0x3C], 0, .utf16BigEndian),
        ]
        guard let start = starts.first(where: { data.starts(with: $0.bytes) }) else { return nil }
        return String(data: data.dropFirst(start.mark), encoding: start.encoding)
    }

    /// Decodes Windows-1252, or Latin-1, in which every byte is valid.
    private static func western(_ bytes: [UInt8]) -> String {
        let data = Data(bytes)
        return String(data: data, encoding: .windowsCP1252) ?? String(data: data, encoding: .isoLatin1) ?? ""
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 }
    fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension String {
    /// The parts before and after the first separator; `nil` without one.
    func cut(at separator: Unicode.Scalar) -> (before: String, after: String)? {
        guard let index = unicodeScalars.firstIndex(of: separator) else { return nil }
        return (String(unicodeScalars[..<index]), String(unicodeScalars[index...].dropFirst()))
    }
}
