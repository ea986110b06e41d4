import Foundation
import Testing

@testable import Playback

/// The figures about an item, by the times of commands and events.
@Suite struct MachineStatisticsTests {
    @Test func theStartUpIsTheTimeFromTheLoadToPlayback() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: true))
        #expect(story.snapshot.statistics.startupTime == nil)
        story.wait(0.5)
        story.opened()
        story.wait(0.25)
        story.backend(.playing(position: 0))
        #expect(story.snapshot.statistics.startupTime == 0.75)
        story.command(.pause)
        story.command(.play)
        story.wait(3)
        story.backend(.playing(position: 1))
        #expect(story.snapshot.statistics.startupTime == 0.75, "only the first start counts")
    }

    @Test func theStartUpBeginsWithAPlayThatComesLater() {
        var story = Scenario()
        story.load(autoPlay: false)
        story.wait(60)
        story.command(.play)
        story.wait(0.125)
        story.backend(.playing(position: 0))
        #expect(story.snapshot.statistics.startupTime == 0.125)
    }

    @Test func stallsAreCountedAndTimed() {
        var story = Scenario()
        story.load()
        for _ in 1...2 {
            story.wait(1)
            story.backend(.stalled(position: 1))
            story.wait(1.5)
            story.backend(.playing(position: 1))
        }
        #expect(story.snapshot.statistics.stallCount == 2)
        #expect(story.snapshot.statistics.stallTime == 3)
    }

    @Test(arguments: [PlayerCommand.pause, .seek(5)])
    func aPauseAndASeekEndAStall(_ command: PlayerCommand) {
        var story = Scenario()
        story.load()
        story.backend(.stalled(position: 1))
        story.wait(2)
        story.command(command)
        story.wait(100)
        if command == .pause { story.command(.play) }
        story.backend(.seeked(position: 5))
        story.wait(100)
        story.backend(.playing(position: 5))
        #expect(story.snapshot.statistics.stallCount == 1)
        #expect(story.snapshot.statistics.stallTime == 2)
    }

    @Test func aSeekThatWaitsIsNoStall() {
        var story = Scenario()
        story.load()
        story.command(.seek(5))
        story.backend(.stalled(position: 5))
        story.wait(1)
        story.backend(.seeked(position: 5))
        story.wait(1)
        story.backend(.playing(position: 5))
        #expect(story.snapshot.statistics.stallCount == 0 && story.snapshot.statistics.stallTime == 0)
    }

    @Test func theFiguresOfAnEngineAreAddedUpToTheNextItem() {
        var story = Scenario()
        story.load()
        var report = PlaybackStatistics()
        (report.bytesReceived, report.droppedFrames, report.retries) = (1000, 2, 1)
        (report.indicatedBitRate, report.observedBitRate) = (800_000, 5_000_000)
        report.stallCount = 9
        story.backend(.statistics(report))
        story.backend(.statistics(report))
        let sum = story.snapshot.statistics
        #expect(sum.bytesReceived == 2000 && sum.droppedFrames == 4)
        #expect(sum.retries == 2 && sum.stallCount == 0)
        #expect(sum.indicatedBitRate == 800_000 && sum.observedBitRate == 5_000_000)
        story.backend(.ended(position: 10))
        story.command(.play)
        #expect(story.snapshot.statistics == sum, "it is the same item")
        story.command(.load(Scenario.item, autoPlay: true))
        #expect(story.snapshot.statistics == PlaybackStatistics())
    }
}
