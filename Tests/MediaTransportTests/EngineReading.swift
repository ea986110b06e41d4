import Foundation

/// The addresses in an HLS playlist, found as libVLC 3.0 finds them: less strictly than the specification.
struct EngineReading {
    /// Each with whether libVLC takes what is there for another playlist.
    private(set) var addresses: [(text: String, isPlaylist: Bool)] = []

    private static let named = ["EXT-X-KEY", "EXT-X-MAP", "EXT-X-MEDIA", "EXT-X-STREAM-INF", "EXT-X-SESSION-KEY"]

    init(_ playlist: String) {
        var isVariant = false
        for line in playlist.utf8.split(separator: 10).map(Array.init) where !line.isEmpty {
            if line.starts(with: "#EXT".utf8) {
                let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
                let name = String(decoding: parts[0].dropFirst(), as: UTF8.self)
                isVariant = name == "EXT-X-STREAM-INF"
                guard parts.count == 2, Self.named.contains(name) else { continue }
                let isPlaylist = isVariant || name == "EXT-X-MEDIA"
                for value in Self.values(of: "URI", in: parts[1]) { addresses.append((value, isPlaylist)) }
            } else if line[0] != UInt8(ascii: "#"), ![9, 10, 11, 12, 13, 32].contains(line[0]) {
                addresses.append((String(decoding: line, as: UTF8.self), isVariant))
                isVariant = false
            }
        }
    }

    /// Removes the characters that a name cannot have, and the quotes of a value.
    private static func values(of name: String, in list: some Collection<UInt8>) -> [String] {
        var rest = Array(list)[...]
        var found: [String] = []
        while !rest.isEmpty {
            let head = rest.prefix { $0 != UInt8(ascii: "=") }
            rest = rest.dropFirst(head.count + 1)
            let letters = head.filter {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "-")
            }
            var isQuoted = false
            let value = rest.prefix { byte in
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                return isQuoted || byte != UInt8(ascii: ",")
            }
            rest = rest.dropFirst(value.count + 1)
            if String(decoding: letters, as: UTF8.self) == name {
                found.append(String(decoding: value.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
            }
        }
        return found
    }
}
