import FlowplayerSDK
import Foundation
import Testing

@Suite struct MediaTests {
    private static let url = URL(filePath: "/media/clip.mp4")

    @Test(arguments: [0, -1, .infinity, -.infinity, .nan] as [Double])
    func aLimitThatLimitsNothingIsNone(bitRate: Double) {
        let media: [any Media] = [
            MediaExternal(url: Self.url, preferredPeakBitRate: bitRate),
            MediaOVP(mediaId: "m", playerId: "p", preferredPeakBitRate: bitRate),
            MediaDAI(stream: .live(assetKey: "k"), preferredPeakBitRate: bitRate),
        ]
        for medium in media { #expect(medium.preferredPeakBitRate == nil) }
    }

    @Test func aLimitIsKept() {
        #expect(MediaExternal(url: Self.url, preferredPeakBitRate: 1_500_000).preferredPeakBitRate == 1_500_000)
        #expect(MediaOVP(mediaId: "m", playerId: "p", preferredPeakBitRate: 0.5).preferredPeakBitRate == 0.5)
    }

    @Test func twoPlaysOfOneAddressAreNotTheSame() {
        let medium = MediaExternal(url: Self.url, adSchedule: AdScheduleRemote(url: Self.url))
        let copy = medium
        #expect(medium == copy)
        #expect(medium.hashValue == copy.hashValue)
        #expect(medium != MediaExternal(url: Self.url))
        #expect(MediaOVP(mediaId: "m", playerId: "p") != MediaOVP(mediaId: "m", playerId: "p"))
        #expect(MediaDAI(stream: .live(assetKey: "k")) != MediaDAI(stream: .live(assetKey: "k")))
    }

    @Test(
        arguments: [
            ("Deutsch", "de", "Deutsch"), (nil, "de", "de"), ("", "de", "de"), (nil, nil, "clip.en"),
            ("", "", "clip.en"),
        ] as [(String?, String?, String)])
    func subtitlesHaveANameInAnyCase(name: String?, lang: String?, expected: String) {
        let url = URL(string: "https://media.example/a/clip.en.vtt?v=1")!
        #expect(ExternalSubtitle(url: url, name: name, lang: lang).name == expected)
    }

    @Test(arguments: [DAIStream.live(assetKey: "k"), .vod(contentSourceID: "c", videoID: "v")])
    func aStreamSurvivesJSON(stream: DAIStream) throws {
        #expect(try JSONDecoder().decode(DAIStream.self, from: JSONEncoder().encode(stream)) == stream)
    }
}
