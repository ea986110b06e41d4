import Foundation
import Playlists
import Testing

/// The entries that a list may have, and their URLs.
@Suite struct EntryAddressTests {
    struct Refused: CustomTestStringConvertible {
        let entry: String
        let reason: String
        var testDescription: String { entry }
    }

    @Test(arguments: [
        "100% pure #1?.mp3", "a%20b.mp3", "Requiem: Kyrie.flac", "pipe|x=1.mp3", "AC:DC.mp3", "~/tilde.mp3",
        "12:30.ogg",
        "Ünï ☃.mp3", "no extension", ".hidden.mp3", "a :b.mp3", "x&y=z;.mp3", "C:side.mp3",
    ])
    func aPathInALocalListIsTakenLiterally(name: String) throws {
        let playlist = try read(name)
        #expect(playlist.places == ["/music/lists/\(name)"])
        #expect(playlist.items.first?.url.isFileURL == true)
        #expect(playlist.problems.isEmpty)
    }

    @Test(arguments: [
        ("/else/a.mp3", "/else/a.mp3"), ("/else/AC\\DC.mp3", "/else/AC\\DC.mp3"),
        ("../up.mp3", "/music/lists/../up.mp3"),
        ("Sub\\Folder\\a.mp3", "/music/lists/Sub/Folder/a.mp3"), ("..\\a.mp3", "/music/lists/../a.mp3"),
        ("file:///x/a%20b.mp3", "/x/a b.mp3"), ("file://localhost/x/a.mp3", "/x/a.mp3"), ("FILE:/x/a.mp3", "/x/a.mp3"),
        ("file:///x/50%.mp3", "/x/50%.mp3"), ("file:///x/#1?.mp3", "/x/#1?.mp3"),
        ("http://h.example/a b%20c.mp3", "http://h.example/a%20b%20c.mp3"),
        ("https://h.example/é", "https://h.example/%C3%A9"),
        ("rtsp://h.example/cam", "rtsp://h.example/cam"), ("rtmp://h.example/live/x", "rtmp://h.example/live/x"),
        ("HTTP://h.example/X", "HTTP://h.example/X"),
        ("http://h.example/live.m3u8?x=1", "http://h.example/live.m3u8?x=1"),
        ("http://[::1]:80/a", "http://[::1]:80/a"), ("http://h.example/[a]%zz%2", "http://h.example/%5Ba%5D%25zz%252"),
    ])
    func aLocalListNamesFilesAndServers(entry: String, place: String) throws {
        let playlist = try read(entry)
        #expect(playlist.places == [place])
        #expect(playlist.problems.isEmpty)
    }

    @Test(arguments: [
        Refused(entry: "C:\\Music\\a.mp3", reason: "The path is that of a Windows drive."),
        Refused(entry: "d:/music/a.mp3", reason: "The path is that of a Windows drive."),
        Refused(entry: "\\\\server\\share\\a.mp3", reason: "The path is that of a Windows drive."),
        Refused(entry: "\\Music\\a.mp3", reason: "The path is that of a Windows drive."),
        Refused(entry: "file:///C:/a.mp3", reason: "The path is that of a Windows drive."),
        Refused(entry: "file:///C%3A/a.mp3", reason: "The path is that of a Windows drive."),
        Refused(entry: "file://C:\\a.mp3", reason: "The path is that of a Windows drive."),
        Refused(entry: "file://nas/a.mp3", reason: "The file is on another machine."),
        Refused(entry: "file:a.mp3", reason: "This is not an address that can be read."),
        Refused(entry: "file:///a%00.mp3", reason: "This is not an address that can be read."),
        Refused(entry: "http:///a.mp3", reason: "This is not an address that can be read."),
        Refused(entry: "http:a.mp3", reason: "This is not an address that can be read."),
        Refused(entry: "http://", reason: "This is not an address that can be read."),
        Refused(entry: "http://[::1/a", reason: "This is not an address that can be read."),
        Refused(entry: "ftp://h.example/a.mp3", reason: "Addresses with ftp: are not taken."),
        Refused(entry: "smb://h.example/a.mp3", reason: "Addresses with smb: are not taken."),
        Refused(entry: "dvd:///dev/sr0", reason: "Addresses with dvd: are not taken."),
        Refused(entry: "javascript:alert(1)", reason: "Addresses with javascript: are not taken."),
        Refused(entry: "data:audio/wav", reason: "Addresses with data: are not taken."),
        Refused(entry: "other.m3u", reason: "The entry is a playlist within a playlist."),
        Refused(entry: "other.M3U8", reason: "The entry is a playlist within a playlist."),
        Refused(entry: "/x/other.xspf", reason: "The entry is a playlist within a playlist."),
        Refused(entry: "http://h.example/x.pls", reason: "The entry is a playlist within a playlist."),
        Refused(entry: "http://h.example/x.m3u", reason: "The entry is a playlist within a playlist."),
        Refused(entry: "rtsp://h.example/x.m3u8", reason: "The entry is a playlist within a playlist."),
        Refused(entry: "sub/", reason: "The entry is a folder."),
        Refused(entry: "..", reason: "The entry is a folder."),
        Refused(entry: "/", reason: "The entry is a folder."),
    ])
    func anAddressThatALocalListMayNotNameIsReportedWithItsLine(refused: Refused) throws {
        let playlist = try read("first.mp3\n\(refused.entry)\nlast.mp3")
        #expect(playlist.places == ["/music/lists/first.mp3", "/music/lists/last.mp3"])
        #expect(playlist.skipped == ["line 2: \(refused.reason) (\(refused.entry))"])
    }

    @Test(arguments: [
        ("a.mp3", "http://radio.example:8000/lists/a.mp3"), ("/etc/passwd", "http://radio.example:8000/etc/passwd"),
        ("../../../../etc/passwd", "http://radio.example:8000/etc/passwd"), ("//o.example/x", "http://o.example/x"),
        ("sub\\a b.mp3", "http://radio.example:8000/lists/sub/a%20b.mp3"),
        ("a?id=2", "http://radio.example:8000/lists/a?id=2"),
        ("a%20b.mp3", "http://radio.example:8000/lists/a%20b.mp3"),
        ("100%.mp3", "http://radio.example:8000/lists/100%25.mp3"),
    ])
    func aRemoteListIsRelativeToItsServer(entry: String, place: String) throws {
        let playlist = try read("#EXTM3U\n\(entry)", at: remoteList)
        #expect(playlist.places == [place])
        #expect(playlist.problems.isEmpty)
    }

    @Test(arguments: [
        Refused(entry: "file:///etc/passwd", reason: "A playlist from a server can't name local files."),
        Refused(entry: "FILE:/etc/passwd", reason: "A playlist from a server can't name local files."),
        Refused(entry: "file://localhost/a.mp3", reason: "A playlist from a server can't name local files."),
        Refused(entry: "cdda://", reason: "Addresses with cdda: are not taken."),
        Refused(entry: "screen://", reason: "Addresses with screen: are not taken."),
        Refused(entry: "v4l2:///dev/video0", reason: "Addresses with v4l2: are not taken."),
        Refused(entry: "concat:file.mp3", reason: "Addresses with concat: are not taken."),
        Refused(entry: "C:\\a.mp3", reason: "The path is that of a Windows drive."),
        Refused(entry: "?id=2", reason: "The entry is a playlist within a playlist."),
        Refused(entry: "list.pls", reason: "The entry is a playlist within a playlist."),
    ])
    func aRemoteListNamesNothingHere(refused: Refused) throws {
        for (text, name) in [("#EXTM3U\n\(refused.entry)", "l.m3u"), ("[playlist]\nFile1=\(refused.entry)", "l.pls")] {
            let playlist = try read(text, at: remote(name))
            #expect(playlist.items.isEmpty)
            #expect(playlist.skipped == ["line 2: \(refused.reason) (\(refused.entry))"])
        }
        let xml = "<playlist><trackList>\n<track><location>\(refused.entry)</location></track></trackList></playlist>"
        #expect(try read(xml, at: remote("l.xspf")).skipped == ["line 2: \(refused.reason) (\(refused.entry))"])
    }

    @Test(arguments: [
        ("http://h.example/a|User-Agent=Secret&Referer=http://x/", "http://h.example/a", ["User-Agent"]),
        ("http://h.example/a :http-password=secret :no-video", "http://h.example/a", [":http-password", ":no-video"]),
        ("file:///a.mp3 :sout=#file{dst=x}", "/a.mp3", [":sout"]),
        ("a.mp3 :start-time=3", "/music/lists/a.mp3", [":start-time"]),
    ])
    func optionsAfterAnEntryAreIgnoredAndReported(entry: String, place: String, names: [String]) throws {
        let playlist = try read("\n\(entry)")
        #expect(playlist.places == [place])
        #expect(playlist.notices == names.map { "line 2: Options in a playlist are not honoured. (\($0))" })
        #expect(playlist.skipped.isEmpty)
    }

    @Test func optionsBeforeAnEntryAreIgnoredAndReported() throws {
        let playlist = try read(
            """
            #EXTM3U
            #EXTVLCOPT:http-user-agent=Secret
            #KODIPROP:inputstream.adaptive.license_key=secret
            #EXTHTTP:{"Cookie":"secret"}
            http://h.example/a
            """)
        #expect(playlist.places == ["http://h.example/a"])
        #expect(
            playlist.notices == [
                "line 2: Options in a playlist are not honoured. (#EXTVLCOPT:http-user-agent)",
                "line 3: Options in a playlist are not honoured. (#KODIPROP:inputstream.adaptive.license_key)",
                "line 4: Options in a playlist are not honoured. (#EXTHTTP:)",
            ])
    }

    @Test func problemsHoldNoSecrets() throws {
        let playlist = try read("ftp://me:secret@h.example/a?token=secret :pw=secret\nhttp://me:secret@[x/a#secret")
        #expect(playlist.problems.map(\.entry) == ["ftp://h.example/a", "http://[x/a"])
        let long = String(repeating: "secret", count: 100)
        let cut = try read("ftp://me:\(long)@h.example/a")
        #expect(cut.problems.map(\.entry) == ["ftp://h.example/a"])
    }

    @Test func entriesHaveALongestLength() throws {
        let long = String(repeating: "a", count: 20_000)
        let playlist = try read("\(long)\nhttp://h.example/\(long)\nb.mp3")
        #expect(playlist.places == ["/music/lists/b.mp3"])
        #expect(playlist.problems.map(\.message) == ["The entry is too long.", "The entry is too long."])
        #expect(playlist.problems.allSatisfy { $0.entry.count <= 200 })
    }

    @Test func aFolderWithOddCharactersIsNoObstacle() throws {
        let list = URL(filePath: "/music/50% #1?/list.m3u")
        #expect(try read("a#.mp3", at: list).places == ["/music/50% #1?/a#.mp3"])
    }
}
