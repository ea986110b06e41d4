#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// A stall while the player reconnects.
@MainActor
@Suite struct StallTests {
    /// The stall timeout comes while the player still reconnects. The error is the reason of the lost connection.
    @Test(arguments: [
        ("mp4", "drip=90000+reset-mid-body=400000@1+status=503@2-"),
        ("mp3", "drip=45000+reset-mid-body=250000@1+status=503@2-"),
        ("m3u8", "drip=90000+reset-mid-body@segment7@1+status=503@segment7@2-"),
    ])
    func aStallSaysWhyNothingComes(format: String, plan: String) async throws {
        let server = try await FaultServer.start(serving: try await OutageTests.media())
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        let url = server.url(for: "/clip.\(format)", plan: try FaultPlan(parsing: plan))
        var item = PlayerItem(url: url)
        item.retryPolicy.openTimeout = .infinity
        (item.retryPolicy.stallTimeout, item.retryPolicy.giveUpAfter) = (20, 60)
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.failure), "\(recorder.states)")
        let error = try #require(recorder.errors.first)
        #expect(error.httpStatus == 503, "\(error.message)")
        let retries = error.tried.compactMap { if case .retried(let times, _) = $0 { times } else { nil } }
        #expect(try #require(retries.first) > 1, "\(error.message)")
        player.stop()
        await server.stop()
    }
}
#endif
