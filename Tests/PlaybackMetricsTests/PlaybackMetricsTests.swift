import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import MetricsTestKit
import Playback
import PlaybackMetrics
import TestSupport
import Testing

@MainActor
@Suite struct PlaybackMetricsTests {
    private let metrics = TestMetrics()

    private func total(_ label: String, _ type: String = "file") -> Int64 {
        metrics.counterTotal(label: "playback_" + label, dimensions: [("type", type)])
    }

    /// The start-up times that were recorded, in seconds.
    private func startups(_ dimensions: [(String, String)] = [("type", "file")]) -> [Double] {
        metrics.timers(label: "playback_startup_seconds", dimensions: dimensions).flatMap(\.values).map {
            Double($0) / 1_000_000_000
        }
    }

    // MARK: The simulated engine

    /// A view that plays in virtual time. Items load in a tenth of a second, and stall at 1 s for two seconds.
    private func simulatedView(_ clock: ManualClock) -> FlowplayerManager {
        let media = SimulatedMedia(duration: 3, stalls: [.init(at: 1, for: 2)])
        let manager = FlowplayerManager(
            avPlayer: MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock))
        manager.autoPlay = true
        return manager
    }

    private func load(_ player: any FlowplayerAPI) {
        player.load(external: MediaExternal(url: URL(filePath: "/secret/name.mp4")))
    }

    @Test func theFiguresOfItemsAddUp() async {
        let clock = ManualClock()
        let view = simulatedView(clock)
        let published = PlayerMetrics(of: view, factory: metrics)
        for _ in 1...2 {
            load(view)
            await clock.advance(by: .seconds(60))
            #expect(view.state == .complete)
        }
        #expect(startups() == [0.1, 0.1])
        #expect(total("stalls_total") == 2)
        #expect(total("stall_seconds_total") == 4)
        let counters = metrics.counters(label: "playback_stalls_total")
        #expect(counters.map { $0.dimensions.map(\.1) } == [["file"]])
        #expect(counters.flatMap(\.values).allSatisfy { $0 >= 0 })
        published.close()
    }

    @Test func nothingIsPublishedAfterTheClose() async {
        let clock = ManualClock()
        let view = simulatedView(clock)
        let published = PlayerMetrics(of: view, factory: metrics)
        load(view)
        await clock.advance(by: .seconds(0.5))
        published.close()
        published.close()
        await clock.advance(by: .seconds(60))
        #expect(startups().count == 1)
        #expect(total("stalls_total") == 0)
    }

    @Test func theReleaseClosesTheMetrics() async {
        let clock = ManualClock()
        let view = simulatedView(clock)
        var published: PlayerMetrics? = PlayerMetrics(of: view, factory: metrics)
        #expect(published != nil)
        published = nil
        load(view)
        await clock.advance(by: .seconds(60))
        #expect(startups().isEmpty)
    }

    @Test func aPlayerWithoutAViewHasTheDimensionsOfItsHost() async {
        let clock = ManualClock()
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        let published = PlayerMetrics(of: player, dimensions: [("screen", "lobby")], factory: metrics)
        player.load(URL(filePath: "/secret/name.mp4"), autoPlay: true)
        await clock.advance(by: .seconds(1))
        #expect(startups([("screen", "lobby"), ("type", "file")]) == [0.1])
        published.close()
    }

    @Test func thePlayerOfAViewMayBeReplaced() async {
        let clock = ManualClock()
        let view = simulatedView(clock)
        let published = PlayerMetrics(of: view, factory: metrics)
        load(view)
        await clock.advance(by: .seconds(0.5))
        view.avPlayer = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        load(view)
        await clock.advance(by: .seconds(1))
        #expect(startups() == [0.1, 0.1])
        published.close()
    }

    // MARK: libVLC

    #if VLC
    private func view() -> FlowplayerManager {
        let manager = FlowplayerManager(avPlayer: MediaPlayer(backend: LibVLCBackend(audioOutput: .none)))
        manager.autoPlay = true
        return manager
    }

    private func meter(_ label: String) throws -> [Double] {
        try metrics.expectMeter("playback_" + label, [("type", "vod")]).values
    }

    @Test func aStreamPublishesWhatItsStatisticsSay() async throws {
        let folder = try await MediaFixtures.shared.file("m3u8").deletingLastPathComponent()
        var files = ["/master.m3u8": Data("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=400000\nclip.m3u8\n".utf8)]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
            files["/" + name] = try Data(contentsOf: folder.appending(path: name))
        }
        let server = try await FaultServer.start(serving: files)
        let view = view()
        let published = PlayerMetrics(of: view, factory: metrics)
        let recorder = EventRecorder(view.avPlayer!)
        view.load(external: MediaExternal(url: server.url(for: "/master.m3u8")))
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        let statistics = view.statistics
        #expect(total("received_bytes_total", "vod") == statistics.bytesReceived && statistics.bytesReceived > 0)
        #expect(total("stalls_total", "vod") == statistics.stallCount)
        let startup = try #require(statistics.startupTime)
        #expect(startups([("type", "vod")]).allSatisfy { abs($0 - startup) < 0.001 })
        #expect(startups([("type", "vod")]).count == 1)
        #expect(try meter("indicated_bits_per_second").last == 400_000)
        #expect(try meter("observed_bits_per_second").last == statistics.observedBitRate)
        view.stop()
        #expect(try meter("indicated_bits_per_second").last == 0)
        #expect(try meter("observed_bits_per_second").last == 0)
        #expect(total("received_bytes_total", "vod") == statistics.bytesReceived, "a stop takes nothing back")
        published.close()
    }

    @Test func aRetryIsPublished() async throws {
        let file = try Data(contentsOf: try await MediaFixtures.shared.file("mp3"))
        let server = try await FaultServer.start(serving: ["/clip.mp3": file])
        let view = view()
        let published = PlayerMetrics(of: view, factory: metrics)
        let recorder = EventRecorder(view.avPlayer!)
        let plan = try FaultPlan(parsing: "reset-mid-body@1")
        view.load(external: MediaExternal(url: server.url(for: "/clip.mp3", plan: plan)))
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(total("retries_total", "vod") == 1)
        #expect(total("dropped_frames_total", "vod") == 0)
        published.close()
    }
    #endif
}
