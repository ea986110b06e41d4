import Foundation
import MediaTransport
import Playback

/// Reads XSPF: tracks with locations and metadata.
struct XSPFReader {
    private struct Track {
        let line: Int
        var locations: [PlaylistBuilder.Location] = []
        var metadata = MediaMetadata()
    }

    private struct Element {
        /// The name with its prefix.
        let tag: String
        /// The name without the prefix, except in an extension.
        let name: String
        let line: Int
        /// The URL that relative addresses in it refer to (`xml:base`).
        let base: URL
        var text = ""
    }

    /// The deepest nesting of elements.
    private static let deepest = 256
    private static let notXML = "The playlist is not XML."
    private static let trackPath = ["playlist", "trackList", "track"]

    private var builder: PlaylistBuilder
    /// The open elements, from the root.
    private var elements: [Element] = []
    private var root: String?
    private var track: Track?

    private init(_ builder: PlaylistBuilder) { self.builder = builder }

    static func read(_ data: Data, into builder: inout PlaylistBuilder) throws(PlaylistError) {
        let list = builder.addresses.list
        let text = PlaylistText(data)
        // Text in UTF-16 that is damaged.
        guard !text.bytes.contains(0) else { throw PlaylistError(.malformed, url: list, detail: notXML) }
        var parser = MarkupParser(text.bytes)
        var reader = XSPFReader(builder)
        var damage: MarkupParser.Damage?
        do throws(MarkupParser.Damage) {
            while let token = try parser.next() { try reader.take(token, line: parser.line) }
            if reader.root == nil || !reader.elements.isEmpty { throw .malformed }
        } catch {
            damage = error
        }
        builder = reader.builder
        if damage == .declarations {
            let detail = "The playlist makes declarations in a document type, which is not allowed."
            throw PlaylistError(.malformed, url: list, detail: detail)
        }
        if let root = reader.root, root != "playlist" { throw PlaylistError(.unrecognised, url: list) }
        guard damage != nil else { return }
        guard builder.entries > 0 else { throw PlaylistError(.malformed, url: list, detail: notXML, line: parser.line) }
        builder.report("The playlist is damaged from here on.", "", line: parser.line)
    }

    private mutating func take(_ token: MarkupParser.Token, line: Int) throws(MarkupParser.Damage) {
        let isOutside = elements.isEmpty
        switch token {
        case .start(let tag, let attributes, let isEmpty):
            guard elements.count < Self.deepest, !isOutside || root == nil else { throw .malformed }
            begin(tag, base: attributes.first { $0.name == "xml:base" }?.value, line: line)
            if isEmpty { end() }
        case .end(let tag):
            guard elements.last?.tag == tag else { throw .malformed }
            end()
        case .text(let text):
            guard !isOutside || text.allSatisfy(\.isWhitespace) else { throw .malformed }
            if !isOutside, elements[elements.count - 1].text.utf8.count < Limits.element {
                elements[elements.count - 1].text += text
            }
        }
    }

    private mutating func begin(_ tag: String, base address: String?, line: Int) {
        let isInExtension = elements.contains { $0.name == "extension" }
        let name = isInExtension ? tag : MarkupParser.plain(tag)
        root = root ?? name
        elements.append(Element(tag: tag, name: name, line: line, base: base(address, line: line)))
        if path == Self.trackPath {
            track = Track(line: line)
        } else if isInExtension, MarkupParser.plain(tag) == "option" {
            builder.ignore(option: tag, line: line)
        }
    }

    private mutating func end() {
        let path = path
        let element = elements.removeLast()
        if path == ["playlist", "title"] {
            builder.title = element.text
        } else if path == Self.trackPath {
            endTrack()
        } else if path.dropLast() == Self.trackPath {
            add(element)
        }
    }

    // MARK: Elements

    private var path: [String] { elements.map(\.name) }

    private mutating func add(_ element: Element) {
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

    private mutating func endTrack() {
        guard let track else { return }
        self.track = nil
        guard builder.takesEntry(line: track.line) else { return }
        if track.locations.isEmpty {
            builder.report("The track has no address.", track.metadata.title ?? "", line: track.line)
        }
        builder.add(track.locations, track.metadata)
    }

    private mutating func base(_ attribute: String?, line: Int) -> URL {
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
