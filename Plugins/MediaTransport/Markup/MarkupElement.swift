import Foundation

/// An element of an XML document.
///
/// `XMLParser` would load libxml2 into each process, and builds no tree. Manifests and advertisements need neither a document
/// type nor other entities than those of XML, so this parser refuses both.
package struct MarkupElement: Sendable {
    /// The name without its prefix.
    package let name: String
    /// The attributes, whose names have their prefixes.
    package private(set) var attributes: [(name: String, value: String)] = []
    package private(set) var children: [MarkupElement] = []
    /// The text directly in the element.
    package private(set) var text = ""

    package subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    package func children(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

    package func first(_ name: String) -> MarkupElement? { children.first { $0.name == name } }

    private init(name: String) { self.name = name }

    /// The deepest nesting of elements.
    static let deepest = 32
    /// The largest number of elements.
    static let mostElements = 100_000
    /// The largest number of attributes of an element.
    static let mostAttributes = 64

    /// Reads a document in UTF-8. Returns `nil` if it is damaged, beyond the limits, or not of the kind.
    ///
    /// - Parameter root: the name of its root; `nil` for any.
    package init?(_ document: [UInt8], root: String? = nil) {
        var parser = MarkupParser(document)
        var open: [MarkupElement] = []
        var count = 0
        while let token = parser.next() {
            switch token {
            case .text(let text): open.isEmpty ? () : open[open.count - 1].text.append(text)
            case .start(let name, let attributes, let isEmpty):
                count += 1
                guard count <= Self.mostElements, open.count < Self.deepest else { return nil }
                var element = MarkupElement(name: name)
                element.attributes = attributes
                open.append(element)
                guard root == nil || open[0].name == root else { return nil }
                guard isEmpty else { continue }
                if open.count == 1 {
                    self = element
                    return
                }
                open.removeLast()
                open[open.count - 1].children.append(element)
            case .end(let name):
                guard let element = open.popLast(), element.name == name else { return nil }
                if open.isEmpty {
                    self = element
                    return
                }
                open[open.count - 1].children.append(element)
            }
        }
        return nil
    }
}

/// Splits an XML document into tags and text.
private struct MarkupParser {
    enum Token {
        case start(String, [(name: String, value: String)], isEmpty: Bool)
        case end(String)
        case text(String)
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...].dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    /// - Returns: `nil` at the end and at the first error.
    mutating func next() -> Token? {
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else {
                let text = rest.prefix { $0 != UInt8(ascii: "<") }
                rest = rest[text.endIndex...]
                return Self.unescaped(text).map { .text($0) }
            }
            if skips("<!--", to: "-->") || skips("<?", to: "?>") { continue }
            if rest.starts(with: "<![CDATA[".utf8) {
                guard let end = rest.firstRange(of: "]]>".utf8) else { return nil }
                let text = rest[..<end.lowerBound].dropFirst(9)
                rest = rest[end.upperBound...]
                return .text(String(decoding: text, as: UTF8.self))
            }
            rest = rest.dropFirst()
            return rest.first == UInt8(ascii: "/") ? endTag() : startTag()
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

    private mutating func endTag() -> Token? {
        rest = rest.dropFirst()
        guard let name = takeName() else { return nil }
        skipBlanks()
        return take(">") ? .end(Self.plain(name)) : nil
    }

    private mutating func startTag() -> Token? {
        guard let name = takeName() else { return nil }
        var attributes: [(name: String, value: String)] = []
        while true {
            skipBlanks()
            if take("/") { return take(">") ? .start(Self.plain(name), attributes, isEmpty: true) : nil }
            if take(">") { return .start(Self.plain(name), attributes, isEmpty: false) }
            guard attributes.count < MarkupElement.mostAttributes, let attribute = takeAttribute(),
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

    private static func plain(_ name: String) -> String {
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
