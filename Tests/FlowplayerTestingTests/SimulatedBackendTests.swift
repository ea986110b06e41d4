import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import Testing

@MainActor
@Suite struct SimulatedBackendTests {
    private static let url = URL(filePath: "/media/clip.mp4")

    private func play(_ media: SimulatedMedia, for duration: Duration) async -> (MediaPlayer, EventRecorder) {
        let clock = ManualClock()
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        let recorder = EventRecorder(player)
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: duration)
        return (player, recorder)
    }

    @Test func twoHoursPassInAnInstantAndAreExact() async {
        let (player, recorder) = await play(SimulatedMedia(duration: 7200), for: .seconds(7201))
        #expect(recorder.states == [.load, .ready, .play, .complete])
        #expect(player.position.seconds == 7200)
        #expect(recorder.positions.count > 28_000)
    }

    @Test func failuresComeWhereTheScriptSays() async {
        let error = PlaybackError(.connectionRefused, url: Self.url)
        let (_, opening) = await play(SimulatedMedia(failure: .init(error: error)), for: .seconds(1))
        #expect(opening.states == [.load, .failure])
        let (player, middle) = await play(SimulatedMedia(failure: .init(at: 3, error: error)), for: .seconds(9))
        #expect(middle.states == [.load, .ready, .play, .failure])
        #expect(middle.errors == [error])
        #expect(player.position.seconds == 3)
    }

    /// A host's mistake must not stop its test for ever.
    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func timesThatNoItemHasAreReplaced(time: Double) async {
        let clock = ManualClock()
        let media = SimulatedMedia(
            duration: time, seekDelay: time, stalls: [.init(at: time, for: time)],
            interruptions: [.init(at: time, for: time)])
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        let recorder = EventRecorder(player)
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(1))
        // Not awaited: the longest delay of a seek is thirty years of this clock.
        func seek() { player.seek(to: 0.5) }
        seek()
        await clock.advance(by: .seconds(1))
        #expect(recorder.states.starts(with: [.load, .ready]) && recorder.errors.isEmpty)
        #expect(player.duration?.seconds.isFinite ?? true)
    }

    @Test func theRateMovesTheEnd() async {
        let clock = ManualClock()
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        let recorder = EventRecorder(player)
        player.defaultRate = 2
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(5.05))
        #expect(recorder.states.last == .play)
        await clock.advance(by: .seconds(0.1))
        #expect(recorder.states.last == .complete)
    }

    @Test func everyOpeningEndsOnce() async {
        let clock = ManualClock()
        let backend = SimulatedBackend(clock: clock)
        let terminal = Mutex<[Int]>([])
        backend.start { event in
            switch event.body {
            case .closed, .ended, .failed: terminal.withLock { $0.append(event.generation.rawValue) }
            default: break
            }
        }
        for number in 1...3 {
            let request = OpenRequest(
                generation: Generation(rawValue: number), item: PlayerItem(url: Self.url), playsWhenReady: true)
            backend.send(.open(request))
        }
        await clock.advance(by: .seconds(60))
        backend.send(.close(Generation(rawValue: 3)))
        await clock.settle()
        #expect(terminal.withLock(\.self) == [1, 2, 3])
    }

    @Test func playsInRealTimeToo() async {
        let player = MediaPlayer(backend: SimulatedBackend(media: SimulatedMedia(duration: 0.3, loadDelay: 0.01)))
        let recorder = EventRecorder(player)
        player.load(Self.url, autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.states == [.load, .ready, .play, .complete])
    }
}
