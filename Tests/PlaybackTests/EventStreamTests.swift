import FlowplayerTesting
import Foundation
import Playback
import Testing

/// Streams of events, with slow and late readers.
@MainActor
@Suite struct EventStreamTests {
    private let clock = ManualClock()
    private let player: MediaPlayer
    private static let url = URL(filePath: "/media/clip.mp4")

    init() {
        player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
    }

    @Test func aSlowReaderReceivesTheNumberOfMissedEvents() async {
        let slow = player.events(bufferLimit: 3)
        let fast = player.events(bufferLimit: 100)
        for step in 1...10 { player.volume = Float(step) / 20 }
        var reader = slow.makeAsyncIterator()
        #expect(await reader.next() == .missed(7))
        #expect(await reader.next() == .volume(0.4))
        player.isMuted = true
        #expect(await reader.next() == .volume(0.45))
        #expect(await reader.next() == .volume(0.5))
        #expect(await reader.next() == .mute(true))
        var other = fast.makeAsyncIterator()
        #expect(await other.next() == .volume(0.05), "nobody else misses anything")
    }

    @Test func aLateReaderReceivesTheCurrentStateOnce() async {
        player.load(Self.url, autoPlay: true)
        player.volume = 0.5
        await clock.advance(by: .seconds(1))
        var seen: [PlayerEvent] = []
        var late: AsyncStream<PlayerEvent>?
        let observation = player.observe { [player] event, _ in
            // Within a callback, while the last events of the change are pending.
            if case .position = event, late == nil { late = player.events(startsWithCurrent: true) }
        }
        defer { observation.cancel() }
        await clock.advance(by: .seconds(20))
        var reader = late?.makeAsyncIterator()
        while let event = await reader?.next() {
            seen.append(event)
            if event == .playbackState(.ended) { break }
        }
        let kinds = seen.filter { !$0.isPosition }
        #expect(kinds.first == .media(Self.url))
        #expect(kinds.contains(.volume(0.5)))
        #expect(kinds.count { $0 == .state(.play) } == 1)
        #expect(!kinds.contains(.state(.load)), "that is over")
        #expect(kinds.suffix(2) == [.state(.complete), .playbackState(.ended)])
        #expect(Set(seen.map { "\($0)" }).count == seen.count, "nothing is sent twice")
    }

    @Test func aReleasedReaderIsRemoved() async {
        let events = player.events()
        let task = Task {
            for await _ in events { break }
        }
        player.volume = 0.5
        await task.value
        player.volume = 0.25
        #expect(player.snapshot.volume == 0.25)
    }

    @Test func streamsEndWithTheirPlayer() async {
        var dropped: MediaPlayer? = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        let events = dropped!.events()
        dropped?.volume = 0.5
        dropped = nil
        var seen: [PlayerEvent] = []
        for await event in events { seen.append(event) }
        #expect(seen == [.volume(0.5)])
    }
}
