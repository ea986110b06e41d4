import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import TestSupport
import Testing

@MainActor
@Suite struct MediaPlayerTests {
    let clock = ManualClock()
    let backend: SimulatedBackend
    let player: MediaPlayer
    let recorder: EventRecorder

    init() {
        backend = SimulatedBackend(clock: clock)
        player = MediaPlayer(backend: backend, clock: clock)
        recorder = EventRecorder(player)
    }

    private static let url = URL(filePath: "/media/clip.mp4")

    @Test func playsToTheEnd() async {
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(20))
        #expect(recorder.states == [.load, .ready, .play, .complete])
        #expect(player.position.seconds == 10)
        #expect(recorder.positions == recorder.positions.sorted())
    }

    @Test func thePositionIsKnownBetweenTwoPointsOfTheEngine() async {
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .milliseconds(100))
        await clock.advance(by: .milliseconds(380))
        #expect(abs(player.position.seconds - 0.38) < 1e-6)
    }

    @Test func aBackendIsStartedBeforeItReceivesCommands() throws {
        let session = AudioSession()
        try session.setCategory(.playback, mode: .moviePlayback)
        let backend = OrderedBackend()
        let player = MediaPlayer(backend: backend, audioSession: session)
        #expect(backend.calls.withLock { $0 } == ["start", "send"])
        #expect(player.snapshot.role == .video)
    }

    /// Notes the order of its calls.
    private final class OrderedBackend: PlaybackBackend {
        let calls = Mutex<[String]>([])
        let capabilities = BackendCapabilities()

        func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { calls.withLock { $0.append("start") } }
        func send(_ command: BackendCommand) { calls.withLock { $0.append("send") } }
        func setVideoOutput(_ output: VideoOutput) {}
    }

    @Test func aDeferredItemIsResolvedAgainAfterAStop() async {
        let resolved = PlayerItem(url: Self.url)
        let item = player.deferredItem { () async throws(PlaybackError) in resolved }
        for _ in 1...2 {
            player.load(item)
            #expect(await eventually { player.snapshot.item?.url == Self.url })
            player.stop()
        }
        #expect(recorder.errors.isEmpty)
    }

    @Test func aPropertyWithoutAnEventIsObserved() async {
        var values = player.values(of: \.subtitleDelay).makeAsyncIterator()
        #expect(await values.next() == 0)
        player.subtitleDelay = 2
        #expect(await values.next() == 2)
    }

    @Test func aPluginRedirectsSeeks() async {
        var requested: [Double] = []
        player.load(Self.url, autoPlay: true)
        player.adjustSeek = {
            requested.append($0)
            return 3
        }
        player.startSeek(to: 1)
        #expect(requested == [] && player.position.seconds == 1, "The item is not open.")
        await clock.advance(by: .seconds(1))
        player.startSeek(to: 20)
        player.skip(by: 2)
        player.startSeek(to: .nan)
        #expect(requested == [10, 5] && player.position.seconds == 3)
        player.adjustSeek = nil
        player.startSeek(to: 7)
        #expect(player.position.seconds == 7)
    }

    @Test func aCommandInACallbackActsAtOnceAndIsReportedLater() async {
        var reported: [String] = []
        let observation = player.observe { [player] event, _ in
            if event == .state(.ready) {
                player.rate = 2
                reported.append("wants: \(player.snapshot.wantsToPlay)")
            }
            reported.append("\(event)")
        }
        defer { observation.cancel() }
        player.load(Self.url)
        await clock.advance(by: .seconds(1))
        let ready = reported.firstIndex(of: "\(PlayerEvent.state(.ready))")
        let rate = reported.firstIndex(of: "\(PlayerEvent.rate(2))")
        #expect(reported.contains("wants: true"))
        #expect(ready != nil && rate == ready.map { $0 + 1 })
        #expect(player.snapshot.state == .play)
    }

    @Test func everyObserverSeesTheSameOrder() async {
        let second = EventRecorder(player)
        let observation = player.observe { [player] event, _ in
            if event == .state(.play) { player.pause() }
        }
        defer { observation.cancel() }
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(1))
        #expect(recorder.events == second.events)
        #expect(recorder.states == [.load, .ready, .play, .pause])
    }

    @Test func aStreamHasTheEventsOfAnObserver() async {
        let events = player.events()
        let reader = Task { @MainActor in
            var seen: [PlayerEvent] = []
            for await event in events {
                seen.append(event)
                if event == .state(.complete) { break }
            }
            return seen
        }
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(20))
        let seen = await reader.value
        #expect(seen == Array(recorder.events.prefix(seen.count)))
        #expect(seen.last == .state(.complete))
    }

    @Test func aCancelledTokenEndsOneObservationOnly() {
        var count = 0
        let token = player.observe { _, _ in count += 1 }
        player.volume = 0.5
        token.cancel()
        token.cancel()
        player.volume = 0.25
        #expect(count == 1)
        #expect(recorder.events == [.volume(0.5), .volume(0.25)])
    }

    @Test func theLastReferenceClosesTheBackend() async {
        let backend = SimulatedBackend(clock: clock)
        var dropped: MediaPlayer? = MediaPlayer(backend: backend, clock: clock)
        weak let reference = dropped
        dropped?.load(Self.url, autoPlay: true)
        await clock.advance(by: .milliseconds(50))
        dropped = nil
        #expect(reference == nil)
        #expect(backend.commands.last == .close(Generation(rawValue: 1)))
        await clock.advance(by: .seconds(60))
    }

    @Test func aStallIsBufferingAndStopsThePosition() async {
        let backend = SimulatedBackend(clock: clock, media: SimulatedMedia(stalls: [.init(at: 2, for: 5)]))
        let player = MediaPlayer(backend: backend, clock: clock)
        let recorder = EventRecorder(player)
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(4))
        #expect(player.snapshot.state == .buffer)
        #expect(abs(player.position.seconds - 2) < 1e-6)
        await clock.advance(by: .seconds(20))
        #expect(recorder.states == [.load, .ready, .play, .buffer, .play, .complete])
    }

    @Test func reloadNeedsSomethingLoaded() {
        #expect(!player.reload())
        player.load(Self.url)
        #expect(player.reload())
    }

    @Test func anUnavailableBackendFailsEveryLoadWithItsReason() async throws {
        let player = MediaPlayer(backend: UnavailableBackend(reason: "Nothing is installed."))
        let recorder = EventRecorder(player)
        player.load(Self.url, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [.backendUnavailable])
        #expect(recorder.errors.first?.message.contains("Nothing is installed.") == true)
    }
}
