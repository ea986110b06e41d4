import Foundation
import Playback

/// A list of items for a queue, from M3U, PLS, XSPF or a folder.
///
/// Only addresses and metadata are read; options for an engine are ignored. An entry that cannot be used is left out, and
/// `problems` has the reason.
///
/// ```swift
/// let playlist = try await Playlist.load(url)
/// for problem in playlist.problems { print(problem) }
/// let player = QueuePlayer(items: playlist.items, backend: backend)
/// ```
public struct Playlist: Sendable {
    /// The maximum size of a list, in bytes.
    public static let byteLimit = 10 << 20
    /// The maximum number of entries, including unusable ones. Later entries are ignored, with a problem.
    public static let entryLimit = 100_000

    /// The URL of the list, after redirects.
    public let url: URL
    /// The format of the list.
    public let format: PlaylistFormat
    /// The title of the list, or the name of a folder; `nil` if there is none.
    public let title: String?
    /// The usable entries, in the order of the list. Can be empty.
    public let items: [PlayerItem]
    /// The entries and options that were left out or ignored.
    public let problems: [PlaylistProblem]
}

extension Playlist {
    /// Reads a list in memory.
    ///
    /// - Parameters:
    ///   - data: the list, of at most `byteLimit` bytes.
    ///   - url: the URL of the list. Relative entries are resolved against it. Entries can name local files only if its
    ///     scheme is `file`.
    /// - Throws: if the data is not a list. An unusable entry is a problem, not an error.
    public init(data: Data, url: URL) throws(PlaylistError) {
        guard data.count <= Self.byteLimit else { throw PlaylistError(.tooLarge, url: url) }
        guard let format = PlaylistFormat(of: data, url: url) else {
            let isBlank = PlaylistText(data).lines.allSatisfy(\.isBlank)
            throw PlaylistError(isBlank ? .empty : .unrecognised, url: url)
        }
        var builder = PlaylistBuilder(list: url, format: format)
        switch format {
        case .hls: builder.items = [PlayerItem(url: url)]
        case .pls: try PLSReader.read(PlaylistText(data), into: &builder)
        case .xspf: try XSPFReader.read(data, into: &builder)
        default:
            let isUTF8 = url.pathExtension.lowercased() == "m3u8"
            M3UReader.read(PlaylistText(data, isAlwaysUTF8: isUTF8), into: &builder)
        }
        self = builder.playlist
    }

    /// `true` if the list is an HLS stream. `items` then has the stream as its only item.
    public var isHLS: Bool { format == .hls }

    /// Returns `true` for the URL of a playlist, by its extension, and for a local folder.
    ///
    /// A `.m3u8` on a server is usually an HLS stream. `load` detects that with one request.
    public static func isPlaylist(_ url: URL) -> Bool {
        if PlaylistFormat(extensionOf: url) != nil { return true }
        return url.isFileURL && FileKind(at: url) == .folder
    }
}
