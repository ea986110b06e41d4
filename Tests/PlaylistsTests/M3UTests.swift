import Foundation
import Playlists
import Testing

@Suite struct M3UTests {
    @Test func aPlainListIsAFileALine() throws {
        let playlist = try read("one.mp3\n\n  two.ogg  \nsub/three.flac")
        #expect(playlist.places == ["/music/lists/one.mp3", "/music/lists/two.ogg", "/music/lists/sub/three.flac"])
        #expect(playlist.format == .m3u)
        #expect(playlist.title == nil)
        #expect(playlist.titles == [nil, nil, nil])
        #expect(playlist.problems.isEmpty)
    }

    @Test func anExtendedListHasTitles() throws {
        let playlist = try read(
            """
            #EXTM3U
            #PLAYLIST:Evening
            #EXTINF:123,Artist - Title
            one.mp3
            # a comment
            #EXTINF:-1
            two.mp3
            #EXTINF:12.5, Commas, and more
            three.mp3
            """)
        #expect(playlist.title == "Evening")
        #expect(playlist.titles == ["Artist - Title", nil, "Commas, and more"])
        #expect(playlist.problems.isEmpty)
    }

    @Test func directivesSayMoreAboutTheNextEntryAlone() throws {
        let playlist = try read(
            """
            #EXTM3U
            #EXTINF:1,Title
            #EXTART:Artist
            #EXTALB:Album
            #EXTIMG:cover 100%.jpg
            one.mp3
            two.mp3
            #EXTIMG:front cover
            three.mp3
            """)
        let metadata = try #require(playlist.items.first?.metadata)
        #expect(metadata.artist == "Artist")
        #expect(metadata.album == "Album")
        #expect(metadata.artworkURL == local("cover 100%.jpg"))
        #expect(playlist.items.dropFirst().allSatisfy { $0.metadata.isEmpty })
    }

    @Test func televisionListsHaveAttributesBeforeTheTitle() throws {
        let playlist = try read(
            """
            #EXTM3U x-tvg-url="http://guide.example/epg.xml"
            #EXTINF:-1 tvg-id="a" tvg-logo="http://logos.example/a.png" group-title="News, local",Channel A
            http://tv.example/a.m3u8
            #EXTINF:-1 tvg-logo="file:///etc/passwd" tvg-name="odd,Channel B
            https://tv.example/b/index.m3u8?token=1
            """, at: remoteList)
        #expect(playlist.format == .m3u)
        #expect(playlist.places == ["http://tv.example/a.m3u8", "https://tv.example/b/index.m3u8?token=1"])
        #expect(playlist.titles == ["Channel A", "Channel B"])
        #expect(
            playlist.items.map(\.metadata.artworkURL) == [URL(string: "http://logos.example/a.png"), nil])
        #expect(playlist.problems.isEmpty)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func linesEndInEveryWay(end: String) throws {
        let text = ["\u{FEFF}#EXTM3U", "#EXTINF:1,One", "one.mp3", "", "C:\\two.mp3", "three.mp3"].joined(
            separator: end)
        let playlist = try read(text)
        #expect(playlist.places == ["/music/lists/one.mp3", "/music/lists/three.mp3"])
        #expect(playlist.titles == ["One", nil])
        #expect(playlist.problems.map(\.line) == [5])
    }

    @Test func directivesAreKnownInSmallLettersToo() throws {
        let playlist = try read("#extm3u\n#extinf:1,One\none.mp3")
        #expect(playlist.titles == ["One"])
    }

    @Test func whatIsNoUTF8IsLatin1() throws {
        let latin = try #require("#EXTM3U\n#EXTINF:1,Café Zoë\nCafé.mp3\n".data(using: .isoLatin1))
        let playlist = try Playlist(data: latin, url: localList)
        #expect(playlist.places == ["/music/lists/Café.mp3"])
        #expect(playlist.titles == ["Café Zoë"])
        let windows = try #require("#EXTINF:1,“Quoted” – €\na.mp3".data(using: .windowsCP1252))
        let quoted = try Playlist(data: windows, url: localList)
        #expect(quoted.titles == ["“Quoted” – €"])
        // 0x81 is nothing in Windows-1252.
        let odd = try Playlist(data: Data("caf".utf8) + [0xE9, 0x81] + Data(".mp3".utf8), url: localList)
        #expect(odd.places == ["/music/lists/café\u{81}.mp3"])
    }

    @Test func utf8AndUTF16AreUnderstood() throws {
        let text = "#EXTM3U\n#EXTINF:1,日本語\n音楽.mp3\n"
        let little = Data([0xFF, 0xFE]) + (try #require(text.data(using: .utf16LittleEndian)))
        let big = Data([0xFE, 0xFF]) + (try #require(text.data(using: .utf16BigEndian)))
        for data in [Data(text.utf8), little, big] {
            let playlist = try Playlist(data: data, url: localList)
            #expect(playlist.places == ["/music/lists/音楽.mp3"])
            #expect(playlist.titles == ["日本語"])
        }
    }

    @Test func anM3U8IsUTF8AndLosesOnlyLinesThatAreNot() throws {
        let data = Data("one.mp3\ncaf".utf8) + [0xE9] + Data(".mp3\nthrée.mp3".utf8)
        let playlist = try Playlist(data: data, url: local("list.m3u8"))
        #expect(playlist.places == ["/music/lists/one.mp3", "/music/lists/thrée.mp3"])
        #expect(playlist.skipped == ["line 2: The line is not in UTF-8. (caf\u{FFFD}.mp3)"])
    }

    @Test(arguments: [
        "#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8", "#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts",
        "#EXT-X-MEDIA-SEQUENCE:4\na.ts",
    ])
    func anHLSPlaylistIsOneItem(body: String) throws {
        let url = remote("live.m3u8")
        let playlist = try read("#EXTM3U\r\n#EXT-X-VERSION:3\r\n\(body)", at: url)
        #expect(playlist.isHLS)
        #expect(playlist.format == .hls)
        #expect(playlist.items.map(\.url) == [url])
        #expect(playlist.problems.isEmpty)
    }

    @Test func aMentionOfHLSMakesNone() throws {
        let playlist = try read("#EXTM3U\n#EXTINF:1,#EXT-X-TARGETDURATION\n# see #EXT-X-STREAM-INF\na.mp3")
        #expect(!playlist.isHLS)
        #expect(playlist.places == ["/music/lists/a.mp3"])
    }

    @Test func aHeaderAloneIsAListOfNothing() throws {
        let playlist = try read("#EXTM3U\n")
        #expect(playlist.items.isEmpty)
        #expect(playlist.problems.isEmpty)
    }

    @Test func titlesGoToTerminalsAndHaveNoControlCharacters() throws {
        let playlist = try read("#EXTINF:1,\u{1B}[31mRed\u{7}\n\u{1B}]0;x\u{7}:/a\nC:\\\u{1B}c\n")
        #expect(playlist.titles.first == "[31mRed")
        #expect(playlist.skipped == ["line 3: The path is that of a Windows drive. (C:\\ c)"])
    }
}
