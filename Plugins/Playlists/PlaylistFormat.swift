import Foundation

/// The format of a playlist. New formats may be added.
public struct PlaylistFormat: Hashable, Sendable {
    /// The name in lower case. Names are stable.
    public let name: String

    /// M3U: one file or address per line, plain or extended.
    public static let m3u = Self(name: "m3u")
    /// PLS: an INI file with numbered keys.
    public static let pls = Self(name: "pls")
    /// XSPF: the XML of the Xiph Foundation, version 0 or 1.
    public static let xspf = Self(name: "xspf")
    /// The media files of a folder.
    public static let folder = Self(name: "folder")
    /// A playlist of HTTP Live Streaming (RFC 8216), which is one stream.
    public static let hls = Self(name: "hls")

    private init(name: String) { self.name = name }

    /// The format for the extension of a URL; `nil` for other extensions. Never `hls` or `folder`.
    public init?(extensionOf url: URL) {
        let formats: [String: Self] = ["m3u": .m3u, "m3u8": .m3u, "pls": .pls, "xspf": .xspf]
        guard let format = formats[url.pathExtension.lowercased()] else { return nil }
        self = format
    }

    /// The format by the first bytes of a list, else by its extension.
    ///
    /// - Returns: `nil` if the data is not a playlist: empty, a web page or binary data.
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
            // XSPF starts with `<`.
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
