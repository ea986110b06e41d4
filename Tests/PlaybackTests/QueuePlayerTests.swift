import FlowplayerTesting
import Foundation
import Playback
import Testing

/// A queue that plays, in virtual time.
@Suite @MainActor struct QueuePlayerTests {
    private let clock = ManualClock()

    /// Ten seconds each. A `broken` item cannot be opened, a `slow` one takes two seconds to open.
    private nonisolated static func media(_ url: URL) -> SimulatedMedia {
        switch url.lastPathComponent.prefix(while: \.isLetter) {
        case "broken": SimulatedMedia(failure: .init(error: PlaybackError(.unrecognisedFormat, url: url)))
        case "slow": SimulatedMedia(loadDelay: 2)
        default: SimulatedMedia(loadDelay: 0.1)
        }
    }

    private func items(_ names: String...) -> [PlayerItem] {
        names.map { PlayerItem(url: URL(filePath: "/media/\($0).mp3")) }
    }

    private func queue(_ items: [PlayerItem]) -> (QueuePlayer, SimulatedBackend, Story) {
        let backend = SimulatedBackend(clock: clock, script: Self.media)
        let queue = QueuePlayer(items: items, backend: backend, clock: clock)
        let story = Story(queue, clock)
        return (queue, backend, story)
    }

    /// The transitions, states and errors of the items, as lines.
    @MainActor private final class Story {
        var lines: [String] = []
        var times: [Duration] = []
        private var token: ObservationToken?

        init(_ queue: QueuePlayer, _ clock: ManualClock) {
            token = queue.observe { [weak self] event, snapshot in
                switch event {
                case .item, .state, .error:
                    self?.lines.append(event.text)
                    self?.times.append(clock.hostTime)
                default: break
                }
                #expect(snapshot.brokenRules.isEmpty)
            }
        }

        func time(of line: String) -> Duration? { lines.firstIndex(of: line).map { times[$0] } }
    }

    @Test func theNextItemIsPreloadedAndStartsAtOnce() async {
        let (queue, backend, story) = queue(items("a", "slow"))
        queue.play()
        await clock.advance(by: .seconds(5))
        #expect(queue.status(of: queue.queue.items[1]) == .readyToPlay)
        #expect(queue.snapshot.next?.item == queue.queue.items[1])
        await clock.advance(by: .seconds(6))
        #expect(
            story.lines == [
                "state ready", "state play", "state complete", "item 1 ended", "state load", "state ready",
                "state play",
            ])
        #expect(story.times[2] == story.times[6], "no time passes between the end of one and the start of the next")
        #expect(backend.commands.filter { if case .prepare = $0 { true } else { false } }.count == 1)
        await clock.advance(by: .seconds(10))
        #expect(story.lines.last == "state complete" && queue.items().isEmpty)
    }

    @Test func aLongItemPreloadsNothingEarly() async {
        let backend = SimulatedBackend(clock: clock) { _ in SimulatedMedia(duration: 3600) }
        let queue = QueuePlayer(items: items("a", "b"), backend: backend, clock: clock)
        queue.play()
        await clock.advance(by: .seconds(3500))
        #expect(queue.snapshot.next == nil)
        await clock.advance(by: .seconds(75))
        #expect(queue.snapshot.next?.status == .readyToPlay)
    }

    @Test func anItemThatCannotBeOpenedFailsInItsTurn() async {
        let (queue, _, story) = queue(items("a", "broken1", "broken2", "b"))
        queue.play()
        await clock.advance(by: .seconds(9))
        #expect(queue.snapshot.next?.item == queue.queue.items[3], "the one after is held ready instead")
        guard case .failed(let error) = queue.status(of: queue.queue.items[1]) else {
            Issue.record("its status is not failed")
            return
        }
        #expect(error.code == .unrecognisedFormat)
        #expect(!story.lines.contains { $0.hasPrefix("error") }, "it is not its turn yet")
        await clock.advance(by: .seconds(3))
        #expect(
            story.lines.dropFirst(2) == [
                "state complete", "item 1 ended", "state load", "error unrecognisedFormat", "state failure",
                "item 2 failed", "state load", "error unrecognisedFormat", "state failure",
                "item 3 failed", "state load", "state ready", "state play",
            ])
        #expect(story.times[2] == story.times.last)
    }

    @Test func anItemWhosePreloadFailedKeepsItsStartPosition() async {
        var list = items("a", "broken")
        list[1].startPosition = 4
        let (queue, backend, story) = queue(list)
        queue.play()
        await clock.advance(by: .seconds(11))
        #expect(queue.snapshot.state == .failure, "\(story.lines)")
        queue.play()
        let openings = backend.commands.compactMap { if case .open(let request) = $0 { request } else { nil } }
        #expect(openings.last?.item.url == list[1].url && openings.last?.startPosition == 4)
    }

    @Test func anItemThatRepeatsAndCannotBePreloadedIsTriedOnce() async {
        let backend = SimulatedBackend(
            clock: clock,
            openings: [
                SimulatedMedia(),
                SimulatedMedia(failure: .init(error: PlaybackError(.readFailed, url: nil))),
            ])
        let queue = QueuePlayer(items: items("a"), backend: backend, clock: clock)
        let story = Story(queue, clock)
        queue.repeatMode = .one
        queue.play()
        await clock.advance(by: .seconds(9))
        #expect(backend.commands.count { if case .prepare = $0 { true } else { false } } == 1)
        #expect(queue.status(of: queue.queue.items[0]) == .readyToPlay, "it still plays")
        await clock.advance(by: .seconds(2))
        #expect(story.lines.last == "state failure")
    }

    @Test func aLoadOfAPreloadedItemStartsWhereItIsAsked() async {
        let (queue, _, _) = queue(items("a", "b"))
        queue.play()
        await clock.advance(by: .seconds(5))
        #expect(queue.snapshot.next?.status == .readyToPlay)
        queue.load(queue.queue.items[1], autoPlay: true, startPosition: 7)
        await clock.advance(by: .seconds(1))
        #expect(queue.position.seconds > 7)
    }

    @Test(arguments: PlaybackQueue.RepeatMode.allCases)
    func aQueueThatCannotBePlayedStopsWithAnError(mode: PlaybackQueue.RepeatMode) async {
        let (queue, backend, story) = queue(items("broken1", "broken2", "broken3"))
        queue.repeatMode = mode
        queue.play()
        await clock.advance(by: .seconds(60))
        #expect(queue.snapshot.state == .failure)
        #expect(story.lines.count { $0 == "state failure" } == 3)
        let openings = backend.commands.count
        await clock.advance(by: .seconds(600))
        #expect(backend.commands.count == openings, "it does not spin")
        queue.play()
        await clock.advance(by: .seconds(1))
        #expect(backend.commands.count > openings, "who asks gets another attempt")
    }

    @Test func anItemRepeats() async {
        let (queue, _, story) = queue(items("a"))
        queue.repeatMode = .one
        queue.play()
        await clock.advance(by: .seconds(35))
        #expect(story.lines.filter { $0.hasPrefix("item") } == Array(repeating: "item 0 ended", count: 3))
        #expect(story.time(of: "state complete") == story.time(of: "item 0 ended"))
        #expect(queue.snapshot.state == .play)
    }

    @Test func theQueueRepeats() async {
        let (queue, _, story) = queue(items("a", "b"))
        queue.repeatMode = .all
        queue.play()
        await clock.advance(by: .seconds(35))
        #expect(story.lines.filter { $0.hasPrefix("item") } == ["item 1 ended", "item 0 ended", "item 1 ended"])
    }

    @Test func theQueueCanPauseAtAnEnd() async {
        let (queue, _, story) = queue(items("a", "b"))
        queue.actionAtItemEnd = .pause
        queue.play()
        await clock.advance(by: .seconds(20))
        #expect(queue.snapshot.state == .complete && queue.snapshot.next == nil)
        queue.play()
        await clock.advance(by: .seconds(1))
        #expect(story.lines.contains("item 1 ended") && queue.snapshot.state == .play)
        queue.actionAtItemEnd = .none
        await clock.advance(by: .seconds(20))
        queue.play()
        await clock.advance(by: .seconds(1))
        #expect(queue.snapshot.state == .play && queue.queue.currentIndex == 1, "the same again")
    }

    @Test func changesAfterThePreloadCount() async {
        let (queue, _, story) = queue(items("a", "b", "c"))
        queue.play()
        await clock.advance(by: .seconds(5))
        let others = items("x", "y")
        queue.insert(others[0], after: queue.currentItem)
        await clock.advance(by: .seconds(1))
        #expect(queue.snapshot.next?.item == others[0])
        queue.insert(others[1], at: 0)
        #expect(queue.snapshot.next?.item == others[0], "what is put before changes nothing")
        queue.remove(others[0])
        #expect(queue.snapshot.next?.item == queue.queue.items[2])
        await clock.advance(by: .seconds(5))
        #expect(story.lines.last == "state play" && queue.queue.currentIndex == 2)
        #expect(story.lines.contains("item 2 ended"))
    }

    @Test func theCurrentItemCanBeRemoved() async {
        let (queue, _, story) = queue(items("a", "b"))
        queue.play()
        await clock.advance(by: .seconds(5))
        queue.remove(queue.queue.items[0])
        await clock.advance(by: .seconds(1))
        #expect(story.lines.contains("item 0 skipped") && queue.snapshot.state == .play)
        queue.remove(queue.queue.items[0])
        #expect(queue.snapshot.state == .idle && queue.items().isEmpty && queue.queue.items.isEmpty)
    }

    @Test func aSkipDuringAnOpeningSkipsOnce() async {
        let (queue, backend, story) = queue(items("a", "slow1", "slow2", "b"))
        queue.play()
        await clock.advance(by: .seconds(5))
        queue.advanceToNextItem()
        queue.advanceToNextItem()
        await clock.advance(by: .seconds(5))
        #expect(story.lines.filter { $0.hasPrefix("item") } == ["item 1 skipped", "item 2 skipped"])
        #expect(queue.currentItem == queue.queue.items[2] && queue.snapshot.state == .play)
        let openings = backend.commands.compactMap { if case .open(let request) = $0 { request.item } else { nil } }
        #expect(openings.count { $0 == queue.queue.items[2] } == 1, "nothing is opened twice")
    }

    @Test func aSkipToAPreloadedItemTakesNoTime() async {
        let (queue, _, story) = queue(items("a", "slow"))
        queue.play()
        await clock.advance(by: .seconds(5))
        queue.advanceToNextItem()
        await clock.advance(by: .milliseconds(1))
        #expect(story.lines.last == "state play" && queue.queue.currentIndex == 1)
    }

    @Test func aJumpReplacesThePreloadedItem() async {
        let (queue, _, story) = queue(items("a", "slow", "b"))
        queue.play()
        await clock.advance(by: .seconds(1))
        #expect(queue.snapshot.next?.status == .unknown)
        queue.jump(to: 2)
        await clock.advance(by: .seconds(1))
        #expect(story.lines.contains("item 2 jumped") && queue.snapshot.state == .play)
        #expect(!queue.jump(to: 3) && !queue.jump(to: -1))
    }

    @Test func previousGoesToTheBeginningOrToTheOneBefore() async {
        let (queue, _, story) = queue(items("a", "b"))
        queue.play()
        await clock.advance(by: .seconds(15))
        queue.returnToPreviousItem()
        await clock.advance(by: .seconds(1))
        #expect(queue.queue.currentIndex == 1 && queue.snapshot.position < 2)
        queue.returnToPreviousItem()
        await clock.advance(by: .seconds(1))
        #expect(queue.queue.currentIndex == 0 && story.lines.contains("item 0 skipped"))
        queue.returnToPreviousItem()
        #expect(queue.queue.currentIndex == 0)
    }

    @Test func anItemStaysPausedBeforeItsEnd() async {
        let (queue, _, _) = queue(items("a", "b"))
        queue.play()
        await clock.advance(by: .seconds(10))
        while queue.position.seconds < 9.99 { await clock.advance(by: .milliseconds(5)) }
        queue.pause()
        await clock.advance(by: .seconds(10))
        #expect(queue.snapshot.state == .pause && queue.queue.currentIndex == 0)
        queue.play()
        await clock.advance(by: .seconds(1))
        #expect(queue.snapshot.state == .play && queue.queue.currentIndex == 1)
    }

    @Test func theBackgroundPausesAQueue() async {
        let (queue, _, story) = queue(items("a", "b"))
        queue.play()
        await clock.advance(by: .seconds(9))
        queue.enterBackground(.pause)
        await clock.advance(by: .seconds(30))
        #expect(queue.queue.currentIndex == 0)
        queue.leaveBackground(resumes: true)
        await clock.advance(by: .seconds(3))
        #expect(queue.queue.currentIndex == 1 && story.lines.last == "state play")
    }

    @Test func playAfterTheQueueStartsFromTheBeginning() async {
        let (queue, _, story) = queue(items("a", "b"))
        queue.play()
        await clock.advance(by: .seconds(25))
        #expect(queue.snapshot.state == .complete && queue.queue.currentIndex == nil)
        queue.play()
        await clock.advance(by: .seconds(1))
        #expect(story.lines.contains("item 0 jumped") && queue.snapshot.state == .play)
        queue.stop()
        #expect(queue.snapshot.state == .idle && queue.queue.items.count == 2)
        queue.play()
        await clock.advance(by: .seconds(1))
        #expect(queue.snapshot.state == .play, "what was stopped is still in the queue")
    }

    @Test func aHostMayChangeTheQueueInACallback() async {
        let (queue, _, story) = queue(items("a"))
        var isToInsert = true
        let token = queue.observe { [items = items("b")] event, _ in
            guard event == .state(.complete), isToInsert else { return }
            isToInsert = false
            queue.append(items)
        }
        queue.play()
        await clock.advance(by: .seconds(15))
        token.cancel()
        #expect(story.lines.contains("item 1 ended") && queue.snapshot.state == .play)
    }

    @Test func itemsFollowEachOtherWithoutPreloading() async {
        let capabilities = BackendCapabilities(features: SimulatedBackend.everything.features.subtracting([.preparing]))
        let backend = SimulatedBackend(clock: clock, capabilities: capabilities, script: Self.media)
        let queue = QueuePlayer(items: items("a", "b"), backend: backend, clock: clock)
        queue.play()
        await clock.advance(by: .seconds(15))
        #expect(queue.queue.currentIndex == 1 && queue.snapshot.state == .play)
        #expect(!backend.commands.contains { if case .prepare = $0 { true } else { false } })
    }

    @Test func aSingleItemReplacesTheQueue() async {
        let (queue, _, _) = queue(items("a", "b"))
        queue.load(URL(filePath: "/media/c.mp3"), autoPlay: true)
        await clock.advance(by: .seconds(20))
        #expect(queue.snapshot.state == .complete && queue.queue.items.isEmpty)
    }
}
