import Foundation

/// Splits an XML document in UTF-8 into tags and text.
///
/// `XMLParser` would load libxml2 into each process. Playlists, manifests and advertisements need no other entities than those of
/// XML, so this parser refuses others, and a document type that declares some. It skips comments and processing instructions.
package struct MarkupParser {
    package enum Token {
        case start(String, [(name: String, value: String)], isEmpty: Bool)
        case end(String)
        case text(String)
    }

    package enum Damage: Error {
        case malformed
        /// A document type with declarations.
        case declarations
    }

    /// The largest number of attributes of an element.
    private static let mostAttributes = 64

    /// The number of the line that was parsed last.
    package private(set) var line = 1
    private var rest: ArraySlice<UInt8> {
        didSet { line += oldValue[..<rest.startIndex].count { $0 == 0x0A } }
    }

    package init(_ bytes: [UInt8]) {
        rest = bytes[...].dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    /// - Returns: `nil` at the end.
    package mutating func next() throws(Damage) -> Token? {
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else {
                let text = rest.prefix { $0 != UInt8(ascii: "<") }
                rest = rest[text.endIndex...]
                guard let text = Self.unescaped(text) else { throw .malformed }
                return .text(text)
            }
            if skips("<!--", to: "-->") || skips("<?", to: "?>") { continue }
            if rest.starts(with: "<!DOCTYPE".utf8) {
                let type = rest.prefix { $0 != UInt8(ascii: ">") }
                guard !type.contains(UInt8(ascii: "[")) else { throw .declarations }
                rest = rest[type.endIndex...].dropFirst()
                continue
            }
            guard let token = rest.starts(with: "<![CDATA[".utf8) ? characterData() : tag() else { throw .malformed }
            return token
        }
        return nil
    }

    private mutating func skips(_ start: String, to end: String) -> Bool {
        guard rest.starts(with: start.utf8),
            let range = rest.dropFirst(start.utf8.count).firstRange(of: end.utf8)
        else { return false }
        rest = rest[range.upperBound...]
        return true
    }

    private mutating func characterData() -> Token? {
        guard let end = rest.firstRange(of: "]]>".utf8) else { return nil }
        let text = rest[..<end.lowerBound].dropFirst(9)
        rest = rest[end.upperBound...]
        return .text(String(decoding: text, as: UTF8.self))
    }

    private mutating func tag() -> Token? {
        rest = rest.dropFirst()
        let isEnd = take("/")
        guard let name = takeName() else { return nil }
        var attributes: [(name: String, value: String)] = []
        while true {
            skipBlanks()
            if take(">") { return isEnd ? .end(name) : .start(name, attributes, isEmpty: false) }
            if !isEnd, take("/") { return take(">") ? .start(name, attributes, isEmpty: true) : nil }
            guard !isEnd, attributes.count < Self.mostAttributes,
                let attribute = takeAttribute(),
                !attributes.contains(where: { $0.name == attribute.name })
            else { return nil }
            attributes.append(attribute)
        }
    }

    private mutating func takeAttribute() -> (name: String, value: String)? {
        guard let name = takeName() else { return nil }
        skipBlanks()
        guard take("=") else { return nil }
        skipBlanks()
        guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = rest.firstIndex(of: quote), !rest[..<end].contains(UInt8(ascii: "<")),
            let value = Self.unescaped(rest[..<end])
        else { return nil }
        rest = rest[end...].dropFirst()
        return (name, value)
    }

    private mutating func takeName() -> String? {
        let name = rest.prefix { byte in
            byte >= 0x80 || (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "_-.".utf8.contains(byte)
        }
        rest = rest[name.endIndex...]
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) } }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Returns a name without its prefix.
    package static func plain(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    /// Replaces the entities that each document has. Returns `nil` if there are others.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var parts = String(decoding: bytes, as: UTF8.self).split(separator: "&", omittingEmptySubsequences: false)[...]
        var text = String(parts.removeFirst())
        for part in parts {
            guard let end = part.firstIndex(of: ";"), let character = character(part[..<end]) else { return nil }
            text += character
            text += part[end...].dropFirst()
        }
        return text
    }

    private static func character(_ name: Substring) -> String? {
        guard name.hasPrefix("#") else { return entities[String(name)] }
        let isHexadecimal = name.hasPrefix("#x")
        let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        return number.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}
