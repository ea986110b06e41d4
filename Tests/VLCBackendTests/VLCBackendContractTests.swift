#if VLC
import FlowplayerFaults
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing
import VLCBackend

/// libVLC keeps the contract of backends, with real media in real time.
@MainActor
@Suite struct VLCBackendContractTests {
    /// Two at once, each with a core for itself.
    private nonisolated static let halves = [0, 1].map { half in
        BackendContract.cases.enumerated().filter { $0.offset % 2 == half }.map(\.element)
    }

    @Test(.serialized, arguments: halves[0])
    func libVLCKeepsTheContract(example: BackendContract.Case) async throws { try await keeps(example) }

    @Test(.serialized, arguments: halves[1])
    func libVLCKeepsTheRestOfIt(example: BackendContract.Case) async throws { try await keeps(example) }

    private func keeps(_ example: BackendContract.Case) async throws {
        let live = example.needsLiveStream ? try await LiveStream(window: 10, seconds: 60) : nil
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data()])
        let refused = server.url(for: "/clip.mp4", plan: FaultPlan("status=403")!)
        let contract = BackendContract(fixtures: try await fixtures(live: live?.url, refused: refused)) {
            VLCBackend(audioOutput: .none)
        }
        let outcome = try await outcome(of: example, in: contract)
        // Those are for a sound server: see `VLCInterruptionAudioTests`.
        let needsServer = ["tells-of-an-interruption", "an-interruption-can-be-overridden"].contains(example.id)
        #expect(outcome == (needsServer ? .skipped(reason: "No medium that is interrupted was named.") : .passed))
        withExtendedLifetime(live) {}
        await server.stop()
    }

    /// A rate is measured within a second: a busy machine may have three attempts, a wrong rate fails in each.
    private func outcome(
        of example: BackendContract.Case, in contract: BackendContract
    ) async throws -> BackendContract.Outcome {
        for attempt in 1...2 where example.needsRates {
            do {
                return try await contract.run(example)
            } catch {
                print("attempt \(attempt): \(error)")
            }
        }
        return try await contract.run(example)
    }

    private func fixtures(live: URL?, refused: URL) async throws -> BackendFixtures {
        let media = MediaFixtures.shared
        return BackendFixtures(
            clip: try await media.medium("mp4"), duration: MediaFixtures.duration,
            sound: try await media.medium("flac"), missing: media.directory.appending(path: "nothing.mp4"),
            tracks: try await media.tracks(seconds: MediaFixtures.duration),
            subtitle: try await media.subtitles("contract.srt", [(0, 2, "Hello")]), title: "Two of each",
            live: live,
            refused: refused)
    }
}

extension BackendContract.Case {
    fileprivate var needsLiveStream: Bool { id.contains("live-stream") }

    fileprivate var needsRates: Bool { id.contains("rate") || id.contains("slowest") }
}
#endif
