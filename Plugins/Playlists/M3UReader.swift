/// Reads M3U: one entry per line, and lines that start with `#` about the next entry.
enum M3UReader {
    private static let options = ["#EXTVLCOPT", "#KODIPROP", "#EXTHTTP"]

    static func read(_ text: PlaylistText, into builder: inout PlaylistBuilder) {
        var details = PlaylistBuilder.Details()
        for line in text.lines where !line.isBlank {
            guard !line.begins(with: "#") else {
                read(directive: line, into: &details, &builder)
                continue
            }
            guard builder.takesEntry(line: line.number) else { return }
            if let entry = line.text {
                builder.add(entry, line: line.number, details: details)
            } else {
                builder.skip(line.repairedText, line: line.number, because: .notUTF8)
            }
            details = PlaylistBuilder.Details()
        }
    }

    private static func read(
        directive line: PlaylistText.Line, into details: inout PlaylistBuilder.Details, _ builder: inout PlaylistBuilder
    ) {
        if let option = options.first(where: line.begins(with:)) {
            let name = line.repairedText.prefix { $0 != "=" && $0 != "{" }
            builder.ignore(option: name.isEmpty ? option : String(name), line: line.number)
        } else if let value = line.value(after: "#EXTINF:") {
            let (attributes, title) = information(value)
            details.title = title
            details.artwork = attribute("tvg-logo", in: attributes) ?? details.artwork
        } else if let value = line.value(after: "#EXTALB:") {
            details.album = value
        } else if let value = line.value(after: "#EXTART:") {
            details.artist = value
        } else if let value = line.value(after: "#EXTIMG:") {
            details.artwork = value
        } else if let value = line.value(after: "#PLAYLIST:") {
            builder.title = value
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

extension PlaylistText.Line {
    fileprivate func value(after directive: String) -> String? {
        begins(with: directive) ? String(repairedText.unicodeScalars.dropFirst(directive.unicodeScalars.count)) : nil
    }
}
