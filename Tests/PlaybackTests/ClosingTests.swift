import FlowplayerTesting
import Foundation
import Testing

@testable import Playback

/// Players that are closed while something still has a reference to them.
@MainActor
@Suite struct ClosingTests {
    private let clock = ManualClock()

    private func player() -> (MediaPlayer, SimulatedBackend, EventRecorder) {
        let backend = SimulatedBackend(clock: clock)
        let player = MediaPlayer(backend: backend, clock: clock, audioSession: AudioSession(focus: AudioFocus()))
        return (player, backend, EventRecorder(player))
    }

    private func all<Value>(_ stream: AsyncStream<Value>) async -> [Value] {
        var values: [Value] = []
        for await value in stream { values.append(value) }
        return values
    }

    @Test func theItemIsUnloadedAndNothingFollows() async {
        let (player, backend, recorder) = player()
        player.load([PlayerItem(url: Scenario.url), PlayerItem(url: Scenario.url)], autoPlay: true)
        await clock.advance(by: .seconds(1))
        player.close()
        #expect(player.isClosed && player.currentItem == nil && player.queue.items.isEmpty)
        #expect(recorder.states.last == .idle)
        let (events, commands) = (recorder.events.count, backend.commands.count)
        player.load(Scenario.url, autoPlay: true)
        player.append([PlayerItem(url: Scenario.url)])
        player.volume = 0.5
        player.videoOutput = .window
        player.startSeek(to: 1)
        player.close()
        await clock.advance(by: .seconds(1))
        #expect(recorder.events.count == events && backend.commands.count == commands)
        #expect(player.snapshot.item == nil && player.volume == 1)
    }

    @Test func theBackendIsReleased() async {
        weak var released: SimulatedBackend?
        let player: MediaPlayer
        do {
            let backend = SimulatedBackend(clock: clock)
            released = backend
            player = MediaPlayer(backend: backend, clock: clock)
        }
        player.load(Scenario.url, autoPlay: true)
        await clock.advance(by: .seconds(1))
        #expect(released != nil)
        player.close()
        #expect(released == nil)
    }

    @Test func streamsEndWithTheLastEvents() async {
        let (player, _, _) = player()
        let (events, states) = (player.events(), player.values(of: \.state))
        player.load(Scenario.url, autoPlay: true)
        await clock.advance(by: .seconds(1))
        player.close()
        #expect(await all(events).last == .playbackState(.idle))
        #expect(await all(states).last == .idle)
        // Later ones end at once.
        #expect(await all(player.events()) == [])
        #expect(await all(player.values(of: \.volume)) == [1])
        await #expect(throws: CancellationError.self) { try await player.waitUntilReady() }
        #expect(await player.seek(to: 1) == false)
    }

    /// The events of the end come after those that are pending.
    @Test func aCallbackMayCloseThePlayer() async {
        let (player, _, recorder) = player()
        let observation = player.observe { event, _ in
            if event == .state(.play) { player.close() }
        }
        player.load(Scenario.url, autoPlay: true)
        await clock.advance(by: .seconds(2))
        #expect(recorder.states == [.load, .ready, .play, .idle])
        #expect(recorder.events.last == .playbackState(.idle))
        observation.cancel()
    }

    @Test func aLoadInTheLastCallbackHasNoEffect() async {
        let (player, _, recorder) = player()
        let observation = player.observe { event, _ in
            if event == .state(.idle) { player.load(Scenario.url, autoPlay: true) }
        }
        player.load(Scenario.url, autoPlay: true)
        await clock.advance(by: .seconds(1))
        player.close()
        #expect(player.snapshot.item == nil && recorder.states.last == .idle)
        observation.cancel()
    }

    @Test func itsRequestsAreCancelled() async {
        let (player, _, _) = player()
        let (requests, ends) = AsyncStream.makeStream(of: Never.self)
        player.load(autoPlay: true) { () async throws(PlaybackError) in
            while !Task.isCancelled { await Task.yield() }
            ends.finish()
            return PlayerItem(url: Scenario.url)
        }
        player.close()
        for await _ in requests {}
        #expect(player.snapshot.item == nil)
    }

    @Test func thePlayerOfItsInterstitialsIsClosed() async {
        let (primary, _, recorder) = player()
        let interstitial = InterstitialPlayer(for: primary, backend: SimulatedBackend(clock: clock))
        primary.load(Scenario.url, autoPlay: true)
        interstitial.player.load([PlayerItem(url: Scenario.url)])
        await clock.advance(by: .seconds(1))
        interstitial.begin()
        await clock.advance(by: .seconds(1))
        primary.close()
        #expect(interstitial.player.isClosed && !interstitial.isPresenting)
        #expect(recorder.states.last == .idle && primary.snapshot.playbackState == .idle)
        #expect(primary.snapshot.suppression == [])
        interstitial.begin()
        #expect(!interstitial.isPresenting)
    }
}
