import Testing

@testable import Playback

/// The parts of an item that the engine has received.
@Suite struct MachineBufferTests {
    @Test func rangesAreSortedJoinedAndWithinTheItem() {
        var story = Scenario()
        story.load()
        story.backend(.bufferedRangesChanged([8...30, -2...1, 4...5, 4.5...6, 40...50, 3...(.infinity)]))
        #expect(story.snapshot.bufferedRanges == [0...1, 4...6, 8...10])
        story.backend(.durationChanged(9))
        #expect(story.snapshot.bufferedRanges == [0...1, 4...6, 8...9])
    }

    @Test func aLocalFileIsOneRange() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: false))
        story.backend(.buffered(.whole))
        #expect(story.snapshot.bufferedRanges.isEmpty)
        story.opened()
        #expect(story.snapshot.bufferedRanges == [0...10])
        story.backend(.durationChanged(12))
        #expect(story.snapshot.bufferedRanges == [0...12])
    }

    @Test func anotherOpeningBeginsWithoutRanges() {
        var story = Scenario()
        story.load()
        story.backend(.bufferedRangesChanged([0...4]))
        story.command(.load(Scenario.item, autoPlay: false))
        story.opened()
        #expect(story.snapshot.bufferedRanges.isEmpty)
        story.backend(.bufferedRangesChanged([0...4]))
        story.backend(.failed(.test, position: 1))
        #expect(story.snapshot.bufferedRanges.isEmpty)
        story.command(.stop)
        #expect(story.snapshot.reportedRanges.isEmpty)
    }

    @Test func rangesBeforeTheItemIsOpenAreIgnored() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: false))
        story.backend(.bufferedRangesChanged([0...4]))
        story.opened()
        #expect(story.snapshot.bufferedRanges.isEmpty)
    }
}
