import Foundation
import Playback

/// A list of media, ready to be queued.
///
/// M3U, PLS, XSPF and folders are understood. What a list says beyond addresses and metadata, options for an engine
/// above all, is not honoured. An entry that can't be used is left out and told in `problems`; the rest is kept.
///
/// ```swift
/// let playlist = try await Playlist.load(url)
/// for problem in playlist.problems { print(problem) }
/// let player = QueuePlayer(items: playlist.items, backend: backend)
/// ```
public struct Playlist: Sendable {
    /// The most that a list may be long, in bytes.
    public static let byteLimit = 10 << 20
    /// The most entries that are read, the broken ones among them; what follows is cut off with a notice.
    public static let entryLimit = 100_000

    /// Where the list is; after redirects, if it came from a server.
    public let url: URL
    /// How the list is written.
    public let format: PlaylistFormat
    /// What the list calls itself, a folder's name, or `nil`.
    public let title: String?
    /// What can be played, in the order of the list. It may be empty.
    public let items: [PlayerItem]
    /// What was left out or ignored, in the order in which it was found.
    public let problems: [PlaylistProblem]

    init(url: URL, format: PlaylistFormat, title: String?, items: [PlayerItem], problems: [PlaylistProblem]) {
        self.url = url
        self.format = format
        self.title = title
        self.items = items
        self.problems = problems
    }

    /// Reads a list that is in memory already.
    ///
    /// - Parameters:
    ///   - data: the list, of at most `byteLimit` bytes.
    ///   - url: where it came from. Relative entries are resolved against it; with any scheme but `file`, entries can't
    ///     name local files.
    /// - Throws: if this is no list at all. Single entries that are broken don't throw.
    public init(data: Data, url: URL) throws(PlaylistError) {
        guard data.count <= Self.byteLimit else { throw PlaylistError(.tooLarge, url: url) }
        guard let format = PlaylistFormat(of: data, url: url) else {
            let isBlank = PlaylistText(data).lines.allSatisfy(\.isBlank)
            throw PlaylistError(isBlank ? .empty : .unrecognised, url: url)
        }
        var builder = PlaylistBuilder(list: url)
        switch format {
        case .hls: builder.items = [PlayerItem(url: url)]
        case .pls: try PLSReader.read(PlaylistText(data), into: &builder)
        case .xspf: try XSPFReader.read(data, into: &builder)
        default:
            let isUTF8 = url.pathExtension.lowercased() == "m3u8"
            M3UReader.read(PlaylistText(data, isAlwaysUTF8: isUTF8), into: &builder)
        }
        self = builder.playlist(as: format)
    }

    /// Whether this is one medium, an HLS stream, that merely looks like a list. `items` then holds it alone.
    public var isHLS: Bool { format == .hls }

    /// Whether an address looks like that of a playlist: by its extension, or because it is a folder on this machine.
    ///
    /// `.m3u8` on a server is most often HLS. To load it as a playlist is right all the same, but costs a request that
    /// a host can do without if it knows better.
    public static func isPlaylist(_ url: URL) -> Bool {
        if PlaylistFormat(extensionOf: url) != nil { return true }
        return url.isFileURL && FileKind(at: url) == .folder
    }
}
