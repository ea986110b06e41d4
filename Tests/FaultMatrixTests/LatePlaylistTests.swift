#if VLC && GStreamer
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import GStreamerBackend
import Testing
import VLCBackend

/// A live stream whose playlist is later than the default time limit. Without its playlist, it would be taken for a short stream that ends.
@MainActor
@Suite struct LatePlaylistTests {
    private func isLive(_ backend: any PlaybackBackend) async throws {
        let server = try await FaultServer.start(serving: try await FaultMatrix.media())
        let player = MediaPlayer(backend: backend)
        let recorder = EventRecorder(player)
        let plan = try FaultPlan(parsing: "live-endless=3+late=12@variant1@1-2+late=12@variant2@1-2")
        var item = PlayerItem(url: server.url(for: "/live/clip.m3u8", plan: plan))
        item.retryPolicy = .unlimited
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.ready), "\(recorder.errors)")
        #expect(player.snapshot.playbackType == .live)
        #expect(player.duration == nil && player.snapshot.dvrWindow != nil)
        player.stop()
        await server.stop()
    }

    @Test func libVLCKnowsThatItIsLive() async throws { try await isLive(LibVLCBackend(audioOutput: .none)) }

    @Test func gStreamerKnowsThatItIsLive() async throws { try await isLive(LibGStreamerBackend(audioOutput: .none)) }
}
#endif
