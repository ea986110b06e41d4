/// Removes the parts of XML that a playlist does not need, before a parser reads it.
///
/// A document type can expand to gigabytes or to local files. Foundation's `XMLParser` on Linux reads a null pointer for a
/// processing instruction without content. Comments, processing instructions and document types therefore become white
/// space. Elements, text and CDATA remain, in the same lines.
enum XMLSanitizer {
    private static let sections = [
        (start: "<!--", end: "-->", isKept: false), (start: "<?", end: "?>", isKept: false),
        (start: "<![CDATA[", end: "]]>", isKept: true),
    ]

    /// - Returns: the rest of the XML. Damaged XML ends in `<`, so that no parser accepts it as complete. `nil` if a
    ///   document type has declarations.
    static func sanitize(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            result += rest[..<open]
            rest = rest[open...]
            let section = sections.first { rest.starts(with: $0.start.utf8) }
            let isDocumentType = rest.starts(with: "<!DOCTYPE".utf8)
            var end: Int?
            if let section {
                end = rest.dropFirst(section.start.utf8.count).firstRange(of: section.end.utf8)?.upperBound
            } else if isDocumentType || !rest.starts(with: "<!".utf8) {
                end = tagEnd(rest)
            }
            if isDocumentType, rest[..<(end ?? rest.endIndex)].contains(UInt8(ascii: "[")) { return nil }
            guard let end else { return result + [UInt8(ascii: "<")] }
            let isKept = section?.isKept ?? !isDocumentType
            result += isKept ? Array(rest[..<end]) : rest[..<end].map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
            rest = rest[end...]
        }
        return result + rest
    }

    /// The index after the `>` of a tag, outside of quotation marks. A tag contains no other `<`, not even in a value.
    private static func tagEnd(_ tag: ArraySlice<UInt8>) -> Int? {
        var quote: UInt8?
        for index in tag.indices.dropFirst() {
            switch tag[index] {
            case UInt8(ascii: "<"): return nil
            case let byte where byte == quote: quote = nil
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = quote ?? tag[index]
            case UInt8(ascii: ">") where quote == nil: return index + 1
            default: break
            }
        }
        return nil
    }
}
