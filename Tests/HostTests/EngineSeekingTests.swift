#if VLC || GStreamer
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Loops and the live edge with real media. `SeekingTests` has the same behaviour in virtual time.
@MainActor
@Suite struct EngineSeekingTests {
    /// A view that plays an address.
    private func playing(_ url: URL, _ engine: RealEngine) async throws -> (FlowplayerView, EventRecorder) {
        let player = engine.makePlayer()
        let view = FlowplayerView(avPlayer: player, notificationCenter: NotificationCenter())
        view.videoOutput = .none
        let recorder = EventRecorder(player)
        view.autoPlay = true
        var media = MediaExternal(url: url)
        media.retryPolicy = .unlimited
        view.load(external: media)
        try #require(await recorder.reaches(.play), "\(recorder.errors)")
        return (view, recorder)
    }

    private func targets(_ recorder: EventRecorder) -> [Double] {
        recorder.events.compactMap { if case .seek(.seeking, let target) = $0 { target } else { nil } }
    }

    // MARK: Loops

    @Test(arguments: RealEngine.allCases) func aLoopIsRepeatedUntilItIsRemoved(engine: RealEngine) async throws {
        let (view, recorder) = try await playing(try await MediaFixtures.shared.long(seconds: 120), engine)
        view.loop = 1...2
        for _ in 1...3 {
            #expect(await recorder.event { $0 == .seek(.seeked, position: 1) }, "\(recorder.events.map(\.text))")
        }
        #expect(targets(recorder).allSatisfy { $0 == 1 })
        #expect(view.loop == 1...2)
        view.loop = nil
        view.seek(119)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.positions.last == view.duration?.seconds)
    }

    @Test(arguments: RealEngine.allCases) func aLoopToTheEndReplacesTheEnd(engine: RealEngine) async throws {
        let (view, recorder) = try await playing(try await MediaFixtures.shared.long(seconds: 120), engine)
        view.loop = 118...1000
        view.seek(118)
        for _ in 1...3 {
            #expect(await recorder.event { $0 == .seek(.seeked, position: 118) }, "\(recorder.events.map(\.text))")
        }
        #expect(targets(recorder).allSatisfy { $0 == 118 })
        #expect(!recorder.states.contains(.complete))
        view.stop()
    }

    @Test(arguments: RealEngine.allCases) func aLoopEndsWithItsItem(engine: RealEngine) async throws {
        let (view, recorder) = try await playing(try await MediaFixtures.shared.long(seconds: 120), engine)
        view.loop = 1...2
        #expect(await recorder.event { $0 == .seek(.seeked, position: 1) })
        view.load(external: MediaExternal(url: try await MediaFixtures.shared.long(seconds: 4)))
        #expect(view.loop == nil)
        let before = targets(recorder).count
        #expect(await recorder.reaches(.complete))
        #expect(targets(recorder).count == before)
    }

    // MARK: Frames

    #if GStreamer
    /// Remembers which frame of `numberedFrames` was shown last.
    private final class Screen: VideoFrameSink {
        private let number = Mutex<Int?>(nil)

        var shown: Int? { number.withLock(\.self) }

        func receive(_ frame: VideoFrame) {
            guard let level = frame.pixel(x: frame.width / 2, y: frame.height / 2)?.green else { return }
            // Video has 219 levels from black to white, a frame in memory 255.
            number.withLock { $0 = Int((Double(level) * 219 / 255 / 8).rounded()) }
        }
    }

    /// libVLC does not show each frame of a paused item.
    @Test func aStepShowsTheNextFrame() async throws {
        let (screen, player) = (Screen(), RealEngine.gStreamer.makePlayer())
        player.videoOutput = .frames(screen)
        player.load(try await MediaFixtures.shared.numberedFrames())
        try #require(await eventually { player.snapshot.state == .ready && screen.shown == 0 })
        for number in 1...3 {
            player.step(byCount: 1)
            try #require(await eventually { screen.shown == number }, "\(number): \(screen.shown ?? -1)")
        }
        player.step(byCount: -1)
        try #require(await eventually { screen.shown == 2 }, "back: \(screen.shown ?? -1)")
        for _ in 1...10 { player.step(byCount: 1) }
        #expect(await eventually { screen.shown == 12 }, "the steps add up: \(screen.shown ?? -1)")
        player.stop()
    }
    #endif

    @Test(arguments: RealEngine.allCases) func aStepPauses(engine: RealEngine) async throws {
        let (view, recorder) = try await playing(try await MediaFixtures.shared.numberedFrames(), engine)
        let player = try #require(view.queue)
        #expect(player.snapshot.tracks?.video.first?.frameRate == 24)
        player.step(byCount: -1)
        #expect(!player.snapshot.shouldPlay)
        player.step(byCount: 30)
        let target = try #require(targets(recorder).last)
        #expect(target > 1)
        #expect(await recorder.event { $0 == .seek(.seeked, position: target) }, "\(recorder.events.map(\.text))")
        view.stop()
    }

    // MARK: Items that are opened again

    /// Seeks while the player waits for another address.
    @MainActor
    private final class SeekingProvider: MediaURLProvider {
        private let player: MediaPlayer
        private let target: Double
        private let url: URL

        init(_ player: MediaPlayer, target: Double, _ url: URL) {
            (self.player, self.target, self.url) = (player, target, url)
        }

        func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL {
            player.startSeek(to: target)
            return url
        }
    }

    @Test(arguments: RealEngine.allCases)
    func aSeekIsPerformedAfterTheItemIsOpenedAgain(engine: RealEngine) async throws {
        let server = try await FaultServer.start(serving: try await MediaFixtures.shared.ramp())
        let (player, target) = (engine.makePlayer(), 13.0)
        let recorder = EventRecorder(player)
        player.urlProvider = SeekingProvider(player, target: target, server.url(for: "/ramp.m3u8"))
        let url = server.url(for: "/ramp.m3u8", plan: try FaultPlan(parsing: "status=403@segment3"))
        player.load(PlayerItem(unlimited: url), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.events.map(\.text))")
        #expect(recorder.events.contains(.seek(.seeked, position: target)), "\(recorder.events.map(\.text))")
        #expect(!recorder.events.contains { if case .seek(.failed, _) = $0 { true } else { false } })
        #expect(recorder.errors.isEmpty)
        await server.stop()
    }

    // MARK: Live streams

    /// A server of a live stream, which ends after minutes.
    private func liveServer() async throws -> FaultServer {
        let folder = try await MediaFixtures.shared.segments(seconds: 300)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        var files: [String: Data] = [:]
        for name in names { files["/" + name] = try Data(contentsOf: folder.appending(path: name)) }
        return try await FaultServer.start(serving: files)
    }

    @Test(arguments: RealEngine.allCases) func aLiveStreamReturnsToItsEdge(engine: RealEngine) async throws {
        let server = try await liveServer()
        let (view, recorder) = try await playing(
            server.url(for: "/all.m3u8", plan: FaultPlan(.live(window: 80))), engine)
        #expect(await recorder.event { if case .position(let position) = $0 { position > 1 } else { false } })
        #expect(view.playbackType == .live && view.isAtLiveEdge)
        let delay = try #require(view.liveOffset)
        let start = try #require(view.dvrWindow).end - 40
        view.avPlayer?.startSeek(to: start)
        #expect(!view.isAtLiveEdge)
        #expect(await recorder.event { $0 == .seek(.seeked, position: start) })
        #expect(!view.isAtLiveEdge)
        #expect(try #require(view.liveOffset) > delay + 10)
        view.seekToLive()
        let edge = try #require(targets(recorder).last)
        #expect(edge > start + 10)
        #expect(await recorder.event { $0 == .seek(.seeked, position: edge) })
        #expect(view.isAtLiveEdge && view.avPlayer?.isAtLiveEdge == true)
        view.pause()
        #expect(await eventually { !view.isAtLiveEdge }, "the edge moves on during a pause")
        view.stop()
        #expect(view.liveOffset == nil)
        withExtendedLifetime(server) {}
    }
}
#endif
