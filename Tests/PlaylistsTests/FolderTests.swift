import Foundation
import Playlists
import Testing

@Suite struct FolderTests {
    private func withFolder(_ names: [String], _ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "Mixed #1 50% \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in names {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
        }
        try await body(folder)
    }

    private func names(in playlist: Playlist, below folder: URL) -> [String] {
        playlist.places.map { String($0.dropFirst(folder.path(percentEncoded: false).count + 1)) }
    }

    @Test func aFolderIsItsMediaInNaturalOrder() async throws {
        let files = [
            "10 Ten.mp3", "2 two.mp3", "1 One.FLAC", "b.mkv", "A.mp4", "cover.jpg", "notes.txt", ".hidden.mp3",
            "list.m3u",
            "noextension", "20% #?.mp3", "sub/z.mp3",
        ]
        try await withFolder(files) { folder in
            let playlist = try await Playlist.load(folder)
            #expect(
                names(in: playlist, below: folder) == [
                    "1 One.FLAC", "2 two.mp3", "10 Ten.mp3", "20% #?.mp3", "A.mp4", "b.mkv",
                ])
            #expect(playlist.format == .folder)
            #expect(playlist.title == folder.lastPathComponent)
            #expect(playlist.items.allSatisfy { $0.metadata.isEmpty && $0.url.isFileURL })
            #expect(playlist.problems.isEmpty)
        }
    }

    @Test func subfoldersFollowTheirFilesIfTheyAreWanted() async throws {
        let files = ["b.mp3", "CD 10/a.mp3", "CD 2/a.mp3", "CD 2/deep/x.mp3", ".trash/y.mp3", "a.mp3"]
        try await withFolder(files) { folder in
            let playlist = try await Playlist.load(folder, recursive: true)
            #expect(
                names(in: playlist, below: folder) == [
                    "a.mp3", "b.mp3", "CD 2/a.mp3", "CD 2/deep/x.mp3", "CD 10/a.mp3",
                ])
        }
    }

    @Test func linksToFilesAreFollowedAndLinksToFoldersAreNot() async throws {
        try await withFolder(["a.mp3", "sub/b.mp3"]) { folder in
            let files = FileManager.default
            let sub = folder.appending(path: "sub")
            try files.createSymbolicLink(at: sub.appending(path: "circle"), withDestinationURL: folder)
            try files.createSymbolicLink(
                at: folder.appending(path: "link.mp3"), withDestinationURL: folder.appending(path: "a.mp3"))
            try files.createSymbolicLink(
                at: folder.appending(path: "gone.mp3"), withDestinationURL: folder.appending(path: "nothing"))
            #expect(mkfifo(folder.appending(path: "pipe.mp3").path(percentEncoded: false), 0o600) == 0)
            let playlist = try await Playlist.load(folder, recursive: true)
            #expect(names(in: playlist, below: folder) == ["a.mp3", "link.mp3", "sub/b.mp3"])
            #expect(playlist.skipped == ["The link leads nowhere. (gone.mp3)"])
        }
    }

    @Test func anEmptyFolderIsAnEmptyList() async throws {
        try await withFolder([]) { folder in
            let playlist = try await Playlist.load(folder)
            #expect(playlist.items.isEmpty)
        }
    }

    @Test func aFileWithAListIsReadWhereItLies() async throws {
        try await withFolder(["a#1.mp3"]) { folder in
            let list = folder.appending(path: "list.m3u")
            try Data("a#1.mp3\n".utf8).write(to: list)
            let playlist = try await Playlist.load(list)
            #expect(names(in: playlist, below: folder) == ["a#1.mp3"])
            let item = try #require(playlist.items.first)
            #expect(FileManager.default.fileExists(atPath: item.url.path(percentEncoded: false)))
        }
    }

    @Test func whatCannotBeReadIsAClearError() async throws {
        try await withFolder([]) { folder in
            let missing = folder.appending(path: "none.m3u")
            let notFound = await #expect(throws: PlaylistError.self) { try await Playlist.load(missing) }
            #expect(notFound?.code == .notFound)
            #expect(notFound?.url == missing.path(percentEncoded: false))
            #expect(notFound?.playbackError.code == .fileNotFound)

            let pipe = folder.appending(path: "pipe.m3u")
            #expect(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
            let unreadable = await #expect(throws: PlaylistError.self) { try await Playlist.load(pipe) }
            #expect(unreadable?.code == .unreadable)
        }
    }

    @Test func aHostKnowsAListByItsAddress() async throws {
        try await withFolder([]) { folder in
            #expect(Playlist.isPlaylist(folder))
            #expect(!Playlist.isPlaylist(folder.appending(path: "none")))
        }
        for name in ["a.m3u", "a.M3U8", "a.pls", "a.Xspf"] {
            #expect(Playlist.isPlaylist(local(name)))
            #expect(Playlist.isPlaylist(remote(name + "?x=1")))
        }
        for name in ["a.mp3", "m3u", "a.m3u.mp3", "a.txt"] {
            #expect(!Playlist.isPlaylist(local(name)))
            #expect(!Playlist.isPlaylist(remote(name)))
        }
    }
}
