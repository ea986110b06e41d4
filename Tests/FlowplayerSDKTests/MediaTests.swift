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
            MediaDAI(stream: DAIStreamLive(assetKey: "k"), preferredPeakBitRate: bitRate),
        ]
        for entry in media { #expect(entry.preferredPeakBitRate == nil) }
    }

    @Test func aLimitIsKept() {
        #expect(MediaExternal(url: Self.url, preferredPeakBitRate: 1_500_000).preferredPeakBitRate == 1_500_000)
        #expect(MediaOVP(mediaId: "m", playerId: "p", preferredPeakBitRate: 0.5).preferredPeakBitRate == 0.5)
    }

    @Test func twoPlaysOfOneAddressAreNotTheSame() {
        let media = MediaExternal(url: Self.url, adSchedule: AdScheduleRemote(url: Self.url))
        let copy = media
        #expect(media == copy)
        #expect(media.hashValue == copy.hashValue)
        #expect(media != MediaExternal(url: Self.url))
        #expect(MediaOVP(mediaId: "m", playerId: "p") != MediaOVP(mediaId: "m", playerId: "p"))
        #expect(MediaDAI(stream: DAIStreamLive(assetKey: "k")) != MediaDAI(stream: DAIStreamLive(assetKey: "k")))
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

    @Test func aStreamSurvivesJSON() throws {
        func copy<Stream: DAIStream & Codable>(_ stream: Stream) throws -> Stream {
            try JSONDecoder().decode(Stream.self, from: JSONEncoder().encode(stream))
        }
        let vod = DAIStreamVOD(contentSourceID: "c", videoID: "v", bookmark: 10, backupStream: Self.url)
        let live = DAIStreamLive(assetKey: "k")
        let pod = DAIStreamPodLive(
            networkCode: "1", streamData: .init(streamURL: Self.url), customAssetKey: "k", apiKey: "",
            backupStream: Self.url)
        #expect(try copy(vod) == vod)
        #expect(try copy(live) == live)
        #expect(try copy(pod) == pod)
    }

    @Test func theMediaOfAHostHaveTheSessionOfTheProcess() {
        struct Item: Media { let preferredPeakBitRate: Double? = nil }
        #expect(Item().sessionID == Item().sessionID)
    }
}
