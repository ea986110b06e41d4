#if VLC
import EventLog
import FlowplayerFaults
import FlowplayerSDK
import Foundation
import Playback
import TestSupport
import Testing

@testable import flowplay

/// `flowplay --renew`, with a server whose addresses expire.
@Suite struct FlowplayRenewTests {
    private func play(renewing command: String) async throws -> (
        result: Command.Result, events: [LoggedEvent]
    ) {
        let clip = try Data(contentsOf: try await MediaFixtures.shared.file("mp4"))
        let server = try await FaultServer.start(serving: ["/clip.mp4": clip])
        let url = server.url(for: "/clip.mp4", plan: try FaultPlan(parsing: "status=403@1"))
        let result = try await FlowplayCommand.run(
            "--json", "--no-mpris", "--no-video", "--renew", command, url.absoluteString)
        await server.stop()
        return (result, try EventLogReader.entries(in: Data(result.output.utf8)).map(\.event))
    }

    @Test func theCommandGivesTheNewAddress() async throws {
        let (result, events) = try await play(renewing: #"echo "$FLOWPLAY_URL?token=2""#)
        #expect(result.status == 0, "\(result.errors)")
        #expect(events.contains(LoggedEvent(.log(PlaybackNotice(code: "addressRefused", message: Self.question)))))
        #expect(result.errors.contains("flowplay: " + Self.question))
    }

    @Test func aCommandMayPrintMoreThanAPipeHolds() async throws {
        let (result, _) = try await play(renewing: #"echo "$FLOWPLAY_URL?token=2"; head -c 200000 /dev/zero"#)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func aCommandThatFailsEndsTheItem() async throws {
        let (result, _) = try await play(renewing: "exit 3")
        #expect(result.status == 3)
        #expect(result.errors.contains("(HTTP 403)"))
    }

    @Test(arguments: [
        ("exit 3", "the --renew command exited with 3."),
        ("true", "the --renew command did not print an address."),
        ("echo nonsense", "the --renew command did not print an address."),
    ])
    func aCommandWithoutAddressIsReported(command: String, reason: String) async throws {
        let item = PlayerItem(url: URL(string: "http://127.0.0.1/clip.mp4")!)
        let refusal = PlaybackError(.httpStatus, url: item.url)
        let failure = await #expect(throws: RenewCommand.Failure.self) {
            _ = try await RenewCommand(command: command).url(for: item, after: refusal)
        }
        #expect(failure?.errorDescription == reason)
    }

    private static let question = "The server refuses the item's address. Requesting a new one."
}
#endif
