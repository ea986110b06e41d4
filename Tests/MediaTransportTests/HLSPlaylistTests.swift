import Foundation
import Testing

@testable import MediaTransport

@Suite struct HLSPlaylistTests {
    private static let base = URL(string: "https://host/a/master.m3u8")!

    private func variants(_ lines: String...) throws -> [HLSPlaylist.Variant] {
        let text = (["#EXTM3U"] + lines).joined(separator: "\n")
        guard case .master(let master)? = HLSPlaylist(text, url: Self.base) else {
            throw PlaylistError()
        }
        return master.variants
    }

    private struct PlaylistError: Error {}

    @Test func variantsHaveTheirRatesAndHeights() throws {
        let variants = try variants(
            #"#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=1,BANDWIDTH=300000,CODECS="avc1,mp4a",RESOLUTION=320x180"#,
            "low/index.m3u8", #"#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2""#, "https://other/sound.m3u8",
            #"#EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1,mp4a",AUDIO="a""#, "picture.m3u8")
        #expect(
            variants == [
                .init(
                    url: URL(string: "https://host/a/low/index.m3u8")!, bandwidth: 300_000, height: 180,
                    codecs: ["avc1", "mp4a"], width: 320),
                .init(
                    url: URL(string: "https://other/sound.m3u8")!, bandwidth: 64000, height: nil,
                    codecs: ["mp4a.40.2"]),
                .init(
                    url: URL(string: "https://host/a/picture.m3u8")!, bandwidth: 1000, height: nil,
                    codecs: ["avc1", "mp4a"], audioGroup: "a"),
            ])
        #expect(variants.map(\.isAudioOnly) == [false, true, false])
    }

    @Test func segmentsHaveTheirDurations() {
        let text = "#EXTM3U\r\n#EXT-X-TARGETDURATION:4\r\n#EXT-X-MEDIA-SEQUENCE:7\r\n#EXTINF:3.5,A title\r\na.ts\r\n"
        guard case .media(let live)? = HLSPlaylist(text, url: Self.base),
            case .media(let complete)? = HLSPlaylist(text + "#EXT-X-ENDLIST", url: Self.base)
        else {
            Issue.record("not read")
            return
        }
        #expect(live.targetDuration == 4 && live.firstNumber == 7 && !live.isComplete)
        #expect(live.segments.map(\.number) == [7])
        #expect(live.segments.map(\.part) == [.init(url: URL(string: "https://host/a/a.ts")!)])
        #expect(live.segments.map(\.duration) == [3.5])
        #expect(complete.isComplete)
    }

    @Test(arguments: [
        ("METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\"", true),
        ("METHOD=SAMPLE-AES-CTR,URI=\"data:a\"", true), ("METHOD=AES-128,URI=\"a\",KEYFORMAT=\"other\"", true),
        ("METHOD=AES-128,URI=\"a\"", false), ("METHOD=AES-128,URI=\"a\",KEYFORMAT=\"identity\"", false),
        ("METHOD=NONE", false),
    ])
    func keysShowIfAStreamIsProtected(_ key: (text: String, isProtected: Bool)) throws {
        func isProtected(_ keys: String...) -> Bool {
            let text = "#EXTM3U\n" + keys.map { "#EXT-X-KEY:\($0)\n#EXTINF:1,\na.ts\n" }.joined()
            guard case .media(let media)? = HLSPlaylist(text, url: Self.base) else { return !key.isProtected }
            return media.isProtected
        }
        #expect(isProtected(key.text) == key.isProtected)
        #expect(isProtected("METHOD=NONE", key.text, "METHOD=NONE") == key.isProtected)
        // Another key for the same segments may be read.
        #expect(!isProtected(key.text, "METHOD=AES-128,URI=\"a\""))
    }

    @Test(arguments: ["", "hello", "<html>", "#EXTINF:1,\na.ts"])
    func otherTextIsNoPlaylist(text: String) {
        #expect(HLSPlaylist(text, url: Self.base) == nil)
    }

    @Test(arguments: [
        "#EXTINF:nan,", "#EXTINF:-4,", "#EXTINF:1e400,", "#EXT-X-MEDIA-SEQUENCE:1e30", "#EXTINF:", "#EXTINF:1e300,",
        "#EXT-X-TARGETDURATION:1e300",
    ])
    func oddNumbersAreNoTrap(line: String) {
        guard case .media(let segments)? = HLSPlaylist("#EXTM3U\n\(line)\na.ts", url: Self.base) else {
            Issue.record("not read")
            return
        }
        #expect(segments.length == 0 && segments.targetDuration == 0)
        #expect(segments.firstNumber == 0)
    }

    @Test(arguments: ["nan", "inf", "-5", "1e300", "x"])
    func oddRatesAreUnknown(rate: String) throws {
        let variants = try variants("#EXT-X-STREAM-INF:BANDWIDTH=\(rate),FRAME-RATE=\(rate)", "a.m3u8")
        #expect(variants.map(\.bandwidth) == [0] && variants.map(\.frameRate) == [nil])
    }

    @Test func theWindowMovesWithThePlaylist() {
        var presentation = HLSTimeline(.init(targetDuration: 2, firstNumber: 5, durations: [2, 2, 2]))
        #expect(presentation.isLive)
        #expect(presentation.window == .init(start: 0, end: 6))
        presentation.update(.init(targetDuration: 2, firstNumber: 7, durations: [2, 2, 1.5]))
        #expect(presentation.window == .init(start: 4, end: 9.5))
        presentation.update(.init(targetDuration: 2, firstNumber: 3, durations: [2]))
        #expect(presentation.window.start == 4, "a playlist that goes back moves nothing back")
        presentation.update(.init(targetDuration: 2, firstNumber: 900, durations: [2, 2], isComplete: true))
        #expect(!presentation.isLive)
    }

    /// libVLC counts from the beginning of the playlist that it has read last, which may be long ago.
    @Test func aPositionIsFoundInTheLastPlaylist() {
        var presentation = HLSTimeline(.init(targetDuration: 2, firstNumber: 5, durations: [2, 2, 2, 2]))
        presentation.update(.init(targetDuration: 2, firstNumber: 7, durations: [2, 2, 2, 2]))
        #expect(presentation.window == .init(start: 4, end: 12))
        #expect(presentation.fraction(of: 6, within: nil) == 0.25)
        func fraction(from number: Int) -> Double {
            presentation.fraction(
                of: 6, within: .init(targetDuration: 2, firstNumber: number, durations: [2, 2, 2, 2]))
        }
        #expect(fraction(from: 5) == 0.75)
        #expect(fraction(from: 8) == 0)
        #expect(fraction(from: 4) == 1)
        #expect(fraction(from: 1000) == 0.25, "another playlist, which counts on its own")
        #expect(fraction(from: 0) == 0.25)
        #expect(presentation.fraction(of: 6, within: .init()) == 0.25)
    }

    @Test func theWindowContinuesAtAnotherAddress() throws {
        let url = try #require(URL(string: "http://host/sound.m3u8"))
        var earlier = HLSTimeline(.init(targetDuration: 2, firstNumber: 5, durations: [2, 2, 2]))
        earlier.update(.init(targetDuration: 2, firstNumber: 7, durations: [2, 2, 2]))
        let later = HLSTimeline(
            .init(targetDuration: 2, firstNumber: 8, durations: [2, 2, 2]), audioOnly: url, after: earlier)
        #expect(later.window == .init(start: 6, end: 12))
        #expect(later.audioOnly == url)
    }
}
