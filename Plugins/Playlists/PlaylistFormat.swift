import Foundation

/// How a playlist is written. More formats may come.
public struct PlaylistFormat: Hashable, Sendable {
    /// In lower case; stays as it is.
    public let name: String

    /// A file or address a line, with or without what `#EXTM3U` adds.
    public static let m3u = Self(name: "m3u")
    /// Numbered keys, as an INI file.
    public static let pls = Self(name: "pls")
    /// The XML of the Xiph Foundation, version 0 or 1.
    public static let xspf = Self(name: "xspf")
    /// The media files of a folder.
    public static let folder = Self(name: "folder")
    /// A playlist of HTTP Live Streaming (RFC 8216): one medium, in M3U's clothes.
    public static let hls = Self(name: "hls")

    private init(name: String) { self.name = name }

    /// The format that an extension promises; `nil` if it is none of a playlist's.
    ///
    /// Never `hls`, which takes a look inside, and never `folder`.
    public init?(extensionOf url: URL) {
        switch url.pathExtension.lowercased() {
        case "m3u", "m3u8": self = .m3u
        case "pls": self = .pls
        case "xspf": self = .xspf
        default: return nil
        }
    }

    /// The format that the beginning of a list shows, or else its extension.
    ///
    /// - Returns: `nil` if this is no playlist: nothing is in it, or a web page or binary data.
    public init?(of data: Data, url: URL) {
        let text = PlaylistText(data)
        guard let first = text.lines.first(where: { !$0.isBlank }) else { return nil }
        if first.begins(with: "<") {
            guard text.beginning.contains("<playlist") || text.beginning.contains(":playlist") else { return nil }
            self = .xspf
        } else if first.begins(with: "[playlist]") {
            self = .pls
        } else if text.beginning.utf8.contains(0) {
            return nil
        } else if first.begins(with: "#EXTM3U") {
            self = .m3u
        } else {
            self.init(extensionOf: url)
            // An XSPF begins with a `<`.
            if self == .xspf { return nil }
        }
        if self == .m3u, Self.isHLS(text) { self = .hls }
    }

    private static func isHLS(_ text: PlaylistText) -> Bool {
        text.lines.contains { line in
            line.begins(with: "#EXT-X-")
                && ["STREAM-INF", "TARGETDURATION", "MEDIA-SEQUENCE"].contains { line.begins(with: "#EXT-X-" + $0) }
        }
    }
}

extension PlaylistFormat: CustomStringConvertible {
    public var description: String { name }
}
