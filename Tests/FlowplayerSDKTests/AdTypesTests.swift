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
        #expect(AdType.allCases.map { "\($0)" } == ["preRoll", "midRoll", "postRoll", "unknown"])
        #expect(AdType.allCases.map(\.rawValue) == [0, 1, 2, 3])
        let states = ["idle", "start", "loaded", "play", "pause", "click", "skip", "complete"]
        #expect(AdState.allCases.map { "\($0)" } == states)
        #expect(AdState.allCases.map(\.rawValue) == Array(0..<8))
    }

    @Test func aTypeHasATextUnlessItIsUnknown() {
        #expect(AdType.allCases.map(\.stringValue) == ["preRoll", "midRoll", "postRoll", nil])
    }

    @Test func everyErrorSaysWhatHappened() {
        let sentences = AdError.allCases.compactMap(\.errorDescription)
        #expect(Set(sentences).count == AdError.allCases.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") })
    }

    @Test func metadataSurviveJSON() throws {
        var metadata = IMAMetadata()
        metadata.type = .midRoll
        metadata.adBreak = AdBreak(adTags: ["https://ads.example/1"], offset: 30)
        metadata.adId = "1"
        metadata.adTitle = "Soap"
        metadata.adDuration = 14.5
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
        deaf.player(player, didStreamChangeState: .loaded)
        deaf.player(player, didStreamFailWith: .adLoadFailed)
        #expect(player.state == .idle)
    }

    private final class Deaf: FlowplayerAdDelegate, FlowplayerDAIDelegate {}
}
