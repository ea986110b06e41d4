import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// Queues as hosts of AVQueuePlayer use them, and media that are resolved when their turn comes.
@MainActor
@Suite struct QueueHostTests {
    private let clock = ManualClock()
    private let items = (1...3).map { AVPlayerItem(url: URL(filePath: "/media/\($0).mp3")) }

    private func queue(_ items: [AVPlayerItem]) -> AVQueuePlayer {
        AVQueuePlayer(items: items, backend: SimulatedBackend(clock: clock), clock: clock)
    }

    // MARK: AVQueuePlayer

    @Test(arguments: [1, 3])
    func aRepeatedInsertionPlaysForever(count: Int) async {
        let items = Array(items.prefix(count))
        let queue = queue(items)
        var played: [PlayerItem.ID] = []
        let token = queue.observe { [weak queue] event, snapshot in
            guard event == .state(.complete), let ended = snapshot.item?.source else { return }
            played.append(ended.id)
            queue?.insert(ended, after: nil)
        }
        queue.play()
        await clock.advance(by: .seconds(10 * count * 3 + 5))
        token.cancel()
        #expect(played == (0..<count * 3).map { items[$0 % count].id })
        #expect(queue.snapshot.state == .play && queue.items().count == count && queue.allItems.count == count)
    }

    @Test func aPendingItemIsInsertedOnce() async {
        let queue = queue(items)
        queue.play()
        await clock.advance(by: .seconds(15))
        #expect(!queue.canInsert(items[1], after: nil) && !queue.canInsert(items[2], after: nil))
        #expect(queue.canInsert(items[0], after: items[1]) && !queue.canInsert(items[0], after: items[0]))
        queue.insert(items[0], after: items[1])
        #expect(queue.items() == [items[1], items[0], items[2]] && queue.currentIndex == 0)
        queue.append(items[0], items[2])
        #expect(queue.items().count == 3)
    }

    @Test func replacingTheCurrentItemKeepsTheRest() async {
        let queue = queue(items)
        let other = AVPlayerItem(url: URL(filePath: "/media/other.mp3"))
        queue.play()
        await clock.advance(by: .seconds(15))
        queue.replaceCurrentItem(with: other)
        #expect(queue.items() == [other, items[2]] && queue.currentItem == other)
        await clock.advance(by: .seconds(1))
        #expect(queue.snapshot.state == .play)
        queue.replaceCurrentItem(with: items[2])
        #expect(queue.items() == [items[2]])
        await clock.advance(by: .seconds(20))
        #expect(queue.isOver && queue.items().isEmpty)
        queue.replaceCurrentItem(with: items[0])
        #expect(queue.items() == [items[0]] && queue.allItems == [items[2], items[0]])
    }

    @Test func aPlayerWithoutAQueueHasItsItemAndThoseThatFollow() async {
        let queue = queue([])
        queue.replaceCurrentItem(with: items[0])
        #expect(queue.items() == [items[0]] && queue.allItems.isEmpty && queue.currentIndex == nil)
        queue.append(items[1])
        #expect(queue.items() == [items[0], items[1]])
        queue.replaceCurrentItem(with: items[2])
        #expect(queue.items() == [items[2], items[1]])
        queue.play()
        await clock.advance(by: .seconds(15))
        #expect(queue.items() == [items[1]] && queue.currentIndex == 0)
    }

    @Test func shufflingIsAProperty() {
        let queue = queue(items)
        queue.isShuffled = true
        let order = queue.items()
        queue.isShuffled = true
        #expect(queue.items() == order && queue.isShuffled)
        queue.isShuffled = false
        #expect(queue.items() == items)
    }

    // MARK: Items that are resolved

    /// Answers each question, and counts them.
    private actor Addresses {
        private(set) var count = 0

        func next(_ name: String) throws(PlaybackError) -> PlayerItem {
            count += 1
            guard name != "broken" else { throw PlaybackError(.mediaNotFound, url: nil) }
            return PlayerItem(url: URL(filePath: "/media/\(name)-\(count).mp3"))
        }
    }

    private func resolved(_ queue: QueuePlayer, _ name: String, _ addresses: Addresses) -> PlayerItem {
        queue.deferredItem(metadata: MediaMetadata(title: name)) { () async throws(PlaybackError) in
            try await addresses.next(name)
        }
    }

    @Test func anItemIsResolvedNearItsTurnAndEachTimeAnew() async throws {
        let (queue, addresses) = (queue([]), Addresses())
        let first = resolved(queue, "first", addresses)
        queue.load([first, items[0]], autoPlay: true)
        queue.repeatMode = .all
        #expect(queue.snapshot.isResolving && queue.snapshot.item?.url == nil && queue.currentItem == first)
        #expect(await eventually { !queue.snapshot.isResolving })
        await clock.advance(by: .seconds(1))
        #expect(queue.currentItem?.url.lastPathComponent == "first-1.mp3" && queue.currentItem?.id == first.id)
        #expect(queue.snapshot.metadata.title == "first" && queue.snapshot.state == .play)
        await clock.advance(by: .seconds(10))
        #expect(queue.currentIndex == 1)
        #expect(await eventually { queue.snapshot.next?.item.isDeferred == false })
        #expect(await addresses.count == 2, "the next item is resolved before its turn")
        await clock.advance(by: .seconds(1))
        #expect(queue.status(of: first) == .readyToPlay)
        await clock.advance(by: .seconds(10))
        #expect(queue.currentItem?.url.lastPathComponent == "first-2.mp3" && queue.currentIndex == 0)
    }

    @Test func anItemThatCannotBeResolvedIsSkipped() async {
        let (queue, addresses) = (queue([]), Addresses())
        let recorder = EventRecorder(queue)
        let now = resolved(queue, "broken", addresses)
        let later = resolved(queue, "broken", addresses)
        queue.load([now, items[0], later, items[1]], autoPlay: true)
        #expect(await eventually { queue.currentIndex == 1 })
        #expect(recorder.errors.map(\.code) == [.mediaNotFound])
        await clock.advance(by: .seconds(1))
        #expect(await eventually { queue.status(of: later) != .unknown })
        await clock.advance(by: .seconds(11))
        #expect(queue.currentIndex == 3 && queue.snapshot.state == .play)
        #expect(recorder.errors.map(\.code) == [.mediaNotFound, .mediaNotFound])
    }

    @Test func anItemOfAnotherPlayerFailsAtOnce() async {
        let queue = queue([])
        let item = resolved(self.queue([]), "first", Addresses())
        queue.append(item)
        #expect(queue.snapshot.error?.code == .unsupportedScheme)
    }

    // MARK: Media of a view

    private struct Platform: OVPClient {
        func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig {
            guard request.mediaId != "missing" else { throw .notFound }
            return OVPConfig(src: ["file:///media/\(request.mediaId).mp3"])
        }
    }

    private final class Listener: FlowplayerDelegate {
        var lines: [String] = []

        func player(_: any FlowplayerAPI, didReceiveConfig config: OVPConfig) {
            lines.append("config \(config.src?.first ?? "")")
        }

        func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
            if state == .play { lines.append("play \(player.sourceURL?.lastPathComponent ?? "nil")") }
            // The address is already that of the next item.
            if state == .failure { lines.append("failure") }
        }
    }

    @Test func mediaOfAllKindsAreInOneQueue() async throws {
        // The client is the process's.
        let lock = await TestLock.acquire(.facade)
        defer { withExtendedLifetime(lock) { Flowplayer.current.ovpClient = nil } }
        Flowplayer.current.ovpClient = Platform()
        let manager = FlowplayerManager(avPlayer: queue([]))
        let (listener, queue) = (Listener(), try #require(manager.queue))
        manager.delegate = listener
        manager.autoPlay = true
        let media: [any Media] = [
            MediaOVP(mediaId: "a", playerId: "p"), MediaExternal(url: items[0].url),
            MediaOVP(mediaId: "missing", playerId: "p"),
        ]
        manager.load(queue: media)
        manager.append(MediaOVP(mediaId: "b", playerId: "p"), MediaExternal(url: items[1].url))
        #expect(await eventually { !queue.snapshot.isResolving })
        await clock.advance(by: .seconds(12))
        #expect(await eventually { queue.snapshot.next?.item.isDeferred == false })
        await clock.advance(by: .seconds(20))
        #expect(
            listener.lines == [
                "config file:///media/a.mp3", "play a.mp3", "play 1.mp3", "failure", "config file:///media/b.mp3",
                "play b.mp3", "play 2.mp3",
            ])
        #expect((manager.mediaHistoryList.first as? MediaOVP)?.mediaId == "b")
    }
}

#if VLC || GStreamer
/// The same with files on real engines.
@MainActor
@Suite struct QueueHostFileTests {
    @Test(arguments: RealEngine.allCases) func aRepeatedInsertionPlaysForever(engine: RealEngine) async throws {
        let item = PlayerItem(url: try await MediaFixtures.shared.file("flac"))
        let queue = AVQueuePlayer(items: [item], backend: engine.makeBackend())
        var ends = 0
        let recorder = EventRecorder(queue)
        let token = queue.observe { [weak queue] event, snapshot in
            guard event == .state(.complete), let ended = snapshot.item?.source else { return }
            ends += 1
            if ends < 3 { queue?.insert(ended, after: nil) }
        }
        queue.play()
        while ends < 3 { #expect(await recorder.event { $0 == .state(.complete) }) }
        token.cancel()
        #expect(ends == 3 && queue.isOver && recorder.errors.isEmpty)
    }

    @Test(arguments: RealEngine.allCases) func theRestOfAQueuePlaysAfterTheReplacedItem(engine: RealEngine) async throws
    {
        let urls = [try await MediaFixtures.shared.file("flac"), try await MediaFixtures.shared.file("mp3")]
        let items = [urls[0], urls[0], urls[1]].map { PlayerItem(url: $0) }
        let queue = AVQueuePlayer(items: [items[0], items[2]], backend: engine.makeBackend())
        let recorder = EventRecorder(queue)
        var isReplaced = false
        // In a callback, because the items are short.
        let token = queue.observe { [weak queue] event, _ in
            guard event == .state(.play), !isReplaced else { return }
            isReplaced = true
            queue?.replaceCurrentItem(with: items[1])
            #expect(queue?.items() == [items[1], items[2]])
        }
        queue.play()
        #expect(await recorder.event { _ in isReplaced })
        while !queue.isOver { #expect(await recorder.event { $0 == .state(.complete) }) }
        #expect(queue.allItems == [items[1], items[2]] && recorder.errors.isEmpty)
        token.cancel()
    }

    @Test(arguments: RealEngine.allCases) func anItemIsResolvedWhenItsTurnComes(engine: RealEngine) async throws {
        let url = try await MediaFixtures.shared.file("mp3")
        let queue = QueuePlayer(backend: engine.makeBackend())
        let recorder = EventRecorder(queue)
        let resolved = queue.deferredItem { () async throws(PlaybackError) in PlayerItem(url: url) }
        let broken = queue.deferredItem { () async throws(PlaybackError) in
            throw PlaybackError(.mediaNotFound, url: nil)
        }
        queue.load([PlayerItem(url: url), broken, resolved], autoPlay: true)
        while !queue.isOver { #expect(await recorder.event { $0 == .state(.complete) }) }
        #expect(recorder.states.count { $0 == .complete } == 2)
        #expect(recorder.errors.map(\.code) == [.mediaNotFound])
        #expect(queue.currentItem?.url == url && queue.currentItem?.id == resolved.id)
    }
}
#endif
