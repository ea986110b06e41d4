import FlowplayerTesting
import Playback
import Testing

/// The simulated backend keeps the contract.
@MainActor
@Suite struct BackendContractTests {
    private let contract = BackendContract(fixtures: .simulated) { clock in
        SimulatedBackend(clock: clock, script: BackendFixtures.simulatedMedia)
    }

    @Test(arguments: BackendContract.cases)
    func theSimulatedBackendKeepsTheContract(example: BackendContract.Case) async throws {
        let outcome = try await contract.run(example)
        // It has no video output.
        let needsFrames = [
            "delivers-frames", "frames-have-square-pixels", "keeps-the-pixels-of-a-frame",
            "delivers-frames-of-the-wanted-size", "shows-its-video-in-a-later-output",
            "shows-its-first-frame-before-it-plays",
            "delivers-no-frames-while-hidden",
        ]
        #expect(
            outcome
                == (needsFrames.contains(example.id)
                    ? .skipped(reason: "The backend does not declare frames.") : .passed))
    }
}
