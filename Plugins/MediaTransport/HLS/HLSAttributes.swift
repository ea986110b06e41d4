import Foundation

/// Attribute lists of HLS (RFC 8216, section 4.2).
enum HLSAttributes {
    /// Returns the well-formed attributes of a list (RFC 8216, section 4.2), each name once, up to the first error.
    ///
    /// Engines parse less strictly, so they could find an address in the rest. libVLC drops digits and other characters of names.
    ///
    /// - Parameter allowsDigits: `true` for a list that no engine reads.
    static func list(_ list: String, allowsDigits: Bool = false) -> [(name: String, value: String)] {
        var rest = list.unicodeScalars[...]
        var attributes: [(name: String, value: String)] = []
        var names: Set<String> = []
        // A regular expression would need a second for a playlist with a thousand keys.
        while let end = rest.firstIndex(where: { "=,\"".unicodeScalars.contains($0) }), rest[end] == "=" {
            let name = String(rest[..<end]).trimmingCharacters(in: .whitespaces)
            rest = rest[end...].dropFirst()
            let isQuoted = rest.first == "\""
            guard let value = takeValue(from: &rest) else { break }
            // Without quotes, libVLC drops the first and the last character of the address.
            guard isName(name, allowsDigits), name != "URI" || isQuoted, names.insert(name).inserted else { continue }
            attributes.append((name, value))
        }
        return attributes
    }

    /// Removes a value and the comma after it. Returns `nil` if the value is not well-formed.
    private static func takeValue(from rest: inout Substring.UnicodeScalarView) -> String? {
        var end = rest.startIndex
        if rest.first == "\"" {
            guard let quote = rest.dropFirst().firstIndex(of: "\"") else { return nil }
            end = rest.index(after: quote)
        } else {
            end = rest.firstIndex { $0 == "," || $0 == "\"" } ?? rest.endIndex
        }
        let value = String(rest[..<end])
        rest = rest[end...].drop { $0 == " " || $0 == "\t" }
        guard rest.isEmpty || rest.removeFirst() == "," else { return nil }
        return value
    }

    private static func isName(_ text: String, _ allowsDigits: Bool) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                ("A"..."Z").contains($0) || $0 == "-" || allowsDigits && ("0"..."9").contains($0)
            }
    }

    /// Returns the attributes by their names, without quotes.
    static func values(_ text: some StringProtocol) -> [String: String] {
        Dictionary(list(String(text), allowsDigits: true).map { ($0.name, $0.value.trimmingCharacters(in: ["\""])) }) {
            first, _ in first
        }
    }
}
