import Foundation
import Testing

@testable import FlowplayerThumbnails

/// The cues of WebVTT thumbnails.
@Suite struct ThumbnailTrackTests {
    private static let url = URL(string: "https://example.org/film/thumbs.vtt")!

    private func cues(_ text: String, url: URL = Self.url) throws -> [ThumbnailTrack.Cue] {
        try #require(ThumbnailTrack(text, url: url)).cues
    }

    @Test func cuesNamePartsOfImages() throws {
        let cues = try cues(
            """
            WEBVTT - thumbnails

            NOTE a comment

            first
            00:00.000 --> 00:05.000
            sprites.jpg#xywh=0,0,160,90

            01:00:05.500 --> 01:00:10.000 line:0
            /img/other.png#xywh=pixel:160,90,80,45

            10.0 --> 20
            https://cdn.example.org/a%20b.jpg
            """)
        #expect(
            cues == [
                .init(
                    start: 0, end: 5, image: URL(string: "https://example.org/film/sprites.jpg")!,
                    area: .init(x: 0, y: 0, width: 160, height: 90)),
                .init(
                    start: 3605.5, end: 3610, image: URL(string: "https://example.org/img/other.png")!,
                    area: .init(x: 160, y: 90, width: 80, height: 45)),
                .init(start: 10, end: 20, image: URL(string: "https://cdn.example.org/a%20b.jpg")!, area: nil),
            ])
    }

    @Test(arguments: ["\r\n", "\r", "\n"])
    func linesEndInEachWay(_ end: String) throws {
        let lines = ["\u{FEFF}WEBVTT", "", "00:00 --> 00:05", "a.jpg", "", "00:05 --> 00:10", "b.jpg", ""]
        #expect(try cues(lines.joined(separator: end)).map(\.image.lastPathComponent) == ["a.jpg", "b.jpg"])
    }

    @Test func aPositionHasTheCueThatContainsIt() throws {
        let text = "WEBVTT\n\n00:00 --> 00:05\na.jpg\n\n00:05 --> 00:10\nb.jpg\n\n00:20 --> 00:30\nc.jpg\n"
        let track = try #require(ThumbnailTrack(text, url: URL(filePath: "/films/thumbs.vtt")))
        let names = [0, 4.99, 5, 9.99, 10, 15, 20, 29, 30, -1].map { track.cue(at: $0)?.image.path() }
        #expect(
            names == [
                "/films/a.jpg", "/films/a.jpg", "/films/b.jpg", "/films/b.jpg", nil, nil, "/films/c.jpg",
                "/films/c.jpg",
                nil, nil,
            ])
    }

    @Test(arguments: [
        "00:05 --> 00:00\na.jpg", "00:00 --> 00:05", "00:00 --> 00:05\n", "00:00 --> \na.jpg", "a --> b\na.jpg",
        "-1 --> 5\na.jpg", "00:00 --> inf\na.jpg", "nan --> 5\na.jpg", "1:1:1:1 --> 2:2:2:2\na.jpg",
        "00:00 --> 00:05\na.jpg#xywh=0,0,160", "00:00 --> 00:05\na.jpg#xywh=0,0,0,90",
        "00:00 --> 00:05\na.jpg#xywh=-1,0,160,90", "00:00 --> 00:05\na.jpg#xywh=percent:0,0,50,50",
        "00:00 --> 00:05\na.jpg#xywh=0,0,99999999999999999999,90", "00:00 --> 00:05\na.jpg#t=5",
        "00:00 --> 00:05\n#xywh=0,0,160,90", "-->", "00:00 --> 00:05 --> 00:10\n",
    ])
    func aCueThatCannotBeReadIsLeftOut(_ cue: String) throws {
        let cues = try cues("WEBVTT\n\n\(cue)\n\n00:50 --> 00:55\ngood.jpg")
        #expect(cues.map(\.image.lastPathComponent) == ["good.jpg"])
    }

    @Test func otherFilesAreNoTrack() {
        #expect(ThumbnailTrack("", url: Self.url) == nil)
        #expect(ThumbnailTrack("1\n00:00:01,000 --> 00:00:02,000\nHello", url: Self.url) == nil)
        #expect(ThumbnailTrack("#EXTM3U\n", url: Self.url) == nil)
    }
}
