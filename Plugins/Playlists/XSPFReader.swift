import Foundation
import Playback

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads XSPF: tracks with locations and metadata.
final class XSPFReader: NSObject, XMLParserDelegate {
    private struct Track {
        let line: Int
        var locations: [PlaylistBuilder.Location] = []
        var metadata = MediaMetadata()
    }

    private struct Element {
        let name: String
        let line: Int
        /// The URL that relative addresses in it refer to (`xml:base`).
        let base: URL
        var text = ""
    }

    private var builder: PlaylistBuilder
    /// The open elements, from the root.
    private var elements: [Element] = []
    private var root: String?
    private var track: Track?

    private init(_ builder: PlaylistBuilder) { self.builder = builder }

    static func read(_ data: Data, into builder: inout PlaylistBuilder) throws(PlaylistError) {
        let list = builder.addresses.list
        let text = PlaylistText(data)
        // With NUL bytes, a parser can detect UTF-16 and see other markup than the sanitizer.
        guard !text.bytes.contains(0) else { throw PlaylistError(.malformed, url: list, detail: notXML) }
        guard let xml = XMLSanitizer.sanitize(text.bytes) else {
            let detail = "The playlist makes declarations in a document type, which is not allowed."
            throw PlaylistError(.malformed, url: list, detail: detail)
        }
        let reader = XSPFReader(builder)
        let parser = XMLParser(data: Data(xml))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        // For some truncated documents, `parse` returns `true` and sets an error.
        let isWhole = parser.parse() && parser.parserError == nil
        builder = reader.builder
        if let root = reader.root, root != "playlist" { throw PlaylistError(.unrecognised, url: list) }
        if isWhole { return }
        let line = reader.line(of: parser)
        guard builder.entries > 0 else { throw PlaylistError(.malformed, url: list, detail: notXML, line: line) }
        builder.report("The playlist is damaged from here on.", "", line: line)
    }

    private static let notXML = "The playlist is not XML."

    private func line(of parser: XMLParser) -> Int { max(1, parser.lineNumber) }

    // MARK: XMLParserDelegate

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let line = line(of: parser)
        let plainName = isInExtension ? name : Self.plain(name)
        root = root ?? plainName
        elements.append(Element(name: plainName, line: line, base: base(attributes["xml:base"], line: line)))
        if path == Self.trackPath {
            track = Track(line: line)
        } else if isInExtension, Self.plain(name) == "option" {
            builder.ignore(option: name, line: line)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { add(string) }

    func parser(_ parser: XMLParser, foundCDATA block: Data) { add(String(decoding: block, as: UTF8.self)) }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        let path = path
        guard let element = elements.popLast() else { return }
        if path == ["playlist", "title"] {
            builder.title = element.text
        } else if path == Self.trackPath {
            endTrack()
        } else if path.dropLast() == Self.trackPath {
            add(element)
        }
    }

    private func add(_ text: String) {
        guard let last = elements.indices.last, elements[last].text.utf8.count < Limits.element else { return }
        elements[last].text += text
    }

    // MARK: Tracks

    private static let trackPath = ["playlist", "trackList", "track"]

    private var path: [String] { elements.map(\.name) }

    private var isInExtension: Bool { elements.contains { $0.name == "extension" } }

    /// The name without its prefix. Some lists have a prefix for XSPF itself.
    private static func plain(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    private func add(_ element: Element) {
        let value = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !value.isEmpty else { return }
        switch element.name {
        case "location": track?.locations.append(.init(text: value, line: element.line, base: element.base))
        case "title": track?.metadata.title = value
        case "creator": track?.metadata.artist = value
        case "album": track?.metadata.album = value
        case "image": track?.metadata.artworkURL = builder.addresses.artwork(value, base: element.base)
        default: break
        }
    }

    private func endTrack() {
        guard let track else { return }
        self.track = nil
        guard builder.takesEntry(line: track.line) else { return }
        if track.locations.isEmpty {
            builder.report("The track has no address.", track.metadata.title ?? "", line: track.line)
        }
        builder.add(track.locations, track.metadata)
    }

    private func base(_ attribute: String?, line: Int) -> URL {
        let outer = elements.last?.base ?? builder.addresses.list
        guard let attribute, !attribute.isEmpty else { return outer }
        do throws(EntryRefusal) {
            return try builder.addresses.address(attribute, base: outer)
        } catch {
            builder.report("This base is not used. \(error.reason)", attribute, line: line, isSkipped: false)
            return outer
        }
    }
}
