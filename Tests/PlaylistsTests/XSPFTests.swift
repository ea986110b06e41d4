import Foundation
import Playlists
import Testing

@Suite struct XSPFTests {
    private static let list = local("list.xspf")

    private func tracks(
        _ tracks: String, attributes: String = "", at url: URL = list
    ) throws -> Playlist {
        try read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/" xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/" \(attributes)>
            <title>A &amp; B</title>
            <trackList>
            \(tracks)
            </trackList>
            </playlist>
            """, at: url)
    }

    @Test func aTrackHasAddressAndMetadata() throws {
        let playlist = try tracks(
            """
            <track><location>file:///music/a%20b%23.mp3</location><title>Title</title><creator>Artist</creator>
            <annotation>no</annotation><album><![CDATA[Al<b>um]]></album><image>covers/a%20b.png</image>
            <duration>1000</duration></track>
            <track><location> http://h.example/x?y=1#t=2 </location></track>
            """)
        #expect(playlist.format == .xspf)
        #expect(playlist.title == "A & B")
        #expect(playlist.places == ["/music/a b#.mp3", "http://h.example/x?y=1#t=2"])
        let metadata = try #require(playlist.items.first?.metadata)
        #expect(metadata.title == "Title")
        #expect(metadata.artist == "Artist")
        #expect(metadata.album == "Al<b>um")
        #expect(metadata.artworkURL == local("covers/a b.png"))
        #expect(playlist.items.last?.metadata.isEmpty == true)
        #expect(playlist.problems.isEmpty)
    }

    @Test func relativeLocationsAreURIs() throws {
        let playlist = try tracks(
            "<track><location>../a%20b%3F.mp3</location></track><track><location>100% é.mp3</location></track>")
        #expect(playlist.places == ["/music/lists/../a b?.mp3", "/music/lists/100% é.mp3"])
    }

    @Test func theFirstUsableLocationCounts() throws {
        let playlist = try tracks(
            """
            <track><location>C:\\a.mp3</location><location/><location>ftp://h.example/a.mp3</location>
            <location>b.mp3</location><location>c.mp3</location></track>
            """)
        #expect(playlist.places == ["/music/lists/b.mp3"])
        #expect(playlist.problems.isEmpty)
    }

    @Test func aTrackWithoutUsableLocationIsReportedWithItsLine() throws {
        let playlist = try tracks(
            """
            <track><title>Nowhere</title></track>
            <track>
            <location>file:///C:/Users/x/a.mp3</location>
            </track>
            <track><location>list.m3u</location></track>
            <track><location>good.mp3</location></track>
            """)
        #expect(playlist.places == ["/music/lists/good.mp3"])
        #expect(
            playlist.skipped == [
                "line 5: The track has no address. (Nowhere)",
                "line 7: The path is that of a Windows drive. (file:///C:/Users/x/a.mp3)",
                "line 9: The entry is a playlist within a playlist. (list.m3u)",
            ])
    }

    @Test func basesAreHonouredWhereTheyMayBe() throws {
        let track =
            "<track xml:base='deep/'><location>a%20b.mp3</location></track><track><location>/c.mp3</location></track>"
        #expect(try tracks(track, attributes: "xml:base='file:///other/'").places == ["/other/deep/a b.mp3", "/c.mp3"])
        #expect(
            try tracks(track, attributes: "xml:base='http://h.example/x/y'").places == [
                "http://h.example/x/deep/a%20b.mp3", "http://h.example/c.mp3",
            ])
        let refused = try tracks(track, attributes: "xml:base='file:///other/'", at: remote("list.xspf"))
        #expect(refused.places == [remote("deep/a%20b.mp3").absoluteString, "http://radio.example:8000/c.mp3"])
        #expect(
            refused.notices == [
                "line 2: This base is not used. A playlist from a server can't name local files. (file:///other/)"
            ])
    }

    @Test func optionsInExtensionsAreIgnoredAndReported() throws {
        let playlist = try tracks(
            """
            <track><location>a.mp3</location>
            <extension application="http://www.videolan.org/vlc/playlist/0"><vlc:id>0</vlc:id>
            <vlc:option>sout=#file{dst=/tmp/x}</vlc:option><location>evil.mp3</location></extension>
            <title>A</title></track>
            """)
        #expect(playlist.places == ["/music/lists/a.mp3"])
        #expect(playlist.titles == ["A"])
        #expect(playlist.notices == ["line 7: Options in a playlist are not honoured. (vlc:option)"])
    }

    @Test func aPrefixForXSPFItselfIsFine() throws {
        let playlist = try read(
            "<x:playlist xmlns:x='http://xspf.org/ns/0/'><x:trackList><x:track><x:location>a.mp3</x:location></x:track></x:trackList></x:playlist>",
            at: Self.list)
        #expect(playlist.places == ["/music/lists/a.mp3"])
    }

    @Test(arguments: [
        ("ISO-8859-1", String.Encoding.isoLatin1), ("windows-1252", .windowsCP1252), ("UTF-16", .utf16),
        ("utf-8", .utf8), ("UTF-16", .utf8), ("nonsense", .utf8),
    ])
    func encodingsAreFoundOut(name: String, encoding: String.Encoding) throws {
        let text =
            "<?xml version='1.0'\nencoding='\(name)'?>\n<playlist><trackList><track>\n<location>x:y</location></track><track><location>Café.mp3</location></track></trackList></playlist>"
        let data = try #require(text.data(using: encoding))
        let playlist = try Playlist(data: data, url: Self.list)
        #expect(playlist.places == ["/music/lists/Café.mp3"])
        #expect(playlist.problems.map(\.line) == [4])
    }

    @Test func entityBombsAreRefused() throws {
        var bomb = "<!DOCTYPE playlist [<!ENTITY e0 'lol'>"
        for level in 1...12 {
            bomb += "<!ENTITY e\(level) '\(String(repeating: "&e\(level - 1);", count: 10))'>"
        }
        bomb += "]><playlist><title>&e12;</title><trackList/></playlist>"
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
            let data = try #require(bomb.data(using: encoding))
            let error = #expect(throws: PlaylistError.self) { try Playlist(data: data, url: Self.list) }
            #expect(error?.code == .malformed)
            #expect(error?.message == "The playlist makes declarations in a document type, which is not allowed.")
        }
    }

    @Test func nothingIsReadOverEntitiesOfOtherFiles() throws {
        let secret = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString).txt")
        try Data("top secret".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        #expect(throws: PlaylistError.self) {
            try read(
                "<!DOCTYPE playlist [<!ENTITY x SYSTEM '\(secret)'>]><playlist><title>&x;</title></playlist>",
                at: Self.list)
        }
        let plain = try read(
            "<!DOCTYPE playlist SYSTEM '\(secret)'><playlist><title>A</title></playlist>", at: Self.list)
        #expect(plain.title == "A")
    }

    @Test(arguments: ["<?x?>", "<?xml-stylesheet href='a'?>", "<!---->", "<!-- <?x?> -- > -->", "<!DOCTYPE playlist>"])
    func whatIsNoElementIsPassedOver(extra: String) throws {
        let playlist = try read(
            "\(extra)<playlist><title>A</title>\n\(extra)<trackList>\n<track>\(extra)<location>C:/a</location></track></trackList></playlist>\n\(extra)",
            at: Self.list)
        #expect(playlist.title == "A")
        #expect(playlist.problems.map(\.line) == [3])
    }

    @Test(arguments: [
        "<a b=\"<!--\"/>", "<a b='<![CDATA['/>", "<!-- <![CDATA[ -->", "<a '<?x?>", "<!ELEMENT a ANY>", "<?", "<!-",
    ])
    func nothingHidesAProcessingInstruction(damage: String) throws {
        let track = "<track><location>a.mp3</location></track>"
        let playlist = try read(
            "<playlist><trackList>\(track)\n\(damage)<?x?>]]>--></trackList></playlist>", at: Self.list)
        #expect(playlist.places == ["/music/lists/a.mp3"])
    }

    @Test func brokenUTF16HidesNothing() throws {
        let hidden = try #require("<?x?><playlist/>".data(using: .utf16LittleEndian))
        // An odd count of bytes, and half of a pair.
        for data in [hidden + Data("<playlist/>".utf8), hidden + [0x00, 0xD8] + Data("<playlist/> ".utf8)] {
            #expect(throws: PlaylistError.self) { try Playlist(data: data, url: Self.list) }
        }
    }

    @Test func namesThatAreNoUTF8DoNoHarm() throws {
        let start = "<?xml version='1.0' encoding='UTF-8'?><playlist><trackList><track><location>a</location><De"
        let data = Data(start.utf8) + [0xFF, 0xC0, 0x80] + Data("/></track></trackList></playlist>".utf8)
        #expect((try? Playlist(data: data, url: Self.list))?.places ?? [] == ["/music/lists/a"])
    }

    @Test func anotherRootIsNoPlaylist() {
        let error = #expect(throws: PlaylistError.self) {
            try read("<rss><!-- <playlist> --></rss>", at: Self.list)
        }
        #expect(error?.code == .unrecognised)
    }

    @Test func markupInCDATAIsText() throws {
        let playlist = try tracks(
            "<track><location>a</location><title><![CDATA[<?x?> <!-- y --> <!DOCTYPE [>]]></title></track>")
        #expect(playlist.titles == ["<?x?> <!-- y --> <!DOCTYPE [>"])
    }

    @Test func whatBreaksOffKeepsItsBeginning() throws {
        let playlist = try read(
            "<playlist><trackList>\n<track><location>a.mp3</location></track>\n<track><location>b.mp", at: Self.list)
        #expect(playlist.places == ["/music/lists/a.mp3"])
        #expect(playlist.skipped == ["line 3: The playlist is damaged from here on."])
        let error = #expect(throws: PlaylistError.self) {
            try read("<playlist>\n<trackList></playlist>", at: Self.list)
        }
        #expect(error?.code == .malformed)
        #expect(error?.line == 2)
    }
}
