import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

/// A view whose player has a queue.
@MainActor
@Suite struct QueueTests {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private let urls = (1...3).map { URL(filePath: "/media/\($0).mp3") }

    private final class Listener: FlowplayerDelegate {
        var lines: [String] = []

        func player(_ player: any FlowplayerAPI, didChangeItem transition: ItemTransition) {
            lines.append(
                "item \(transition.index) \(transition.reason.rawValue) \(player.sourceURL?.lastPathComponent ?? "")")
        }

        func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) { lines.append(state.name) }
    }

    private func view() -> FlowplayerView {
        let queue = QueuePlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        return FlowplayerView(
            avPlayer: queue, lifecycle: ApplicationLifecycle(notificationCenter: center), notificationCenter: center)
    }

    @Test func anEmptiedQueueLeavesNoMedia() async {
        let view = view()
        view.autoPlay = true
        view.load(queue: urls.map { MediaExternal(url: $0) })
        await clock.advance(by: .seconds(1))
        #expect((view.media as? MediaExternal)?.url == urls[0])
        view.queue?.removeAllItems()
        await clock.advance(by: .seconds(1))
        #expect(view.state == .idle && view.media == nil && view.mediaHistoryList.count == 1)
        #expect(!view.reload())
    }

    @Test func aCrossfadeIsLimited() {
        let player = QueuePlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        let recorder = EventRecorder(player)
        for (value, kept) in [(-1.0, 0.0), (3, 3), (.nan, 3), (.infinity, 3), (1e300, 600)] {
            player.crossfade = value
            #expect(player.crossfade == kept)
        }
        #expect(recorder.notices.map(\.code) == ["invalidCrossfade", "invalidCrossfade"])
    }

    @Test func mediaOfAHostPlayOneAfterAnother() async throws {
        let (view, listener) = (view(), Listener())
        view.delegate = listener
        var posted: [ItemTransition] = []
        let observer = center.addObserver(forName: .flowplayerDidChangeItem, object: nil, queue: nil) { note in
            nonisolated(unsafe) let object = note.object
            MainActor.assumeIsolated { if let item = object as? ItemTransition { posted.append(item) } }
        }
        defer { center.removeObserver(observer) }
        var ended: [String] = []
        let ends = center.addObserver(forName: .flowplayerDidChangeState, object: nil, queue: nil) { note in
            nonisolated(unsafe) let note = note
            MainActor.assumeIsolated {
                guard note.object as? PlayerState == .complete else { return }
                let item = note.userInfo?[FlowplayerNotificationKey.item] as? PlayerItem
                ended.append(item?.url.lastPathComponent ?? "none")
            }
        }
        defer { center.removeObserver(ends) }
        var seen: [Int] = []
        let observation = view.observe(\.item?.transition, startsWithCurrent: false) { _, transition in
            if let transition { seen.append(transition.index) }
        }
        defer { observation.cancel() }
        view.autoPlay = true
        let media = urls.map { MediaExternal(url: $0) }
        view.load(queue: media)
        await clock.advance(by: .seconds(15))
        #expect(
            listener.lines == [
                "item 0 jumped 1.mp3", "load", "ready", "play", "complete", "item 1 ended 2.mp3", "load", "ready",
                "play",
            ])
        #expect(posted.map(\.index) == [0, 1] && seen == [0, 1])
        #expect((view.media as? MediaExternal)?.url == urls[1])
        #expect(view.mediaHistoryList.compactMap { ($0 as? MediaExternal)?.url } == [urls[0]])
        let queue = try #require(view.queue)
        #expect(queue.items().count == 2 && !queue.isOver)
        #expect(view.reload())
        await clock.advance(by: .seconds(1))
        #expect(view.state == .play && queue.queue.currentIndex == 1, "the same item again, in the same queue")
        #expect(view.media?.sessionID == media[1].sessionID)
        #expect(view.mediaHistoryList.count == 1)
        #expect(view.reload(), "and again")
        await clock.advance(by: .seconds(1))
        #expect(queue.items().count == 2)
        await clock.advance(by: .seconds(25))
        #expect(queue.isOver && view.state == .complete)
        #expect(ended == ["1.mp3", "2.mp3", "3.mp3"], "each end names the item that has ended")
    }

    @Test(arguments: [false, true]) func eachItemOfALongQueueKeepsItsMedia(isAppended: Bool) async {
        let view = view()
        let media = (0..<300).map { MediaExternal(url: URL(filePath: "/media/\($0).mp3")) }
        if isAppended { view.append(media) } else { view.load(queue: media) }
        view.queue?.jump(to: 50)
        await clock.advance(by: .seconds(1))
        #expect(view.media?.sessionID == media[50].sessionID)
    }

    @Test func anItemBesideTheQueueReplacesIt() async {
        let view = view()
        view.load(queue: urls.map { MediaExternal(url: $0) })
        view.load(external: MediaExternal(url: urls[2]))
        await clock.advance(by: .seconds(1))
        #expect(view.queue?.queue.items.isEmpty == true && view.sourceURL == urls[2])
    }

    @Test func everyPlayerHasAQueue() async {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        let view = FlowplayerView(avPlayer: player, notificationCenter: center)
        view.load(queue: urls.map { MediaExternal(url: $0) })
        #expect(view.queue === player && view.state == .load)
        #expect(player.queue.items.map(\.url) == urls)
    }

    @Test func thePlayerOfAManagerHasAQueueToo() {
        #expect(FlowplayerManager(backend: "none", notificationCenter: center).queue != nil)
    }
}
