import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

/// The received parts of an item, for a host.
@MainActor
@Suite struct BufferedRangesTests {
    private let clock = ManualClock()

    private func manager(bufferAhead: Double) -> FlowplayerManager {
        // Without video, no event follows the ranges.
        let tracks = MediaTracks(audio: [AudioTrack(id: 1, name: "Audio")])
        var media = SimulatedMedia(duration: 10, playbackType: .vod, tracks: tracks)
        media.bufferAhead = bufferAhead
        let manager = FlowplayerManager(
            avPlayer: MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock))
        manager.load(external: MediaExternal(url: URL(string: "https://host/film.mp4")!))
        return manager
    }

    @Test func rangesFollowThePlayhead() async {
        let manager = manager(bufferAhead: 4)
        manager.autoPlay = true
        await clock.advance(by: .seconds(0.5))
        #expect(manager.bufferedRanges == [0...4])
        manager.play()
        await clock.advance(by: .seconds(3.01))
        #expect(manager.bufferedRanges == [3...7])
        manager.seek(8)
        await clock.advance(by: .seconds(0.1))
        #expect(manager.bufferedRanges == [8...10])
    }

    /// The ranges of a paused item change without an event.
    @Test func aChangeWithoutAnEventIsObserved() async throws {
        let manager = manager(bufferAhead: 4)
        let player = try #require(manager.avPlayer)
        var received: [[ClosedRange<Double>]] = []
        let token = manager.observe(\.bufferedRanges) { _, ranges in received.append(ranges) }
        let below = player.observe(\.bufferedRanges) { _, change in received.append(change.newValue ?? []) }
        var values = player.values(of: \.bufferedRanges).makeAsyncIterator()
        #expect(await values.next() == [])
        var events: [PlayerEvent] = []
        let all = manager.avPlayer?.observe { event, _ in events.append(event) }
        await clock.advance(by: .seconds(0.5))
        #expect(received == [[0...4], [0...4]])
        #expect(await values.next() == [0...4])
        #expect(events.last == .state(.ready), "it is no event")
        withExtendedLifetime((token, below, all)) {}
    }

    @Test func aLocalFileIsOneRange() async {
        let manager = FlowplayerManager(avPlayer: MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock))
        manager.load(external: MediaExternal(url: URL(filePath: "/media/film.mp4")))
        await clock.advance(by: .seconds(0.5))
        #expect(manager.bufferedRanges == [0...10])
    }
}
