#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing

/// The statistics of an item, for a host.
@MainActor
@Suite struct StatisticsTests {
    /// Plays to the end, and returns the statistics then.
    private func play(_ url: URL, _ engine: RealEngine) async -> PlaybackStatistics {
        let manager = FlowplayerManager(avPlayer: engine.makePlayer())
        let recorder = EventRecorder(manager.avPlayer!)
        manager.autoPlay = true
        var media = MediaExternal(url: url)
        media.retryPolicy = .unlimited
        manager.load(external: media)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        let statistics = manager.statistics
        manager.stop()
        #expect(manager.statistics == PlaybackStatistics())
        return statistics
    }

    @Test(arguments: RealEngine.allCases) func aStreamHasBytesAndBitRates(engine: RealEngine) async throws {
        let folder = try await MediaFixtures.shared.file("m3u8").deletingLastPathComponent()
        var files = ["/master.m3u8": Data("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=400000\nclip.m3u8\n".utf8)]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
            files["/" + name] = try Data(contentsOf: folder.appending(path: name))
        }
        let server = try await FaultServer.start(serving: files)
        let statistics = await play(server.url(for: "/master.m3u8"), engine)
        let sent = server.requests.filter { $0.path.hasSuffix(".ts") }.map(\.bytesSent).reduce(0, +)
        #expect(statistics.bytesReceived >= sent && sent > 0)
        #expect(statistics.indicatedBitRate == 400_000)
        #expect(try #require(statistics.observedBitRate) > 0)
        #expect(try #require(statistics.startupTime) > 0)
        #expect(statistics.retries == 0)
    }

    @Test(arguments: RealEngine.allCases) func aRetryIsCounted(engine: RealEngine) async throws {
        let file = try Data(contentsOf: try await MediaFixtures.shared.file("mp3"))
        let server = try await FaultServer.start(serving: ["/clip.mp3": file])
        let plan = try FaultPlan(parsing: "reset-mid-body@1")
        let statistics = await play(server.url(for: "/clip.mp3", plan: plan), engine)
        #expect(statistics.retries == 1)
        #expect(statistics.bytesReceived >= file.count)
        #expect(statistics.indicatedBitRate == nil)
    }

    @Test(arguments: RealEngine.allCases) func aLocalFileReceivesNothing(engine: RealEngine) async throws {
        let statistics = await play(try await MediaFixtures.shared.file("mp4"), engine)
        #expect(statistics.bytesReceived == 0 && statistics.observedBitRate == nil)
        #expect(statistics.startupTime != nil)
    }
}
#endif
