import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads XSPF: tracks with locations and metadata.
final class XSPFReader: NSObject, XMLParserDelegate {
    private struct Location {
        let text: String
        let base: URL
        let line: Int
    }

    private struct Track {
        let line: Int
        var locations: [Location] = []
        var details = PlaylistBuilder.Details()
        var artworkBase: URL?
    }

    private static let textLimit = 20_000

    private var builder: PlaylistBuilder
    /// The names of the open elements, from the root.
    private var path: [String] = []
    private var root: String?
    /// The base URL (`xml:base`) of each open element.
    private var bases: [URL] = []
    private var text = ""
    private var textLine = 0
    private var track: Track?
    private var tracks = 0

    private init(_ builder: PlaylistBuilder) { self.builder = builder }

    static func read(_ data: Data, into builder: inout PlaylistBuilder) throws(PlaylistError) {
        let list = builder.addresses.list
        let text = PlaylistText(data)
        // With NUL bytes, a parser can detect UTF-16 and see other markup than the sanitizer.
        guard !text.bytes.contains(0) else {
            throw PlaylistError(.malformed, url: list, detail: "The playlist is not XML.")
        }
        guard let xml = XMLSanitizer.sanitize(text.bytes) else {
            throw PlaylistError(
                .malformed, url: list,
                detail: "The playlist makes declarations in a document type, which is not allowed.")
        }
        let reader = XSPFReader(builder)
        let parser = XMLParser(data: Data(xml))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        // For some truncated documents, `parse` returns `true` and sets an error.
        let isWhole = parser.parse() && parser.parserError == nil
        builder = reader.builder
        if let root = reader.root, root != "playlist" { throw PlaylistError(.unrecognised, url: list) }
        guard isWhole || reader.tracks > 0 else {
            throw PlaylistError(
                .malformed, url: list, detail: "The playlist is not XML.", line: reader.line(of: parser))
        }
        if !isWhole {
            builder.skip(
                "", line: reader.line(of: parser), because: EntryRefusal("The playlist is damaged from here on."))
        }
    }

    private func line(of parser: XMLParser) -> Int { max(1, parser.lineNumber) }

    // MARK: XMLParserDelegate

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let line = line(of: parser)
        path.append(isInExtension ? name : Self.plain(name))
        root = root ?? path.first
        bases.append(base(attributes["xml:base"], line: line))
        text = ""
        textLine = line
        if path == Self.trackPath {
            track = Track(line: line)
        } else if isInExtension, Self.plain(name) == "option" {
            builder.ignore(option: name, line: line)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if text.utf8.count < Self.textLimit { text += string }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        if text.utf8.count < Self.textLimit { text += String(decoding: block, as: UTF8.self) }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let base = bases.popLast() else { return }
        defer {
            path.removeLast()
            text = ""
        }
        if path == ["playlist", "title"] {
            builder.title = text
        } else if path == Self.trackPath {
            endTrack()
        } else if path.dropLast() == Self.trackPath {
            keep(text.trimmingCharacters(in: .whitespacesAndNewlines), as: path.last ?? "", base: base)
        }
    }

    // MARK: Tracks

    private static let trackPath = ["playlist", "trackList", "track"]

    private var isInExtension: Bool { path.contains("extension") }

    /// The name without its prefix. Some lists have a prefix for XSPF itself.
    private static func plain(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    private func keep(_ value: String, as element: String, base: URL) {
        guard !value.isEmpty else { return }
        switch element {
        case "location": track?.locations.append(Location(text: value, base: base, line: textLine))
        case "title": track?.details.title = value
        case "creator": track?.details.artist = value
        case "album": track?.details.album = value
        case "image":
            track?.details.artwork = value
            track?.artworkBase = base
        default: break
        }
    }

    private func endTrack() {
        guard let track else { return }
        self.track = nil
        tracks += 1
        guard builder.takesEntry(line: track.line) else { return }
        var refusal: (entry: String, line: Int, reason: EntryRefusal)?
        for location in track.locations {
            let (plain, options) = builder.addresses.cutOptions(of: location.text, as: .uri)
            do throws(EntryRefusal) {
                let url = try builder.addresses.item(plain, as: .uri, base: location.base)
                for option in options { builder.ignore(option: option, line: location.line) }
                return builder.add(url, details: track.details, artwork: artwork(of: track))
            } catch {
                refusal = refusal ?? (plain, location.line, error)
            }
        }
        if let refusal {
            builder.skip(refusal.entry, line: refusal.line, because: refusal.reason)
        } else {
            let reason = EntryRefusal("The track has no address.")
            builder.skip(track.details.title ?? "", line: track.line, because: reason)
        }
    }

    private func artwork(of track: Track) -> URL? {
        guard let image = track.details.artwork, let base = track.artworkBase else { return nil }
        return builder.addresses.artwork(image, as: .uri, base: base)
    }

    private func base(_ attribute: String?, line: Int) -> URL {
        let outer = bases.last ?? builder.addresses.list
        guard let attribute, !attribute.isEmpty else { return outer }
        do throws(EntryRefusal) {
            return try builder.addresses.address(attribute, as: .uri, base: outer)
        } catch {
            builder.note(attribute, line: line, "This base is not used. \(error.reason)")
            return outer
        }
    }
}
