import Foundation
import Testing

@testable import Playback

@Suite struct PlaybackMachineTests {
    @Test func anItemIsLoadedReadyPlayedAndComplete() {
        var story = Scenario()
        let commands = story.load()
        #expect(
            commands == [.open(OpenRequest(generation: .none.next, item: Scenario.item, playsWhenReady: true))])
        story.wait(10)
        story.backend(.ended(position: 9.9))
        #expect(
            story.reported == [
                .media(Scenario.url), .rate(1), .state(.load), .playbackType(.file), .duration(10), .tracks(.none),
                .buffer(.keepUp), .state(.ready), .state(.play), .playbackState(.playing), .rate(0), .buffer(.full),
                .state(.complete), .playbackState(.ended),
            ])
        #expect(story.events.suffix(3) == [.position(10), .state(.complete), .playbackState(.ended)])
    }

    @Test func nothingFollowsTheEnd() {
        var story = Scenario()
        story.load()
        story.backend(.ended(position: 10))
        let count = story.events.count
        for body in [
            BackendEvent.Body.time(position: 3), .paused(position: 3), .stalled(position: 3), .playing(position: 3),
            .ended(position: 10), .failed(.test, position: 3), .closed, .durationChanged(20),
        ] {
            #expect(story.backend(body).isEmpty)
        }
        #expect(story.command(.pause).isEmpty)
        #expect(story.events.count == count)
    }

    @Test func eventsOfAReplacedItemAreDropped() {
        var story = Scenario()
        story.load()
        let old = story.snapshot.generation
        story.command(.load(Scenario.item, autoPlay: false))
        let before = story.snapshot
        story.backend(.ended(position: 10), generation: old)
        story.backend(.failed(.test, position: 1), generation: old)
        #expect(story.snapshot == before)
        #expect(story.snapshot.state == .load)
    }

    @Test func playBeforeReadyWaitsUntilPauseRevokesIt() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: false))
        #expect(story.command(.play) == [.play(story.snapshot.generation)])
        #expect(story.command(.pause) == [.pause(story.snapshot.generation)])
        story.opened()
        story.backend(.playing(position: 0))
        #expect(story.snapshot.state == .ready)
    }

    @Test func playAfterTheEndStartsFromTheBeginning() {
        var story = Scenario()
        story.load()
        story.backend(.ended(position: 10))
        let commands = story.command(.play)
        guard case .open(let request) = commands.first else {
            Issue.record("nothing was opened: \(commands)")
            return
        }
        #expect(request.startPosition == 0)
        #expect(request.playsWhenReady)
        story.opened()
        story.backend(.playing(position: 0))
        #expect(story.states == [.load, .ready, .play, .complete, .load, .ready, .play])
        #expect(story.reported.count { if case .media = $0 { true } else { false } } == 1)
    }

    @Test func playAfterAFailureRetriesAtItsPosition() {
        var story = Scenario()
        story.load()
        story.backend(.failed(.test, position: 4))
        #expect(story.snapshot.error == .test)
        guard case .open(let request) = story.command(.play).first else {
            Issue.record("nothing was opened")
            return
        }
        #expect(request.startPosition == 4)
        #expect(story.snapshot.error == nil)
    }

    @Test func playAfterAFailureBeforeTheStartKeepsTheStartPosition() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: true, startPosition: 6))
        story.backend(.failed(.test, position: 0))
        guard case .open(let request) = story.command(.play).first else {
            Issue.record("nothing was opened")
            return
        }
        #expect(request.startPosition == 6)
    }

    @Test func aFailureReportsItsErrorBeforeTheState() {
        var story = Scenario()
        story.load()
        story.wait(3)
        story.backend(.failed(.test, position: 3))
        #expect(story.events.suffix(4) == [.position(3), .error(.test), .state(.failure), .playbackState(.idle)])
    }

    @Test func aFailureKeepsThePosition() {
        var story = Scenario()
        story.load()
        story.wait(1)
        story.backend(.time(position: 1))
        for position in [0.5, .nan, .infinity] {
            var story = story
            story.backend(.failed(.test, position: position))
            #expect(story.snapshot.position == 1)
        }
    }

    @Test func aSecondFailureKeepsThePositionOfTheFirst() {
        var story = Scenario()
        story.load()
        story.backend(.failed(.test, position: 4))
        story.command(.play)
        story.backend(.failed(.test, position: 0))
        guard case .open(let request) = story.command(.play).first else {
            Issue.record("nothing was opened")
            return
        }
        #expect(request.startPosition == 4)
    }

    @Test func aFailureEndsASeekAtThePosition() {
        var story = Scenario()
        story.load()
        story.command(.seek(8))
        story.backend(.failed(.test, position: 2))
        #expect(story.snapshot.position == 2)
        #expect(story.reported.contains(.seek(.failed, position: 2)))
    }

    @Test(arguments: [0, 60])
    func aFailureOfTheOpeningKeepsTheTargetOfASeek(start: Double) {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: true, startPosition: start))
        story.command(.seek(30))
        story.backend(.failed(.test, position: start))
        #expect(story.snapshot.position == 30)
        #expect(story.reported.contains(.seek(.failed, position: 30)))
        guard case .open(let request) = story.command(.play).first else {
            Issue.record("nothing was opened")
            return
        }
        #expect(request.startPosition == 30)
    }

    @Test func aDeferredLoadPausesTheItemThatPlays() {
        var story = Scenario()
        story.load()
        let generation = story.snapshot.generation
        #expect(story.command(.load(Scenario.deferred, autoPlay: true)) == [.pause(generation)])
        for end in [PlayerCommand.stop, .failResolving(story.snapshot.generation, .test)] {
            var story = story
            #expect(story.command(end) == [.close(generation)])
            #expect(story.command(.stop).isEmpty, "nothing is left to close")
        }
        let openings = story.command(.resolve(story.snapshot.generation, Scenario.item))
        #expect(openings.count == 1, "the engine closes it when it opens the next one: \(openings)")
        #expect(story.command(.stop) == [.close(story.snapshot.generation)])
    }

    @Test func stopUnloadsAndCloses() {
        var story = Scenario()
        story.load()
        let generation = story.snapshot.generation
        #expect(story.command(.stop) == [.close(generation)])
        #expect(story.snapshot.item == nil)
        #expect(story.snapshot.state == .idle)
        #expect(story.command(.stop).isEmpty)
        #expect(story.snapshot.generation == generation)
        #expect(story.events.suffix(2) == [.state(.idle), .playbackState(.idle)])
        let count = story.events.count
        story.backend(.closed)
        #expect(story.events.count == count)
    }

    @Test func thePositionAdvancesUntilAPause() {
        var story = Scenario()
        story.load()
        story.wait(1)
        story.command(.pause)
        #expect(story.snapshot.position == 1)
        story.wait(5)
        #expect(story.snapshot.playhead.position(at: story.now) == 1)
        story.command(.play)
        #expect(story.snapshot.state == .play)
        story.wait(1)
        #expect(story.snapshot.playhead.position(at: story.now) == 1, "the engine has not confirmed yet")
        story.backend(.playing(position: 1))
        story.wait(1)
        #expect(story.snapshot.playhead.position(at: story.now) == 2)
    }

    @Test func missingDataAreBufferingOnlyDuringPlayback() {
        var story = Scenario()
        story.load()
        story.backend(.stalled(position: 0))
        #expect(story.snapshot.state == .buffer)
        story.command(.pause)
        #expect(story.snapshot.state == .pause)
        story.command(.play)
        #expect(story.snapshot.state == .buffer)
        story.backend(.playing(position: 0))
        #expect(story.snapshot.state == .play)
    }

    @Test func suppressionNeverOverridesTheUser() {
        var story = Scenario()
        story.load()
        #expect(story.command(.suppress(.background)) == [.pause(story.snapshot.generation)])
        #expect(story.snapshot.state == .pause)
        #expect(story.snapshot.wantsToPlay)
        #expect(story.command(.suppress(.interruption)).isEmpty)
        #expect(story.command(.unsuppress(.background)).isEmpty)
        #expect(story.command(.unsuppress(.interruption)) == [.play(story.snapshot.generation)])
        story.command(.pause)
        story.command(.suppress(.background))
        #expect(story.command(.unsuppress(.background)).isEmpty)
        #expect(story.snapshot.state == .pause)
    }

    // MARK: Seeking

    @Test func onlyTheLastOfManySeeksCounts() {
        var story = Scenario()
        story.load(duration: 100)
        let generation = story.snapshot.generation
        #expect(story.command(.seek(1)) == [.seek(generation, to: 1)])
        for target in 2...50 { #expect(story.command(.seek(Double(target))).isEmpty) }
        #expect(story.backend(.seeked(position: 1)) == [.seek(generation, to: 50)])
        #expect(story.snapshot.position == 50)
        story.backend(.seeked(position: 50))
        #expect(story.reported.last == .seek(.seeked, position: 50))
        #expect(story.reported.count { $0 == .seek(.seeked, position: 1) } == 0)
        #expect(story.snapshot.playhead.isAdvancing)
    }

    @Test(arguments: [(-5.0, 0.0), (99.0, 10.0), (9.9, 9.9)])
    func aTargetIsClampedToTheItem(requested: Double, target: Double) {
        var story = Scenario()
        story.load()
        #expect(story.command(.seek(requested)) == [.seek(story.snapshot.generation, to: target)])
        #expect(story.reported.last == .seek(.seeking, position: target))
    }

    @Test func atMostFivePositionsASecondAreReported() {
        var story = Scenario()
        story.load()
        let before = story.events.count
        for millisecond in stride(from: 10, through: 1000, by: 10) {
            story.wait(0.01)
            story.backend(.time(position: Double(millisecond) / 1000))
        }
        let positions = story.events[before...].compactMap {
            if case .position(let position) = $0 { position } else { nil }
        }
        #expect(positions == [0.2, 0.4, 0.6, 0.8, 1])
    }

    @Test func staleTimesDuringASeekAreIgnored() {
        var story = Scenario()
        story.load()
        story.command(.seek(8))
        story.backend(.time(position: 1))
        #expect(story.snapshot.position == 8)
        story.backend(.seeked(position: 8))
        #expect(story.snapshot.position == 8)
    }

    @Test func aSeekBeforeReadyIsMadeWhenReady() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: true))
        #expect(story.command(.seek(50)).isEmpty)
        #expect(story.opened() == [.seek(story.snapshot.generation, to: 10)])
        story.backend(.playing(position: 10))
        #expect(!story.snapshot.playhead.isAdvancing)
        story.backend(.seeked(position: 10))
        #expect(story.reported.last == .seek(.seeked, position: 10))
    }

    @Test func aStartPositionPastTheEndIsReported() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: false, startPosition: 99))
        story.opened(position: 10)
        #expect(
            story.reported.contains { if case .log(let notice) = $0 { notice.code == "startBeyondEnd" } else { false } }
        )
        #expect(story.snapshot.position == 10)
    }

    @Test func aSeekInAnUnseekableItemFails() {
        var story = Scenario()
        story.load(duration: nil, isSeekable: false)
        story.wait(3)
        story.backend(.time(position: 3))
        #expect(story.command(.seek(1)).isEmpty)
        #expect(story.reported.last == .seek(.failed, position: 3))
        #expect(story.snapshot.state == .play)
    }

    @Test func aFailedSeekReportsThePosition() {
        var story = Scenario()
        story.load()
        story.command(.seek(5))
        story.backend(.seekFailed(position: 2))
        #expect(story.reported.last == .seek(.failed, position: 2))
        #expect(story.snapshot.position == 2)
    }

    @Test func aSeekAfterTheEndOpensThePausedItem() {
        var story = Scenario()
        story.load()
        story.backend(.ended(position: 10))
        guard case .open(let request) = story.command(.seek(3)).first else {
            Issue.record("nothing was opened")
            return
        }
        #expect(request.startPosition == 3)
        #expect(!request.playsWhenReady)
        story.opened(position: 3)
        #expect(story.reported.suffix(3) == [.seek(.seeked, position: 3), .buffer(.keepUp), .state(.ready)])
    }

    @Test func aSeekThatMeetsTheEndIsPerformed() {
        var story = Scenario()
        story.load()
        story.command(.seek(4))
        guard case .open(let request) = story.backend(.ended(position: 10)).first else {
            Issue.record("nothing was opened")
            return
        }
        #expect(request.startPosition == 4)
        #expect(request.playsWhenReady)
        story.opened(position: 4)
        #expect(story.reported.contains(.seek(.seeked, position: 4)))
    }

    @Test func aSeekToTheEndEnds() {
        var story = Scenario()
        story.load()
        story.command(.seek(10))
        story.backend(.ended(position: 10))
        #expect(
            story.reported.suffix(4) == [
                .seek(.seeked, position: 10), .buffer(.full), .state(.complete), .playbackState(.ended),
            ])
    }

    // MARK: Bad input

    @Test func invalidNumbersAreRefusedWithAWarning() {
        var story = Scenario()
        story.load()
        let before = story.snapshot
        for command in [
            PlayerCommand.seek(.nan), .seek(.infinity), .setRate(.nan), .setRate(-1), .setDefaultRate(.infinity),
            .setDefaultRate(0), .setVolume(.nan), .setSubtitleDelay(.nan),
        ] {
            story.events = []
            #expect(story.command(command).isEmpty)
            guard case .log = story.events.first, story.events.count == 1 else {
                Issue.record("\(command) gave \(story.events)")
                continue
            }
        }
        #expect(story.snapshot.rate == before.rate)
        #expect(story.snapshot.defaultRate == before.defaultRate)
        #expect(story.snapshot.volume == before.volume)
    }

    @Test func rateAndVolumeAreClamped() {
        var story = Scenario()
        #expect(story.command(.setRate(100)) == [.setRate(4)])
        #expect(story.command(.setRate(0.001)) == [.setRate(0.25)])
        #expect(story.command(.setVolume(2)).isEmpty)
        #expect(story.command(.setVolume(-2)) == [.setVolume(0)])
    }

    @Test func playWithNothingLoadedIsAWarning() {
        var story = Scenario()
        #expect(story.command(.play).isEmpty)
        #expect(!story.snapshot.wantsToPlay)
        #expect(story.reported.count == 1)
    }
}
