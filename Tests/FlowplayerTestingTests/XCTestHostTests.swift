import FlowplayerTesting
import Foundation
import Playback
import XCTest

/// The kit serves hosts that test with XCTest just as well.
final class XCTestHostTests: XCTestCase {
    private static let url = URL(filePath: "/media/clip.mp4")

    @MainActor
    func testEventsAreExpectedInVirtualTime() async throws {
        let clock = ManualClock()
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        try await expectEvents(.atLeast([.state(.play), .state(.complete)]), from: player, within: .seconds(60)) {
            player.load(Self.url, autoPlay: true)
        }
        let isIdle = await player.reaches(.idle, within: .seconds(1))
        XCTAssertFalse(isIdle)
    }

    @MainActor
    func testAMismatchReadsWell() async throws {
        let player = MediaPlayer(backend: SimulatedBackend())
        do {
            try await expectEvents(.exactly([.mute(true)]), from: player) { player.volume = 0.5 }
            XCTFail("nothing was thrown")
        } catch {
            XCTAssertTrue("\(error)".hasSuffix("- mute true\n+ volume 0.5"), "\(error)")
            XCTAssertEqual(error.localizedDescription, "\(error)")
        }
    }

    @MainActor
    func testABackendKeepsTheContract() async {
        let contract = BackendContract(fixtures: .simulated) { clock in
            SimulatedBackend(clock: clock, script: BackendFixtures.simulatedMedia)
        }
        let report = await contract.runAll()
        XCTAssertTrue(report.isKept, "\(report)")
    }
}
