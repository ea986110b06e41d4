#if VLC || GStreamer
import FlowplayerFaults
import FlowplayerIsolation
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing

/// The engines keep the contract of backends, with real media in real time. libVLC also does so in a separate process.
@MainActor
@Suite struct EngineContractTests {
    #if VLC
    @Test(arguments: BackendContract.cases)
    func libVLCKeepsTheContract(example: BackendContract.Case) async throws {
        try await keeps(example, without: .keyframeSeeking) { RealEngine.libVLC.makeBackend() }
    }

    @Test(arguments: BackendContract.cases)
    func isolatedLibVLCKeepsTheContract(example: BackendContract.Case) async throws {
        try await keeps(example, without: .keyframeSeeking) {
            IsolatedBackend(options: ["audio": "none", "callTimeout": "20"])
        }
    }
    #endif

    #if GStreamer
    @Test(arguments: BackendContract.cases)
    func gStreamerKeepsTheContract(example: BackendContract.Case) async throws {
        try await keeps(example) { RealEngine.gStreamer.makeBackend() }
    }
    #endif

    /// - Parameter missing: the only feature that the engine does not have. Its cases are skipped.
    private func keeps(
        _ example: BackendContract.Case, without missing: BackendCapabilities.Feature? = nil,
        makeBackend: @escaping @Sendable () -> any PlaybackBackend
    ) async throws {
        let live = example.needsLiveStream ? try await LiveStream(window: 10, seconds: 60) : nil
        let server = try await FaultServer.start(
            serving: ["/clip.mp4": try Data(contentsOf: try await MediaFixtures.shared.file("mp4"))])
        let refused = server.url(for: "/clip.mp4", plan: FaultPlan("status=403")!)
        let contract = BackendContract(
            fixtures: try await fixtures(
                for: example, live: live?.url, remote: server.url(for: "/clip.mp4"), refused: refused),
            makeBackend: makeBackend)
        let outcome = try await contract.run(example)
        switch example.id {
        // Those are for an audio server: see `EngineInterruptionAudioTests`.
        case "reports-an-interruption", "an-interruption-can-be-overridden":
            #expect(outcome == .skipped(reason: "No interrupted file was named."))
        default:
            if case .skipped(let reason) = outcome {
                #expect(reason == missing.map { "The backend does not declare \($0.rawValue)." })
            } else {
                #expect(outcome == .passed)
            }
        }
        withExtendedLifetime(live) {}
        await server.stop()
    }

    private func fixtures(
        for example: BackendContract.Case, live: URL?, remote: URL, refused: URL
    ) async throws -> BackendFixtures {
        let media = MediaFixtures.shared
        let duration = example.needsTime ? 12 : MediaFixtures.duration
        return BackendFixtures(
            clip: try await example.needsTime ? media.long(seconds: duration) : media.file("mp4"),
            duration: duration, audio: try await media.audio("flac", seconds: duration),
            missing: media.directory.appending(path: "nothing.mp4"),
            tracks: try await media.tracks(seconds: MediaFixtures.duration),
            subtitle: try await media.subtitles("contract.srt", [(0, 2, "Hello")]), title: "Two of each",
            live: live, oblong: try await media.oblong(pixels: "16/11"),
            oblongSize: VideoSize(width: 1024, height: 576), remote: remote,
            qualities: example.id == "plays-the-selected-quality" ? try await media.variants(seconds: 60) : nil,
            refused: refused, tolerance: 1, timeout: 120,
            retryPolicy: .unlimited, mayStall: true)
    }
}

extension BackendContract.Case {
    fileprivate var needsLiveStream: Bool { id.contains("live-stream") }

    /// `true` if the item must still play after some steps, or if a rate is measured. A busy machine is late.
    fileprivate var needsTime: Bool {
        let ids = [
            "seeks-while-it-plays", "seeks-right-after-a-pause", "audio-continues-without-video",
            "delivers-frames-of-the-wanted-size", "plays-the-preloaded-item-early", "seeks-back", "pauses-and-resumes",
            "of-many-seeks-the-last-counts", "seeks-to-a-keyframe", "closes-once", "another-opening-closes-the-first",
        ]
        return ids.contains(id) || id.contains("rate") || id.contains("slowest")
    }
}
#endif
