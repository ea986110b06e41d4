import Foundation

/// The macros in the addresses of trackers and documents. Source: VAST 4.2, section 6, and VMAP 1.0 for `ERROR_CODE` and
/// `ERROR_MESSAGE`.
struct AdMacros: Sendable {
    /// The value by the name of the macro, not yet encoded.
    var values: [String: String] = [:]

    /// The value for a macro that the player knows but cannot give here.
    private static let unknown = "-1"
    private static let known: Set<String> = [
        "ADCATEGORIES", "ADCOUNT", "ADPLAYHEAD", "ADSERVINGID", "ADTYPE", "APIFRAMEWORKS", "APPBUNDLE", "ASSETURI",
        "BLOCKEDADCATEGORIES", "BREAKMAXADLENGTH", "BREAKMAXADS", "BREAKMAXDURATION", "BREAKMINADLENGTH",
        "BREAKMINDURATION", "BREAKPOSITION", "CACHEBUSTING", "CLICKPOS", "CLICKTYPE", "CLIENTUA", "CONTENTID",
        "CONTENTPLAYHEAD", "CONTENTURI", "DEVICEIP", "DEVICEUA", "DOMAIN", "ERRORCODE", "ERROR_CODE", "ERROR_MESSAGE",
        "EXTENSIONS", "GDPRCONSENT",
        "IFA", "IFATYPE", "INVENTORYSTATE", "LATLONG", "LIMITADTRACKING", "MEDIAMIME", "MEDIAPLAYHEAD", "OMIDPARTNER",
        "PAGEURL", "PLACEMENTTYPE", "PLAYERCAPABILITIES", "PLAYERSIZE", "PLAYERSTATE", "PODSEQUENCE", "REASON",
        "REGULATIONS", "SERVERSIDE", "SERVERUA", "TIMESTAMP", "TRANSACTIONID", "UNIVERSALADID", "VASTVERSIONS",
        "VERIFICATIONVENDORS",
    ]

    /// The longest address, in bytes. A document may repeat a macro whose value it gives itself.
    private static let longestAddress = 2 * VASTDocument.longestAddress

    /// Replaces the macros, and encodes their values for an address. Names that are no macros stay.
    ///
    /// - Returns: `nil` if it is no address, or too long.
    func address(_ template: String) -> URL? {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(where: { $0 == "[" || $0 == "%" }) {
            guard text.utf8.count <= Self.longestAddress else { return nil }
            text += rest[..<open]
            rest = rest[open...]
            if let (name, end) = Self.macro(at: rest), let value = value(name) {
                text += value
                rest = rest[end...]
            } else {
                text.append(rest.removeFirst())
            }
        }
        text += rest
        return text.utf8.count <= Self.longestAddress ? Self.url(text) : nil
    }

    /// The address of a text with characters that it may not have.
    static func url(_ text: String) -> URL? { URL(string: encoded(text)) }

    /// Encodes what an address may not have behind its server, and nothing else: `URL` would encode each `%` too.
    private static func encoded(_ text: String) -> String {
        guard let server = text.range(of: "://"),
            let end = text[server.upperBound...].firstIndex(where: { "/?#".contains($0) })
        else { return text }
        let pieces = text[end...].split(separator: "%", omittingEmptySubsequences: false)
        let encoded = pieces.enumerated().map { index, piece in
            let isEncoded = piece.count > 1 && piece.prefix(2).allSatisfy(\.isHexDigit)
            let sign = index == 0 ? "" : isEncoded ? "%" : "%25"
            return sign + (String(piece).addingPercentEncoding(withAllowedCharacters: valid) ?? "")
        }
        return text[..<end] + encoded.joined()
    }

    private static let valid = allowed.union(CharacterSet(charactersIn: ":/?#@!$&'()*+;="))

    /// The name of the macro at the beginning of a text, and its end. Servers also send encoded brackets.
    private static func macro(at text: Substring) -> (name: Substring, end: String.Index)? {
        let isEncoded = text.first == "%"
        let (open, close) = isEncoded ? ("%5B", "%5D") : ("[", "]")
        guard text.prefix(open.count).uppercased() == open else { return nil }
        let name = text.dropFirst(open.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        let end = text[name.endIndex...].prefix(close.count)
        return end.uppercased() == close ? (name, end.endIndex) : nil
    }

    /// `nil` if there is no such macro.
    private func value(_ name: Substring) -> String? {
        guard let value = values[String(name)] ?? (Self.known.contains(String(name)) ? Self.unknown : nil) else {
            return nil
        }
        return value.addingPercentEncoding(withAllowedCharacters: Self.allowed)
    }

    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,")

    /// A position as trackers have it: `00:00:12.500`.
    static func time(_ seconds: Double) -> String {
        let milliseconds = Int((min(max(0, seconds), 359_999) * 1000).rounded())
        let (total, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let fraction = String(rest + 1000).dropFirst()
        return "\(two(total / 3600)):\(two(total / 60 % 60)):\(two(total % 60)).\(fraction)"
    }

    /// A random number of eight digits.
    static var random: Int { .random(in: 10_000_000...99_999_999) }

    /// Adds the time and a random number. Each request has its own.
    func fresh(at date: Date = Date(), random: Int = AdMacros.random) -> AdMacros {
        var macros = self
        macros.values["CACHEBUSTING"] = String(random)
        macros.values["TIMESTAMP"] = date.formatted(.iso8601)
        return macros
    }
}
