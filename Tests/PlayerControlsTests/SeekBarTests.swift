import FlowplayerTesting
import Foundation
import Playback
import Testing

@testable import PlayerControls

@MainActor
@Suite struct SeekBarTests {
    private let clock = ManualClock()

    /// A player that has opened an item.
    private func player(_ media: SimulatedMedia) async -> MediaPlayer {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        player.load(PlayerItem(url: URL(filePath: "/film.mp4")))
        await clock.advance(by: .seconds(1))
        return player
    }

    private func film() -> SimulatedMedia {
        SimulatedMedia(
            duration: 200,
            metadata: MediaMetadata(chapters: [
                Chapter(start: 0, title: "Opening"), Chapter(start: 50, title: "Middle"),
                Chapter(start: 300, title: "No"),
            ]))
    }

    @Test func fractionsAndSecondsAreInverse() async {
        let bar = SeekBar(await player(film()).snapshot, position: 50)
        #expect(bar.range == 0...200)
        #expect(bar.isEnabled)
        #expect(bar.fraction == 0.25)
        for fraction in stride(from: 0, through: 1, by: 0.125) {
            #expect(bar.fraction(of: bar.seconds(at: fraction)) == fraction)
        }
        #expect(bar.seconds(at: -1) == 0)
        #expect(bar.seconds(at: 2) == 200)
        #expect(bar.seconds(at: .nan) == 0)
        #expect(bar.fraction(of: 1000) == 1)
        #expect(bar.fraction(of: .infinity) == 0)
    }

    @Test func bufferedPartsStayInTheBar() async {
        let snapshot = await player(film()).snapshot
        #expect(SeekBar(snapshot).bufferedFractions == [0...1], "all of a file is there")
        let bar = SeekBar(snapshot, position: 20, bufferedRanges: [10...50, 100...1000, 2000...3000])
        #expect(bar.bufferedFractions == [0.05...0.25, 0.5...1])
        #expect(bar.bufferedFraction == 0.25)
        #expect(SeekBar(snapshot, position: 60, bufferedRanges: [10...50]).bufferedFraction == 0.3)
    }

    @Test func chaptersAreMarksAndHaveNames() async {
        let bar = SeekBar(await player(film()).snapshot)
        #expect(bar.marks == [SeekBar.Mark(fraction: 0.25, title: "Middle")])
        #expect(bar.hover(at: 0.1) == SeekBar.Hover(seconds: 20, time: "0:20", chapter: "Opening"))
        #expect(bar.hover(at: 0.5)?.chapter == "Middle")
        #expect(bar.hover(at: 0.5)?.time == "1:40")
    }

    @Test func theLiveWindowIsTheBar() async {
        let bar = SeekBar(await player(.live(window: 60)).snapshot)
        #expect(bar.isLive)
        guard let range = bar.range else { return #expect(bar.range != nil) }
        #expect(range.upperBound - range.lowerBound == 60)
        #expect(bar.hover(at: 0)?.time == "-1:00")
        #expect(bar.hover(at: 1)?.time == "0:00")
        #expect(bar.seconds(at: 0) == range.lowerBound)
    }

    @Test func withoutALengthTheBarIsDisabled() async {
        let bar = SeekBar(
            await player(SimulatedMedia(duration: nil, playbackType: .live)).snapshot, bufferedRanges: [0...9])
        #expect(!bar.isEnabled)
        #expect(bar.fraction == 0)
        #expect(bar.bufferedFractions.isEmpty)
        #expect(bar.hover(at: 0.5) == nil)
        #expect(!SeekBar(PlayerSnapshot()).isEnabled)
    }

    @Test func anItemThatCannotBeSoughtHasADisabledBar() async {
        let bar = SeekBar(await player(SimulatedMedia(isSeekable: false)).snapshot)
        #expect(!bar.isEnabled)
        #expect(bar.range == 0...10)
    }

    @Test func aDragSeeksAtMostTenTimesASecond() {
        var drag = SeekDrag(target: 0)
        var seeks: [Double] = []
        for millisecond in 0..<1000 {
            drag.move(to: Double(millisecond))
            if let seek = drag.takeSeek(at: .milliseconds(millisecond)) { seeks.append(seek) }
        }
        #expect(seeks == [0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
        #expect(drag.target == 999)
        // A pointer that rests is followed too, once.
        #expect(drag.deadline == .milliseconds(1000))
        #expect(drag.takeSeek(at: .seconds(1)) == 999)
        #expect(drag.deadline == nil)
        #expect(drag.takeSeek(at: .seconds(9)) == nil)
    }

    // MARK: Times

    @Test(arguments: [
        (0.0, "0:00"), (59.99, "0:59"), (65, "1:05"), (3600, "1:00:00"), (3665, "1:01:05"), (-30, "-0:30"),
        (-0.5, "0:00"), (-3665, "-1:01:05"), (1e12, "99:59:59"), (.nan, "-:--"), (-.infinity, "-:--"),
    ])
    func timesAreShort(seconds: Double, text: String) {
        #expect(TimeText.clock(seconds) == text)
    }

    @Test func timesAreSpokenInWords() {
        #expect(TimeText.spoken(7 * 60 + 20, of: 3600) == "7 minutes of 60")
        #expect(TimeText.spoken(60, of: 3600) == "1 minute of 60")
        #expect(TimeText.spoken(12, of: 40) == "12 seconds of 40")
        #expect(TimeText.spoken(12, of: nil) == "12 seconds")
        #expect(TimeText.spoken(.nan, of: .infinity) == "0 minutes of 0")
    }

    @Test func positionsAreSpoken() async {
        #expect(SeekBar(await player(film()).snapshot, position: 60).spokenPosition == "60 seconds of 200")
        let live = await player(.live(window: 60)).snapshot
        let edge = live.dvrWindow?.end ?? 0
        #expect(SeekBar(live, position: edge).spokenPosition == "live")
        #expect(SeekBar(live, position: edge - 30).spokenPosition == "30 seconds behind live")
    }
}
