#if VLC || GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// Queues of real media.
@MainActor
@Suite struct EngineQueueTests {
    private func queue(_ urls: [URL], _ engine: RealEngine) -> (QueuePlayer, Story) {
        let queue = QueuePlayer(items: urls.map { PlayerItem(url: $0) }, backend: engine.makeBackend())
        return (queue, Story(queue))
    }

    /// The transitions, states and errors of the items, without stalls.
    @MainActor private final class Story {
        private(set) var lines: [String] = []
        private var token: ObservationToken?

        init(_ queue: QueuePlayer) {
            var isStalled = false
            token = queue.observe { [weak self] event, snapshot in
                #expect(snapshot.brokenRules.isEmpty)
                switch event {
                // A process that gets no core for seconds stalls, and plays again.
                case .state(.buffer): isStalled = true
                case .state(.play) where isStalled: isStalled = false
                case .item, .state, .error:
                    isStalled = false
                    self?.lines.append("\(snapshot.item?.number ?? 0): \(event.text)")
                default: break
                }
            }
        }
    }

    private func place(_ queue: QueuePlayer, _ index: Int) async -> Bool {
        await eventually { queue.queue.currentIndex == index && queue.snapshot.state == .play }
    }

    @Test(arguments: RealEngine.allCases) func thirtyItemsAreReportedOnceEach(engine: RealEngine) async throws {
        let kinds = [("mp3", 44100), ("flac", 96000), ("m4a", 48000), ("opus", 48000), ("wav", 22050)]
        var urls: [URL] = []
        for index in 0..<30 {
            let (format, rate) = kinds[index % kinds.count]
            urls.append(try await MediaFixtures.shared.short(format, sampleRate: rate))
        }
        urls[7] = URL(filePath: "/no/such/file.mp3")
        urls[16] = try await MediaFixtures.shared.bytes(
            "garbage.flac", Data((0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }))
        urls[23] = try await MediaFixtures.shared.bytes("empty.wav", Data())
        let broken = [7: "fileNotFound", 16: "unrecognisedFormat", 23: "emptyFile"]
        let (queue, story) = queue(urls, engine)
        queue.play()
        #expect(await eventually { queue.isOver })
        var expected: [String] = []
        for index in 0..<30 {
            let number = index + 1
            if index > 0 {
                expected += ["\(number): item \(index) \(broken[index - 1] == nil ? "ended" : "failed")"]
                expected += ["\(number): state load"]
            }
            if broken[index] != nil {
                expected += ["\(number): error", "\(number): state failure"]
            } else {
                expected += ["\(number): state ready", "\(number): state play", "\(number): state complete"]
            }
        }
        // The reasons are the business of other tests.
        let reported = story.lines.map { $0.contains(": error") ? String($0.prefix { $0 != ":" }) + ": error" : $0 }
        #expect(reported == expected)
    }

    @Test(arguments: RealEngine.allCases) func anItemThatFollowsItselfIsReportedTwice(engine: RealEngine) async throws {
        let url = try await MediaFixtures.shared.short("flac", sampleRate: 96000)
        let (queue, story) = queue([url, url], engine)
        queue.play()
        #expect(await eventually { queue.isOver })
        #expect(story.lines.count { $0.hasSuffix("state complete") } == 2)
        #expect(story.lines.contains("2: item 1 ended"))
    }

    @Test(arguments: RealEngine.allCases) func anItemRepeatsUntilTheHostAdvances(engine: RealEngine) async throws {
        let url = try await MediaFixtures.shared.short("flac", sampleRate: 96000)
        let (queue, story) = queue([url, url], engine)
        queue.repeatMode = .one
        queue.play()
        #expect(await eventually { story.lines.count { $0.hasSuffix("item 0 ended") } >= 3 })
        queue.repeatMode = .off
        #expect(await eventually { queue.isOver && story.lines.last?.hasSuffix("complete") == true })
        #expect(story.lines.count { $0.hasSuffix("item 1 ended") } == 1)
    }

    @Test(arguments: RealEngine.allCases) func anItemResumesCloseToItsEnd(engine: RealEngine) async throws {
        let first = try await MediaFixtures.shared.file("flac")
        let (queue, story) = queue([first, try await MediaFixtures.shared.file("mp3")], engine)
        queue.play()
        #expect(
            await eventually {
                queue.queue.currentIndex == 1 || queue.position.seconds > MediaFixtures.duration - 0.08
            })
        // The item may end before the engine pauses, and on a busy machine before this line.
        let next = queue.queue.currentIndex == 1 ? queue.position.seconds : 0
        queue.pause()
        #expect(!(await eventually(within: .seconds(1)) { queue.snapshot.state == .play }))
        #expect(queue.queue.currentIndex == 0 || queue.position.seconds < next + 1)
        queue.play()
        #expect(await eventually { story.lines.contains("2: state play") })
        #expect(story.lines.contains("1: state play"))
        #expect(story.lines.filter { $0.contains("item") } == ["2: item 1 ended"])
    }

    @Test(arguments: RealEngine.allCases) func aSeekBackFromCloseToTheEndPlaysTheEndAgain(engine: RealEngine)
        async throws
    {
        let first = try await MediaFixtures.shared.file("flac")
        let (queue, story) = queue([first, try await MediaFixtures.shared.file("mp3")], engine)
        var (hasSought, place) = (false, (index: -1, position: -1.0))
        // In callbacks, because the items are short.
        let token = queue.observe { [weak queue] event, snapshot in
            switch event {
            case .position(let position) where position > MediaFixtures.duration - 0.7 && !hasSought:
                hasSought = true
                queue?.startSeek(to: 0.2)
            case .seek(.seeked, let position): place = (snapshot.queue.currentIndex ?? -1, position)
            default: break
            }
        }
        queue.play()
        #expect(await eventually { queue.isOver })
        #expect(place.index == 0 && place.position < 1, "\(place)")
        token.cancel()
        #expect(story.lines.contains("2: state play"))
        #expect(story.lines.count { $0.hasSuffix("state complete") } == 2)
    }

    @Test(arguments: RealEngine.allCases) func theQueueChangesWhileTheNextItemIsPreloaded(engine: RealEngine)
        async throws
    {
        // The next item is preloaded 30 s before the end.
        let url = try await MediaFixtures.shared.long(seconds: 32)
        let (queue, _) = queue(Array(repeating: url, count: 6), engine)
        queue.play()
        #expect(await place(queue, 0))
        #expect(await eventually { queue.snapshot.next?.status == .readyToPlay })
        queue.advanceToNextItem()
        #expect(await place(queue, 1))
        queue.jump(to: 4)
        queue.jump(to: 2)
        #expect(await place(queue, 2))
        #expect(await eventually { queue.snapshot.next?.status == .readyToPlay })
        queue.insert(PlayerItem(url: url), at: 0)
        #expect(await place(queue, 3))
        queue.remove(queue.queue.items[3])
        #expect(await place(queue, 3))
        queue.advanceToNextItem()
        queue.advanceToNextItem()
        #expect(await place(queue, 5))
        queue.startSeek(to: 31)
        #expect(await eventually { queue.isOver })
    }

    @Test(arguments: RealEngine.allCases) func aQueueIsConsistentAfterAThousandChanges(engine: RealEngine) async throws
    {
        let url = try await MediaFixtures.shared.file("mp3")
        let (queue, story) = queue(Array(repeating: url, count: 4), engine)
        queue.play()
        var dice = Dice(seed: 11)
        for step in 0..<1000 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0: queue.advanceToNextItem()
            case 1: queue.returnToPreviousItem()
            case 2: queue.jump(to: Int.random(in: 0...queue.queue.items.count, using: &dice))
            case 3: queue.append([PlayerItem(url: url)])
            case 4: queue.queue.items.randomElement(using: &dice).map { queue.remove($0) }
            case 5: queue.move(from: Int.random(in: 0..<5, using: &dice), to: Int.random(in: 0..<5, using: &dice))
            case 6: queue.pause()
            case 7: queue.startSeek(to: Double(Int.random(in: 0..<20, using: &dice)) / 10)
            case 8: queue.shuffle(seed: UInt64(step))
            default: queue.play()
            }
            if step.isMultiple(of: 20) { _ = await eventually(within: .milliseconds(40)) { false } }
        }
        queue.removeAllItems()
        queue.append([PlayerItem(url: url)])
        queue.play()
        #expect(queue.queue.currentIndex == 0)
        #expect(await eventually { queue.isOver && queue.snapshot.state == .complete })
        let last = queue.snapshot.item?.number ?? 0
        #expect(story.lines.contains("\(last): state play"))
    }
}
#endif
