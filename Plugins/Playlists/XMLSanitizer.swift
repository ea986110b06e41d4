/// Takes out of XML what a playlist has no need of, before a parser sees it.
///
/// Document types can stand for gigabytes and for files of this machine. A processing instruction without content makes
/// Foundation's `XMLParser` on Linux read a null pointer. So comments, processing instructions and document types become
/// white space; what remains is elements, text and CDATA. Lines stay where they are.
struct XMLSanitizer {
    private let bytes: [UInt8]
    private var sifted: [UInt8] = []

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        sifted.reserveCapacity(bytes.count)
    }

    /// - Returns: what remains; where the XML is damaged it ends in a `<`, so that no parser takes it for whole. `nil`
    ///   if a document type has declarations of its own.
    static func sift(_ bytes: [UInt8]) -> [UInt8]? {
        var sieve = Self(bytes)
        return sieve.sift() ? sieve.sifted : nil
    }

    private mutating func sift() -> Bool {
        var place = 0
        while let open = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            sifted += bytes[place..<open]
            let end: Int?
            if has("<!--", at: open) {
                end = self.end("-->", from: open + 4)
                blank(open, end)
            } else if has("<?", at: open) {
                end = self.end("?>", from: open + 2)
                blank(open, end)
            } else if has("<!DOCTYPE", at: open) {
                end = tagEnd(from: open + 1)
                if bytes[open..<(end ?? bytes.endIndex)].contains(UInt8(ascii: "[")) { return false }
                blank(open, end)
            } else {
                if has("<![CDATA[", at: open) {
                    end = self.end("]]>", from: open + 9)
                } else {
                    end = has("<!", at: open) ? nil : tagEnd(from: open + 1)
                }
                if let end { sifted += bytes[open..<end] }
            }
            guard let end else {
                sifted.append(UInt8(ascii: "<"))
                return true
            }
            place = end
        }
        sifted += bytes[place...]
        return true
    }

    private func has(_ start: StaticString, at place: Int) -> Bool {
        start.withUTF8Buffer { bytes[place...].starts(with: $0) }
    }

    private func end(_ mark: StaticString, from place: Int) -> Int? {
        mark.withUTF8Buffer { mark in
            var place = place
            while place < bytes.count, let found = bytes[place...].firstIndex(of: mark[0]) {
                if bytes[found...].starts(with: mark) { return found + mark.count }
                place = found + 1
            }
            return nil
        }
    }

    /// The `>` of a tag, outside of quotation marks. A tag has no `<` in it, not even in a value.
    private func tagEnd(from start: Int) -> Int? {
        var quote: UInt8?
        for place in start..<bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "<"): return nil
            case let byte where byte == quote: quote = nil
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = quote ?? bytes[place]
            case UInt8(ascii: ">") where quote == nil: return place + 1
            default: break
            }
        }
        return nil
    }

    private mutating func blank(_ start: Int, _ end: Int?) {
        sifted += bytes[start..<(end ?? start)].map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
    }
}
