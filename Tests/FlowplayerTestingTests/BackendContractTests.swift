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
        #expect(
            outcome
                == (["delivers-frames", "delivers-no-frame-that-nobody-sees"].contains(example.id)
                    ? .skipped(reason: "The backend does not declare frames.") : .passed))
    }
}
