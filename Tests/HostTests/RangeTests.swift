#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Files from servers that ignore byte ranges.
@MainActor
@Suite struct RangeTests {
    /// - Parameter pause: the position of a pause, in seconds. In a callback, because the files are short.
    private func load(
        _ file: Data, _ path: String, _ plan: String, plays: Bool = true, pausesAt pause: Double? = nil,
        _ engine: RealEngine = .libVLC
    ) async throws -> (server: FaultServer, player: MediaPlayer, recorder: EventRecorder) {
        let server = try await FaultServer.start(serving: [path: file])
        let player = engine.makePlayer()
        let recorder = EventRecorder(player)
        var item = PlayerItem(url: server.url(for: path, plan: try FaultPlan(parsing: plan)))
        item.retryPolicy = .unlimited
        if let pause {
            var token: ObservationToken?
            token = player.observe { [weak player] event, snapshot in
                guard event.reaches(pause), snapshot.state == .play else { return }
                token?.cancel()
                player?.pause()
            }
        }
        player.load(item, autoPlay: plays)
        return (server, player, recorder)
    }

    @Test(
        arguments: [
            "no-ranges", "no-ranges+chunked", "no-ranges+reset-mid-body=1000000@1",
            "no-ranges+chunked+reset-mid-body=1000000@1",
        ], RealEngine.allCases)
    func anIndexAtTheEndIsReadFirst(plan: String, engine: RealEngine) async throws {
        let (server, player, recorder) = try await load(
            try await MediaFixtures.shared.indexAtEnd(), "/clip.mp4", plan, plays: false, engine)
        #expect(await recorder.reaches(.ready), "\(recorder.errors)")
        #expect(player.canSeek)
        // The server is gone, and the file is there.
        await server.stop()
        player.startSeek(to: 0.5)
        #expect(await recorder.event { $0 == .seek(.seeked, position: 0.5) })
        player.play()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        player.stop()
    }

    @Test func aFragmentedFileIsReadFirst() async throws {
        let file = try Data(contentsOf: try await MediaFixtures.shared.fragmentedMP4())
        #expect(file.count > 9 << 20)
        let (server, player, recorder) = try await load(file, "/clip.mp4", "no-ranges")
        #expect(await recorder.reaches(.play), "\(recorder.errors)")
        #expect(player.canSeek)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        player.stop()
        await server.stop()
    }

    /// `openTimeout` is the time without data, not that of the whole file.
    @Test(arguments: RealEngine.allCases) func aFileIsStoredForLongerThanItsTimeout(engine: RealEngine) async throws {
        let file = try await MediaFixtures.shared.indexAtEnd()
        let server = try await FaultServer.start(serving: ["/clip.mp4": file])
        var item = PlayerItem(url: server.url(for: "/clip.mp4", plan: try FaultPlan(parsing: "no-ranges+drip=180000")))
        (item.retryPolicy.openTimeout, item.retryPolicy.readTimeout) = (60, 60)
        let player = engine.makePlayer()
        let recorder = EventRecorder(player)
        player.load(item, autoPlay: false)
        #expect(await recorder.reaches(.ready), "\(recorder.errors)")
        player.stop()
        await server.stop()
    }

    #if GStreamer
    /// A pipeline can only begin at the start of such a file.
    @Test func anOutageDoesNotReturnToTheStart() async throws {
        let media = try Data(contentsOf: try await MediaFixtures.shared.large("mkv"))
        let server = try await FaultServer.start(serving: ["/clip.mkv": media])
        let plan = "no-ranges+reset-mid-body=9000000@1+status=503@2-3"
        var item = PlayerItem(url: server.url(for: "/clip.mkv", plan: try FaultPlan(parsing: plan)))
        item.retryPolicy = .unlimited
        item.retryPolicy.attempts = 2
        let player = RealEngine.gStreamer.makePlayer()
        let recorder = EventRecorder(player)
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [.rangesUnsupported])
        player.stop()
        await server.stop()
    }
    #endif

    /// The server sends faster than the item plays, which must not shorten it. A pause must not return to the start.
    @Test(
        arguments: [
            ("flv", "no-ranges"), ("mkv", "no-ranges"), ("mkv", "no-ranges+chunked"), ("ts", "no-ranges"),
            ("ts", "no-ranges+chunked"),
        ], RealEngine.allCases)
    func otherFormatsAreReadInOrder(_ file: (format: String, plan: String), engine: RealEngine) async throws {
        let media = try Data(contentsOf: try await MediaFixtures.shared.large(file.format))
        #expect(media.count > 9 << 20)
        // Without a size and a duration, the item is a live stream.
        let pauses = file != ("ts", "no-ranges+chunked")
        let (server, player, recorder) = try await load(
            media, "/clip.\(file.format)", file.plan, pausesAt: pauses ? 0.5 : nil, engine)
        #expect(await recorder.event(after: 0) { $0 == .state(.play) }, "\(recorder.errors)")
        #expect(!player.canSeek)
        #expect((player.duration?.seconds ?? 4) < 5)
        if pauses {
            #expect(await recorder.reaches(.pause))
            player.play()
        }
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect((recorder.positions.max() ?? 0) > 2.9)
        #expect(recorder.positions == recorder.positions.sorted())
        player.stop()
        await server.stop()
    }

    /// A media without a size and a version may be a radio station. It is requested again, at its edge.
    @Test func aStationIsJoinedAgainAfterAPause() async throws {
        let media = try Data(contentsOf: try await MediaFixtures.shared.large("ts"))
        let (server, player, recorder) = try await load(media, "/station.ts", "no-ranges+chunked", pausesAt: 0.5)
        #expect(await recorder.reaches(.pause), "\(recorder.errors)")
        #expect(server.requests.count == 1)
        player.play()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(server.requests.count == 2)
        player.stop()
        await server.stop()
    }

    @Test(arguments: RealEngine.allCases) func anAVIFileIsReadFirst(engine: RealEngine) async throws {
        let media = try Data(contentsOf: try await MediaFixtures.shared.large("avi"))
        let (server, player, recorder) = try await load(media, "/clip.avi", "no-ranges", plays: false, engine)
        #expect(await recorder.reaches(.ready), "\(recorder.errors)")
        #expect(player.canSeek)
        #expect(abs((player.duration?.seconds ?? 0) - 4) < 0.2)
        player.stop()
        await server.stop()
    }

    @Test func aFileWithoutAnOutputIsReadInOrder() async throws {
        let (server, player, recorder) = try await loadLargeMP4()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        player.stop()
        await server.stop()
    }

    @Test func anOutputThatIsSetLaterShowsTheVideo() async throws {
        // Minutes, so that a busy machine does not reach the end first.
        let (server, player, recorder) = try await loadLargeMP4(try await MediaFixtures.shared.noise())
        #expect(await recorder.event { if case .position(let position) = $0 { position > 2 } else { false } })
        let sink = CountingSink()
        player.videoOutput = .frames(sink)
        #expect(await eventually { sink.count > 5 })
        #expect(recorder.notices.isEmpty && recorder.errors.isEmpty, "\(recorder.notices) \(recorder.errors)")
        player.stop()
        await server.stop()
    }

    @Test func anOutputThatCannotFollowIsANotice() async throws {
        let screen = try await VirtualScreen()
        let devices = await TestDevices.acquire(display: screen.display)
        defer { devices.release() }
        let (server, player, recorder) = try await loadLargeMP4()
        player.videoOutput = .window
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.notices.map(\.code) == ["outputSwitchingUnavailable"])
        player.stop()
        await server.stop()
    }

    /// Plays an mp4 file that is longer than what the player keeps of a file without ranges.
    private func loadLargeMP4(
        _ url: URL? = nil
    ) async throws -> (server: FaultServer, player: MediaPlayer, recorder: EventRecorder) {
        let large = if let url { url } else { try await MediaFixtures.shared.largeMP4() }
        let file = try Data(contentsOf: large)
        #expect(file.count > 9 << 20)
        let loaded = try await load(file, "/clip.mp4", "no-ranges")
        #expect(await loaded.recorder.reaches(.play), "\(loaded.recorder.errors)")
        #expect(!loaded.player.canSeek)
        return loaded
    }

    @Test(arguments: RealEngine.allCases) func aFileThatIsTooLargeIsReported(engine: RealEngine) async throws {
        let file = try await MediaFixtures.shared.indexAtEnd()
        let (server, player, recorder) = try await load(
            file, "/clip.mp4", "no-ranges+length-too-long=2000000000", engine)
        #expect(await recorder.reaches(.failure))
        let error = try #require(recorder.errors.first)
        #expect(error.code == .rangesUnsupported)
        #expect(error.summary == "The server does not support byte ranges, which this file needs.")
        #expect(!error.isRetryable)
        player.stop()
        await server.stop()
    }
}

private final class CountingSink: VideoFrameSink {
    private let frames = Atomic(0)

    var count: Int { frames.load(ordering: .relaxed) }

    func receive(_ frame: VideoFrame) { frames.add(1, ordering: .relaxed) }
}
#endif
