import Foundation
import Testing

@testable import Playback

/// The selection of a quality.
@Suite struct MachineQualityTests {
    private static let low = VideoQuality(id: 0, width: 320, height: 180, bitRate: 300_000)
    private static let high = VideoQuality(id: 1, width: 1280, height: 720, bitRate: 2_000_000)

    private func codes(_ story: Scenario) -> [String] {
        story.reported.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
    }

    private func quality(of commands: [BackendCommand]) -> VideoQuality? {
        commands.lazy.compactMap { if case .open(let request) = $0 { request.quality } else { nil } }.first
    }

    @Test func theSelectionIsSentAndKeptUntilAnotherItem() {
        var story = Scenario()
        story.load()
        story.backend(.qualitiesChanged([Self.high, Self.low]))
        #expect(story.snapshot.qualities == [Self.high, Self.low])
        #expect(story.command(.selectQuality(Self.low)) == [.selectQuality(story.snapshot.generation, Self.low)])
        #expect(story.command(.selectQuality(Self.low)).isEmpty)
        #expect(quality(of: story.command(.reload(autoPlay: true))) == Self.low)
        #expect(story.snapshot.qualities.isEmpty)
        story.opened()
        story.backend(.qualitiesChanged([Self.high, Self.low]))
        #expect(story.snapshot.selectedQuality == Self.low)
        #expect(story.command(.selectQuality(nil)) == [.selectQuality(story.snapshot.generation, nil)])
        story.command(.selectQuality(Self.high))
        let other = PlayerItem(url: URL(filePath: "/media/other.mp4"))
        #expect(quality(of: story.command(.load(other, autoPlay: true))) == nil)
        #expect(story.snapshot.selectedQuality == nil)
        #expect(codes(story).isEmpty)
    }

    @Test func aSelectionBeforeTheLoadHoldsForIt() {
        var story = Scenario()
        #expect(story.command(.selectQuality(Self.low)).isEmpty)
        #expect(quality(of: story.command(.load(Scenario.item, autoPlay: false))) == Self.low)
        story.opened()
        story.backend(.qualitiesChanged([Self.high, Self.low]))
        #expect(story.snapshot.selectedQuality == Self.low)
        story.command(.stop)
        #expect(story.snapshot.selectedQuality == nil)
    }

    @Test func anImpossibleSelectionIsReported() {
        var story = Scenario()
        story.command(.selectQuality(Self.low))
        story.load()
        story.backend(.qualitiesChanged([Self.high]))
        #expect(story.snapshot.selectedQuality == nil)
        #expect(codes(story) == ["noSuchQuality"])
        #expect(story.command(.selectQuality(Self.low)).isEmpty)
        #expect(codes(story) == ["noSuchQuality", "noSuchQuality"])
    }

    @Test func aMissingFeatureIsReported() {
        var story = Scenario()
        story.machine = PlaybackMachine(capabilities: BackendCapabilities())
        #expect(story.command(.selectQuality(Self.low)).isEmpty)
        #expect(story.snapshot.selectedQuality == nil)
        var item = Scenario.item
        item.maximumResolution = VideoSize(width: 640, height: 360)
        story.command(.load(item, autoPlay: false))
        #expect(codes(story) == ["qualitySelectionUnavailable", "qualitySelectionUnavailable"])
    }
}
