import Foundation
import Playlists
import TestSupport
import Testing

/// The reader accepts every list without a crash, and its result keeps the rules.
@Suite struct FuzzTests {
    private static let lists: [[UInt8]] = [
        "#EXTM3U\r\n#PLAYLIST:P\r\n#EXTINF:12,A - B\r\nsub\\a b.mp3\r\n#EXTIMG:c.jpg\nhttp://u:p@h.example/%20a?b#c|X=y\r\n",
        "\u{FEFF}#EXTINF:-1 tvg-logo=\"http://l/x.png\",C\nfile:///a%20b.mp3 :x=1\n#EXTVLCOPT:a=b\nC:\\x.mp3\n../é.flac\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n",
        "[playlist]\nFile1=http://h.example/a\nTitle1=A\nfile3=b\\c.mp3\nLength1=-1\nFile3=x\nVersion=2\n",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><playlist xmlns=\"http://xspf.org/ns/0/\" xml:base=\"http://h/a/\"><title>T</title><trackList><track xml:base='b/'><location>c%20.mp3</location><image>i.png</image><extension><vlc:option>x</vlc:option></extension></track></trackList></playlist>",
    ].map { Array($0.utf8) }

    private static let pieces = [
        "file:///etc/passwd", "://", "%", "%00", "\\", "..", "/", "\n", "\r", "\0", "|A=", " :b=", "#", "\"", ",",
        "[::",
        "<track>", "</track>", "<location>", "]]>", "<![CDATA[", "&amp;", "&#x0;", "<!ENTITY e 'e'>", "<!--", "-->",
        "<?x?>", "<?", "<!DOCTYPE x>", "=", "File9",
        "#EXTINF:", "http://", "//", "\u{FEFF}", "é", "💿", "C:", "javascript:", ".m3u8", "xml:base='file:///'",
    ]

    private static let places = [
        "file:///music/list.m3u", "file:///music/list.m3u8", "file:///l.pls", "file:///x/l.xspf",
        "http://h.example/l.m3u?q",
        "https://h.example/d/l", "http://h.example:8/l.xspf", "file:///music/odd%20%23",
    ].compactMap { URL(string: $0) }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddListsNeverTrapAndNeverBreakTheRules(seed: UInt64) async {
        let (read, breach) = await apart { Self.walk(seed: seed) }
        #expect(breach == nil)
        #expect(read > Fuzzing.count(short: 625) / 10)
    }

    /// - Returns: how many were lists, and the one with which the walk ended because it breaks a rule.
    private static func walk(seed: UInt64) -> (read: Int, breach: String?) {
        var mutator = Mutator(seed: seed, pieces: pieces)
        var read = 0
        for _ in 0..<Fuzzing.count(short: 625) {
            let data = Data(mutator.mutant(of: lists))
            guard let url = places.randomElement(using: &mutator.dice) else { continue }
            guard let playlist = try? Playlist(data: data, url: url) else { continue }
            read += 1
            guard keepsTheRules(playlist, url: url) else { return (read, "\(data.base64EncodedString()) at \(url)") }
        }
        return (read, nil)
    }

    private static func keepsTheRules(_ playlist: Playlist, url: URL) -> Bool {
        let schemes: Set = ["http", "https", "rtsp", "rtmp"]
        let addresses = playlist.items.flatMap { [$0.url, $0.metadata.artworkURL].compactMap(\.self) }
        let areTaken = addresses.allSatisfy { address in
            if address.isFileURL { return url.isFileURL && address.path(percentEncoded: false).hasPrefix("/") }
            return schemes.contains(address.scheme?.lowercased() ?? "") && address.host()?.isEmpty == false
        }
        let areTold = playlist.problems.allSatisfy {
            !$0.message.isEmpty && ($0.line ?? 1) > 0 && $0.entry.count <= 200
        }
        return areTaken && areTold
    }
}
