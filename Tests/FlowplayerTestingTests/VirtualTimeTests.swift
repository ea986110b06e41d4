import FlowplayerTesting
import Foundation
import Playback
import Testing

/// Handlers act in the moment of an event. Tasks run on their own, and a test awaits them.
@MainActor
@Suite struct VirtualTimeTests {
    let clock = ManualClock()

    private static let url = URL(filePath: "/media/clip.mp4")

    private func player(_ media: SimulatedMedia = SimulatedMedia()) -> MediaPlayer {
        MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
    }

    @Test func aHandlerActsBeforeTheClockMovesOn() async {
        let player = player()
        let observation = player.observe { [player] event, _ in
            if case .position(let position) = event, position >= 3 { player.pause() }
        }
        defer { observation.cancel() }
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(60))
        #expect(player.snapshot.state == .pause)
        #expect(player.position.seconds == 3)
    }

    @Test func aReaderElsewhereThanOnTheMainActorDoesToo() async {
        let player = player()
        let events = player.events()
        let reader = Task.detached {
            for await event in events {
                guard case .position(let position) = event, position >= 3 else { continue }
                await player.pause()
                return
            }
        }
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(3.5))
        await reader.value
        #expect(player.snapshot.state == .pause)
        #expect(abs(player.position.seconds - 3.4) < 0.001)
    }

    @Test func aReaderThatSleepsByTheClockHoldsNobodyAndWakesInTime() async {
        let error = PlaybackError(.connectionFailed, url: Self.url)
        let player = player(SimulatedMedia(failure: .init(at: 2, error: error)))
        let recorder = EventRecorder(player)
        let failures = player.events()
        let retries = Task { [clock] in
            for await event in failures where event == .state(.failure) {
                try await clock.sleep(for: .seconds(5))
                player.play()
            }
        }
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(2.1))
        await clock.untilSleeping()
        await clock.advance(by: .seconds(4.9))
        #expect(recorder.states == [.load, .ready, .play, .failure])
        await clock.advance(by: .seconds(0.1))
        #expect(await recorder.event(within: .seconds(60)) { $0 == .state(.load) })
        await clock.advance(by: .seconds(2.1))
        #expect(recorder.states == [.load, .ready, .play, .failure, .load, .ready, .play, .failure])
        retries.cancel()
    }

    @Test func aWaitEndsAlsoIfItsTimeIsOverBeforeItBegins() async {
        let recorder = EventRecorder(player())
        for _ in 1...10_000 { #expect(await !recorder.event(within: .zero) { _ in true }) }
    }

    @Test func aReaderMayMoveTheClockItself() async {
        let player = player()
        player.load(Self.url, autoPlay: true)
        let reader = Task { [clock] in
            for await event in player.events(startsWithCurrent: true) where event == .state(.load) {
                await clock.advance(by: .seconds(60))
                break
            }
        }
        await reader.value
        #expect(player.snapshot.state == .complete)
    }

    @Test func aStreamThatNobodyReadsHoldsNobody() async {
        let player = player()
        let events = player.events()
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(60))
        #expect(player.snapshot.state == .complete)
        withExtendedLifetime(events) {}
    }

    @Test func whatOnePlayerDoesToAnotherIsHandledInTheSameStep() async {
        let (first, second) = (player(), player())
        let observation = second.observe { event, _ in
            if event == .state(.complete) { first.load(Self.url, autoPlay: true) }
        }
        defer { observation.cancel() }
        let recorder = EventRecorder(first)
        second.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(10.1) + .nanoseconds(1))
        #expect(recorder.states == [.load])
        await clock.advance(by: .seconds(0.1))
        #expect(recorder.states == [.load, .ready, .play])
    }

    @Test func aFailureThatIsSoughtOverDoesNotCome() async {
        let error = PlaybackError(.endedEarly, url: Self.url)
        let player = player(SimulatedMedia(failure: .init(at: 5, error: error)))
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(1))
        player.startSeek(to: 7)
        await clock.advance(by: .seconds(60))
        #expect(player.snapshot.state == .complete)
    }
}
