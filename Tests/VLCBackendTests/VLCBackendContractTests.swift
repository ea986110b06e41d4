#if VLC
import FlowplayerFaults
import FlowplayerTesting
import Foundation
import FlowplayerIsolation
import Playback
import TestSupport
import Testing
import VLCBackend

/// libVLC keeps the contract of backends, in this process and in a separate one, with real media in real time.
@MainActor
@Suite struct VLCBackendContractTests {
    /// Two at once, each with a core for itself.
    private nonisolated static let halves = [0, 1].map { half in
        BackendContract.cases.enumerated().filter { $0.offset % 2 == half }.map(\.element)
    }

    @Test(.serialized, arguments: halves[0])
    func libVLCKeepsTheContract(example: BackendContract.Case) async throws {
        try await keeps(example) { LibVLCBackend(audioOutput: .none) }
    }

    @Test(.serialized, arguments: halves[1])
    func libVLCKeepsTheRestOfTheContract(example: BackendContract.Case) async throws {
        try await keeps(example) { LibVLCBackend(audioOutput: .none) }
    }

    @Test(.serialized, arguments: halves[0])
    func isolatedLibVLCKeepsTheContract(example: BackendContract.Case) async throws {
        try await keeps(example) { IsolatedBackend(options: ["audio": "none", "callTimeout": "20"]) }
    }

    @Test(.serialized, arguments: halves[1])
    func isolatedLibVLCKeepsTheRestOfTheContract(example: BackendContract.Case) async throws {
        try await keeps(example) { IsolatedBackend(options: ["audio": "none", "callTimeout": "20"]) }
    }

    private func keeps(
        _ example: BackendContract.Case, makeBackend: @escaping @Sendable () -> any PlaybackBackend
    ) async throws {
        let live = example.needsLiveStream ? try await LiveStream(window: 10, seconds: 60) : nil
        let server = try await FaultServer.start(
            serving: ["/clip.mp4": try Data(contentsOf: try await MediaFixtures.shared.medium("mp4"))])
        let refused = server.url(for: "/clip.mp4", plan: FaultPlan("status=403")!)
        let contract = BackendContract(
            fixtures: try await fixtures(
                for: example, live: live?.url, remote: server.url(for: "/clip.mp4"), refused: refused),
            makeBackend: makeBackend)
        let outcome = try await contract.run(example)
        switch example.id {
        // Those are for a sound server: see `VLCInterruptionAudioTests`.
        case "tells-of-an-interruption", "an-interruption-can-be-overridden":
            #expect(outcome == .skipped(reason: "No interrupted file was named."))
        case "seeks-to-a-keyframe":
            #expect(outcome == .skipped(reason: "The backend does not declare keyframeSeeking."))
        default: #expect(outcome == .passed)
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
    fileprivate var needsLiveStream: Bool { id.contains("live-stream") }

    fileprivate var needsRates: Bool { id.contains("rate") || id.contains("slowest") }
}
#endif
