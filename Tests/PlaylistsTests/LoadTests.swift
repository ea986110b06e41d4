import FlyingFox
import Foundation
import Playlists
import TestSupport
import Testing

/// Lists from a server.
@Suite struct LoadTests {
    private func withServer(_ files: [String: String], _ body: (URL, RequestLog) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "playlists-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let log = RequestLog()
        let server = try await LoopbackServer(files: folder, log: log)
        try await body(server.base, log)
    }

    @Test func aListIsFetchedAndItsEntriesAreNot() async throws {
        try await withServer(["list.m3u": "#EXTM3U\n#EXTINF:1,A\na.mp3\nfile:///etc/passwd\n"]) { base, log in
            let playlist = try await Playlist.load(base.appending(path: "list.m3u"))
            #expect(playlist.places == [base.absoluteString + "/a.mp3"])
            #expect(playlist.titles == ["A"])
            #expect(playlist.skipped.count == 1)
            #expect(log.paths == ["/list.m3u"])
        }
    }

    @Test func anHLSStreamIsOneItem() async throws {
        try await withServer(["live.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n"]) { base, _ in
            let url = base.appending(path: "live.m3u8")
            let playlist = try await Playlist.load(url)
            #expect(playlist.isHLS)
            #expect(playlist.items.map(\.url) == [url])
        }
    }

    @Test func aDocumentTypeIsNotFetched() async throws {
        try await withServer([:]) { base, log in
            let xml = "<!DOCTYPE playlist SYSTEM '\(base)/x.dtd'><playlist><title>A</title></playlist>"
            let playlist = try read(xml, at: base.appending(path: "list.xspf"))
            #expect(playlist.title == "A")
            #expect(log.paths.isEmpty)
        }
    }

    @Test func entriesAreRelativeToWhereARedirectLeads() async throws {
        let server = try await LoopbackServer { request in
            guard request.path == "/new/list.m3u" else {
                return HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: "/new/list.m3u"]))
            }
            return HTTPResponse(statusCode: .ok, body: Data("a.mp3".utf8))
        }
        let playlist = try await Playlist.load(server.base.appending(path: "old/list.m3u"))
        #expect(playlist.places == [server.base.absoluteString + "/new/a.mp3"])
    }

    @Test func whatAServerRefusesIsAClearError() async throws {
        try await withServer(["page.m3u": "<!DOCTYPE html><html></html>"]) { base, _ in
            let gone = await #expect(throws: PlaylistError.self) {
                try await Playlist.load(
                    base.appending(path: "status/404").appending(queryItems: [.init(name: "t", value: "1")]))
            }
            #expect(gone?.code == .httpStatus)
            #expect(gone?.httpStatus == 404)
            #expect(gone?.url == base.absoluteString + "/status/404")
            #expect(gone?.playbackError.httpStatus == 404)
            let page = await #expect(throws: PlaylistError.self) {
                try await Playlist.load(base.appending(path: "page.m3u"))
            }
            #expect(page?.code == .unrecognised)
        }
    }

    @Test func aListTooLargeIsNotReadToItsEnd() async throws {
        let server = try await LoopbackServer { _ in
            HTTPResponse(statusCode: .ok, body: Data(repeating: 0x61, count: Playlist.byteLimit + 1))
        }
        let error = await #expect(throws: PlaylistError.self) {
            try await Playlist.load(server.base.appending(path: "list.m3u"))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func aServerThatIsNotThereIsAClearError() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/list.m3u"))
        let error = await #expect(throws: PlaylistError.self) { try await Playlist.load(url) }
        #expect(error?.code == .network)
        #expect(error?.message == "The server refused the connection.")
    }

    @Test func otherSchemesAreNotLoaded() async throws {
        let url = try #require(URL(string: "ftp://me:secret@h.example/list.m3u?x"))
        let error = await #expect(throws: PlaylistError.self) { try await Playlist.load(url) }
        #expect(error?.code == .unsupportedScheme)
        #expect(error?.url == "ftp://h.example/list.m3u")
    }

    @Test func loadingEndsWithItsTask() async throws {
        try await withServer([:]) { base, _ in
            let task = Task { try await Playlist.load(base.appending(path: "silence")) }
            task.cancel()
            await #expect(throws: PlaylistError.self) { try await task.value }
        }
    }
}
