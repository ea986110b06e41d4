import Playback

/// Reads M3U: one entry per line, and lines that start with `#` about the next entry.
enum M3UReader {
    static func read(_ text: PlaylistText, into builder: inout PlaylistBuilder) {
        var metadata = MediaMetadata()
        for line in text.lines where !line.isBlank {
            if line.begins(with: "#") {
                read(directive: line, about: &metadata, into: &builder)
                continue
            }
            guard builder.takesEntry(line: line.number) else { return }
            if let entry = line.text {
                builder.add([.init(text: entry, line: line.number)], metadata)
            } else {
                builder.report("The line is not in UTF-8.", line.repairedText, line: line.number)
            }
            metadata = MediaMetadata()
        }
    }

    private static func read(
        directive line: PlaylistText.Line, about metadata: inout MediaMetadata, into builder: inout PlaylistBuilder
    ) {
        let text = line.repairedText
        let (name, value) = text.cut(at: ":") ?? (text, "")
        switch name.uppercased() {
        case "#EXTVLCOPT", "#KODIPROP", "#EXTHTTP":
            builder.ignore(option: String(text.prefix { $0 != "=" && $0 != "{" }), line: line.number)
        case "#EXTINF":
            let (attributes, title) = information(value)
            metadata.title = title
            if let logo = attribute("tvg-logo", in: attributes) {
                metadata.artworkURL = builder.addresses.artwork(logo)
            }
        case "#EXTALB": metadata.album = value
        case "#EXTART": metadata.artist = value
        case "#EXTIMG": metadata.artworkURL = builder.addresses.artwork(value)
        case "#PLAYLIST": builder.title = value
        default: break
        }
    }

    /// The title follows the first comma outside quotes: `-1 group="News, local",Title`.
    private static func information(_ value: String) -> (attributes: String, title: String?) {
        var isQuoted = false
        let outside = value.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        // A single quotation mark is a plain character.
        guard let comma = outside ?? value.firstIndex(of: ",") else { return (value, nil) }
        return (String(value[..<comma]), String(value[value.index(after: comma)...]))
    }

    private static func attribute(_ name: String, in attributes: String) -> String? {
        guard let start = attributes.firstRange(of: name + "=\"")?.upperBound else { return nil }
        let value = attributes[start...].prefix { $0 != "\"" }
        return value.isEmpty ? nil : String(value)
    }
}
