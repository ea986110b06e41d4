import Foundation
import Testing

@testable import MediaTransport

/// Every address in a playlist leads to the HLS proxy.
@Suite struct PlaylistRewriterTests {
    private static let base = URL(string: "https://host/a/master.m3u8")!

    /// The addresses that libVLC finds in what it is given.
    private func addresses(_ lines: [String]) -> [String] {
        let text = PlaylistRewriter.rewritten(lines.joined(separator: "\n"), at: Self.base) { address, kind in
            URL(string: "gate:\(kind.rawValue)/\(address.lastPathComponent)")!
        }
        return EngineReading(text).addresses.map { ($0.isPlaylist ? "playlist " : "segment ") + $0.text }
    }

    @Test func allAddressesLeadToTheProxy() {
        #expect(
            addresses([
                "#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a,b\"", "v.m3u8",
                "#EXT-X-MEDIA:TYPE=AUDIO,URI=\"s.m3u8\",NAME=\"A, B\"", "#EXT-X-MAP:URI=\"i.mp4\"",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXTINF:1,", "1.ts",
            ]) == [
                "playlist gate:playlist/v.m3u8", "playlist gate:playlist/s.m3u8", "segment gate:segment/i.mp4",
                "segment gate:segment/k", "segment gate:segment/1.ts",
            ])
    }

    @Test(arguments: [
        "#EXT-X-MAP:XURI=\"x\",URI=\"file:///etc/passwd\"", "#EXT-X-MAP:URI=file:///etc/passwd",
        "#EXT-X-MAP:U RI=\"file:///etc/passwd\"", "#EXT-X-KEY:METHOD=AES-128,uURI=\"file:///etc/passwd\"",
        "#EXT-X-MAP:URI=\"file:///etc/passwd\"\u{301}", "#EXT-X-MEDIA:TYPE=AUDIO,URI='file:///etc/passwd'",
        "#EXT-X-STREAM-INF:BANDWIDTH=1,URI=file:///etc/passwd\nv.m3u8",
    ])
    func anOddlyWrittenAddressIsLeftOut(line: String) {
        let found = addresses(["#EXTM3U", line])
        #expect(found.allSatisfy { $0.contains("gate:") }, "\(found)")
    }

    @Test(arguments: [
        "#EXT-X-STREAM-INF:BANDWIDTH=1\n \nv.m3u8", "#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://[x\nv.m3u8",
        "#EXT-X-MEDIA:\u{301}A=1,TYPE=AUDIO,URI=\"v.m3u8\"", "#EXT-X-STREAM-INF:BANDWIDTH=1,URI=\"v.m3u8\"\nv.m3u8",
    ])
    func aPlaylistIsNeverTakenForASegment(lines: String) {
        let found = addresses(["#EXTM3U", lines])
        #expect(found.allSatisfy { $0.hasPrefix("playlist gate:playlist") }, "\(found)")
    }
}
