import FlowplayerSDK
import Foundation
import Playlists

/// What the arguments come to: media, and what playlists and folders list.
struct Program {
    /// A medium, and how people know it.
    struct Entry {
        let item: PlayerItem
        let name: String
    }

    private(set) var entries: [Entry] = []
    /// Whether something that was named could not be read.
    private(set) var hasFailed = false

    /// Reads the playlists. What is wrong with them is told on standard error.
    init(_ arguments: [MediaArgument], isQuiet: Bool) async {
        for argument in arguments {
            guard Self.isList(argument.url) else {
                entries.append(Entry(item: PlayerItem(url: argument.url), name: argument.name))
                continue
            }
            do throws(PlaylistError) {
                let list = try await Playlist.load(argument.url)
                for problem in list.problems where problem.isSkipped || !isQuiet {
                    Messages.tell("\(argument.name): \(problem)")
                }
                entries += list.items.map { Entry(item: $0, name: $0.metadata.title ?? $0.url.lastPathComponent) }
                if list.items.isEmpty { fail("\(argument.name): there is nothing in it to play.") }
            } catch {
                fail("\(argument.name): \(error.message)")
            }
        }
    }

    private mutating func fail(_ message: String) {
        hasFailed = true
        Messages.tell(message)
    }

    /// On a server, `.m3u8` is a stream.
    private static func isList(_ url: URL) -> Bool {
        Playlist.isPlaylist(url) && (url.isFileURL || url.pathExtension.lowercased() != "m3u8")
    }
}
