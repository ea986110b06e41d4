import Foundation
import Playlists
import Testing

/// Data that is not a list, and lists that are too large.
@Suite struct LimitTests {
    @Test(arguments: ["", "\n \r\n\t", "\u{FEFF}"])
    func nothingIsNoList(text: String) {
        let error = #expect(throws: PlaylistError.self) { try read(text) }
        #expect(error?.code == .empty)
    }

    @Test func whatIsNoListIsAnError() throws {
        for (text, name) in [
            ("<html><body>Not found</body></html>", "a.m3u"), ("<?xml version='1.0'?><rss/>", "a.xspf"),
            ("a.mp3", "a.txt"),
            ("{}", "a.xspf"), ("ID3\u{0}\u{0}\u{0}", "a.m3u"),
        ] {
            let error = #expect(throws: PlaylistError.self) { try read(text, at: local(name)) }
            #expect(error?.code == .unrecognised)
            #expect(error?.message == "This is not a playlist in a known format.")
            #expect(error?.playbackError.code == .unrecognisedFormat)
        }
    }

    @Test func aListWithAHeaderNeedsNoExtension() throws {
        #expect(try read("#EXTM3U\na.mp3", at: remote("playlist.php")).items.count == 1)
        #expect(try read("<playlist></playlist>", at: remote("x")).format == .xspf)
        #expect(try read("<playlist></playlist>", at: local("x.m3u")).format == .xspf)
    }

    @Test func aListTooLargeIsRefused() {
        let data = Data(repeating: 0x0A, count: Playlist.byteLimit + 1)
        let error = #expect(throws: PlaylistError.self) { try Playlist(data: data, url: localList) }
        #expect(error?.code == .tooLarge)
        #expect(error?.message == "The playlist is larger than 10 MB.")
    }

    @Test func aListTooLongIsCutWithANotice() async throws {
        let limit = Playlist.entryLimit
        let m3u = String(repeating: "a\n", count: limit + 5)
        let pls = "[playlist]\n" + (1...limit + 5).map { "File\($0)=a\n" }.joined()
        let track = "<track><location>a</location></track>\n"
        let xspf = "<playlist><trackList>\n" + String(repeating: track, count: limit + 5) + "</trackList></playlist>"
        for (text, name, line) in [(m3u, "a.m3u", limit + 1), (pls, "a.pls", limit + 2), (xspf, "a.xspf", limit + 2)] {
            let playlist = try #require(await apart { try? read(text, at: local(name)) })
            #expect(playlist.items.count == limit)
            #expect(playlist.skipped == ["line \(line): Only the first 100000 entries are taken."])
        }
    }

    @Test func aListWithJustAsManyIsWhole() async throws {
        let text = String(repeating: "a\n", count: Playlist.entryLimit)
        let playlist = try #require(await apart { try? read(text) })
        #expect(playlist.items.count == Playlist.entryLimit)
        #expect(playlist.problems.isEmpty)
    }

    @Test func notEveryProblemIsListed() throws {
        let playlist = try read(String(repeating: "C:\\a.mp3\n", count: 5000) + "a.mp3")
        #expect(playlist.items.count == 1)
        #expect(playlist.problems.count == 1001)
        #expect(playlist.problems.last?.message == "4000 more problems are not listed.")
    }

    @Test(
        arguments: [
            ("", "#EXTVLCOPT:x\n", "a.m3u"), ("", "a", "a.m3u"), ("[playlist]\n", "File=\n", "a.pls"),
            ("<playlist><trackList>", "<track/>", "a.xspf"), ("<playlist><title>", "a", "a.xspf"),
        ])
    func aMegabyteOfAnythingIsRead(start: String, unit: String, name: String) async {
        let items = await apart {
            (try? read(start + String(repeating: unit, count: (1 << 20) / unit.count), at: local(name)))?.items ?? []
        }
        #expect(items.isEmpty)
    }
}
