import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

@Suite struct AdTypesTests {
    @Test func aBreakGoesByItsScheduleUnlessItHasAnOffset() {
        var adBreak = AdBreak(adTags: ["https://ads.example/1"])
        #expect(adBreak.offset == -1)
        adBreak.adTags.append("https://ads.example/2")
        #expect(adBreak == AdBreak(adTags: ["https://ads.example/1", "https://ads.example/2"], offset: -1))
        #expect(adBreak != AdBreak(adTags: adBreak.adTags, offset: 30))
    }

    @Test func aWaterfallHasOnlyTheBreaksThatAreGiven() {
        let middle = [AdBreak(adTags: ["a"], offset: 30), AdBreak(adTags: ["b"], offset: 60)]
        let schedule = AdScheduleWaterfall(midAdBreak: middle)
        #expect(schedule.preAdBreak == nil)
        #expect(schedule.midAdBreak == middle)
        #expect(schedule.postAdBreak == nil)
    }

    @Test func typesAndStatesHaveTheirNumbers() {
        #expect(AdType.allCases.map(\.name) == ["preRoll", "midRoll", "postRoll", "unknown"])
        #expect(AdType.allCases.map(\.rawValue) == [0, 1, 2, 3])
        let states = ["idle", "start", "loaded", "play", "pause", "click", "skip", "complete"]
        #expect(AdState.allCases.map(\.name) == states)
        #expect(AdState.allCases.map(\.rawValue) == Array(0..<8))
    }

    @Test func everyErrorSaysWhatHappened() {
        let sentences = AdError.allCases.compactMap(\.errorDescription)
        #expect(Set(sentences).count == AdError.allCases.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") })
    }

    @Test func everyVastCodeLeadsBackToItsError() {
        let codes = AdError.allCases.compactMap(\.vastCode)
        #expect(codes == [100, 101, 102, 200, 300, 301, 302, 303, 400, 401, 402, 403, 405, 500, 600, 900])
        for code in codes { #expect(AdError(vastCode: code).vastCode == code) }
        #expect(AdError.noAdAvailable.vastCode == nil)
    }

    @Test(arguments: [
        (202, AdError.vastTrafficking), (304, .vastWrapper), (406, .vastLinear), (503, .vastNonLinear),
        (604, .vastCompanion), (901, .vastUndefined), (777, .vastUndefined), (0, .vastUndefined), (-1, .vastUndefined),
    ])
    func aCodeWithoutAnErrorOfItsOwnBelongsToItsHundred(code: Int, error: AdError) {
        #expect(AdError(vastCode: code) == error)
    }

    @Test func metadataSurviveJSON() throws {
        let metadata = IMAMetadata(adId: "1", adTitle: "Soap", adDuration: 14.5)
        let data = try JSONEncoder().encode(metadata)
        #expect(try JSONDecoder().decode(IMAMetadata.self, from: data) == metadata)
        #expect(try JSONDecoder().decode(IMAMetadata.self, from: Data("{}".utf8)) == IMAMetadata())
    }

    @MainActor
    @Test func everyMethodOfTheDelegatesIsOptional() {
        let player = FlowplayerManager(avPlayer: MediaPlayer(backend: SimulatedBackend(clock: ManualClock())))
        let deaf = Deaf()
        deaf.player(player, didChangeAdState: .play, for: .preRoll)
        deaf.player(player, didAdFailWith: .noAdAvailable)
        deaf.player(player, didAdFailWith: .noAdAvailable, for: .midRoll, with: nil)
        deaf.player(player, didStreamChangeState: .start)
        deaf.player(player, didStreamFailWith: AdError.adLoadFailed)
        #expect(player.state == .idle)
    }

    private final class Deaf: FlowplayerAdDelegate, FlowplayerDAIDelegate {}
}
