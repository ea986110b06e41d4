#if GStreamer
import FlowplayerFaults
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import TestSupport
import Testing

/// GStreamer keeps the contract of backends, with real media in real time.
@MainActor
@Suite struct GStreamerContractTests {
    /// Two at once, each with a core for itself.
    private nonisolated static let halves = [0, 1].map { half in
        BackendContract.cases.enumerated().filter { $0.offset % 2 == half }.map(\.element)
    }

    @Test(.serialized, arguments: halves[0])
    func gStreamerKeepsTheContract(example: BackendContract.Case) async throws { try await keeps(example) }

    @Test(.serialized, arguments: halves[1])
    func gStreamerKeepsTheRestOfTheContract(example: BackendContract.Case) async throws { try await keeps(example) }

    /// The features that this engine does not have. Their cases are skipped.
    private static let missing: Set<BackendCapabilities.Feature> = [
        .window, .preparing, .crossfading, .interruptions,
    ]

    private func keeps(_ example: BackendContract.Case) async throws {
        let live = example.id.contains("live-stream") ? try await LiveStream(window: 10, seconds: 60) : nil
        let server = try await FaultServer.start(
            serving: ["/clip.mp4": try Data(contentsOf: try await MediaFixtures.shared.medium("mp4"))])
        let refused = server.url(for: "/clip.mp4", plan: FaultPlan("status=403")!)
        let contract = BackendContract(
            fixtures: try await fixtures(
                for: example, live: live?.url, remote: server.url(for: "/clip.mp4"), refused: refused)
        ) { LibGStreamerBackend(audioOutput: .none) }
        if case .skipped(let reason) = try await contract.run(example) {
            let isExpected = Self.missing.contains { reason == "The backend does not declare \($0.rawValue)." }
            #expect(isExpected || reason.contains("was named"), "\(reason)")
        }
        withExtendedLifetime(live) {}
        await server.stop()
    }

    private func fixtures(
        for example: BackendContract.Case, live: URL?, remote: URL, refused: URL
    ) async throws -> BackendFixtures {
        let media = MediaFixtures.shared
        // A rate is measured over seconds, so that a machine that is late by tenths of a second does not matter.
        let duration = example.needsRates ? 12 : MediaFixtures.duration
        return BackendFixtures(
            clip: try await example.needsRates ? media.long(seconds: duration) : media.medium("mp4"),
            duration: duration,
            sound: try await media.medium("flac"), missing: media.directory.appending(path: "nothing.mp4"),
            tracks: try await media.tracks(seconds: MediaFixtures.duration),
            subtitle: try await media.subtitles("contract.srt", [(0, 2, "Hello")]), title: "Two of each",
            live: live, oblong: try await media.oblong(pixels: "16/11"),
            oblongSize: VideoSize(width: 1024, height: 576), remote: remote,
            qualities: example.id == "plays-the-selected-quality" ? try await media.variants(seconds: 60) : nil,
            refused: refused, tolerance: 1, timeout: 120)
    }
}

extension BackendContract.Case {
    fileprivate var needsRates: Bool { id.contains("rate") || id.contains("slowest") }
}
#endif
