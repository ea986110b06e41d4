import FlowplayerSDK
import Foundation
import Playlists
import ResumePositions

/// The items to play: files, streams, and the entries of playlists and folders.
struct Program {
    private(set) var items: [PlayerItem] = []
    /// The subtitle files that are added to each item.
    let subtitles: [ExternalSubtitle]
    /// `true` if a playlist or folder could not be read.
    private(set) var hasFailed = false
    /// The file with standard input; `nil` if it is not played.
    private(set) var standardInput: URL?
    /// The items that start at a stored position.
    private(set) var resumed: Set<PlayerItem.ID> = []

    /// Reads the playlists and folders of the arguments. Prints their errors to standard error.
    ///
    /// - Parameter positions: the positions where items start, unless `--start` is given.
    @MainActor
    init(_ options: Options, _ positions: ResumeStore?) async {
        subtitles = options.subtitles.map { ExternalSubtitle(url: $0.url) }
        for argument in options.media {
            if argument == .standardInput {
                await addStandardInput(options)
                continue
            }
            guard Self.isList(argument.url) else {
                add(PlayerItem(url: argument.url), options)
                continue
            }
            do throws(PlaylistError) {
                let list = try await Playlist.load(argument.url, recursive: options.recursive)
                for problem in list.problems where problem.isSkipped || !options.quiet {
                    Messages.print("\(argument.name): \(problem)")
                }
                for item in list.items { add(item, options) }
                if list.items.isEmpty {
                    let isFolder = (try? argument.url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
                    let advice = isFolder && !options.recursive ? " --recursive reads its sub-folders." : ""
                    fail("\(argument.name): contains no media files." + advice)
                }
            } catch {
                fail("\(argument.name): \(error.message)")
            }
        }
        if options.start == nil, let positions { await resume(positions) }
    }

    @MainActor
    private mutating func addStandardInput(_ options: Options) async {
        if !StandardInput.isFile, !options.quiet {
            Messages.print("Reading standard input to its end, up to 4 GB.")
        }
        do throws(StandardInput.Failure) {
            let url = try await StandardInput.file()
            standardInput = url
            add(PlayerItem(url: url, metadata: MediaMetadata(title: "standard input")), options)
        } catch {
            fail(error.message)
        }
    }

    @MainActor
    private mutating func resume(_ positions: ResumeStore) async {
        for index in items.indices {
            guard let position = await positions.position(of: items[index].url) else { continue }
            items[index].startPosition = position
            resumed.insert(items[index].id)
        }
    }

    private mutating func add(_ source: PlayerItem, _ options: Options) {
        var item = source
        item.subtitles = subtitles
        item.preferredPeakBitRate = options.maxBitRate.map { $0 * 1000 }
        item.startPosition = options.start?.seconds ?? 0
        // A playlist may name any server, which must not receive secrets.
        if options.media.contains(where: { $0.url.origin == source.url.origin }) {
            item.httpHeaders = Dictionary(options.header.map { ($0.name, $0.value) }) { $1 }
            item.userAgent = options.userAgent
        }
        items.append(item)
    }

    private mutating func fail(_ message: String) {
        hasFailed = true
        Messages.print(message)
    }

    /// An `.m3u8` address on a server is an HLS stream, not a playlist of files.
    private static func isList(_ url: URL) -> Bool {
        Playlist.isPlaylist(url) && (url.isFileURL || url.pathExtension.lowercased() != "m3u8")
    }
}
