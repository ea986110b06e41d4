import Foundation

extension EntryAddresses {
    /// Separates an entry from the options that some players allow after it, and returns the names of the options.
    ///
    /// An address can have `|User-Agent=x` and ` :network-caching=1`. A path can have only the latter, because `|` is
    /// allowed in file names.
    func cutOptions(of entry: String, as notation: Notation) -> (entry: String, options: [String]) {
        guard Self.mayHaveOptions(entry) else { return (entry, []) }
        let isAddress = !isLocal || notation == .uri || entry.contains("://")
        guard let cut = isAddress ? addressOptions(entry) : pathOptions(entry) else { return (entry, []) }
        let plain = entry[..<cut]
        let options = entry[cut...].split { $0 == " " || $0 == "|" || $0 == "\t" }
        let names = options.map { String($0.prefix { $0 != "=" && $0 != "&" }) }
        return (plain.trimmingCharacters(in: .whitespaces), names)
    }

    /// A fast check, because most entries have no options.
    private static func mayHaveOptions(_ entry: String) -> Bool {
        var last: UInt8 = 0
        return entry.utf8.contains { byte in
            defer { last = byte }
            return byte == UInt8(ascii: "|") || (byte == UInt8(ascii: ":") && (last == 0x20 || last == 0x09))
        }
    }

    private func addressOptions(_ entry: String) -> String.Index? {
        [
            entry.firstMatch(of: /\|[A-Za-z!][A-Za-z0-9\-]*=/),
            entry.firstMatch(of: /[ \t]+:[a-z][a-z0-9\-]*(?:=|[ \t]|$)/),
        ]
        .compactMap { $0?.range.lowerBound }.min()
    }

    private func pathOptions(_ entry: String) -> String.Index? {
        entry.firstMatch(of: /[ \t]+:[a-z][a-z0-9\-]*=/)?.range.lowerBound
    }
}
