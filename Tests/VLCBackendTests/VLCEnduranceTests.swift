#if VLC
import Foundation
import TestSupport
import Testing

/// Many players, one after another and all at once, in child processes.
@Suite struct VLCEnduranceTests {
    /// Ten thousand in the long form.
    static let cycles = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? 400 : 10_000

    private func run(_ what: String, _ count: Int, _ url: URL) async throws -> Command.Result {
        let place = url.isFileURL ? url.path() : url.absoluteString
        let result = try await Command(built: "endurance", [what, "\(count)", place]).run()
        print(result.output)
        return result
    }

    @Test func cyclesOfCreateLoadPlayStopDropLeaveNothingBehind() async throws {
        let url = try await MediaFixtures.shared.solid(colour: "red", size: "160x90", duration: 1)
        let result = try await run("cycles", Self.cycles, url)
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("\(Self.cycles) cycles:"), "\(result.output)")
    }

    /// No server listens on port 1.
    @Test func failedStreamsLeaveNothingBehind() async throws {
        let result = try await run("failures", 100, try #require(URL(string: "http://127.0.0.1:1/clip.mp4")))
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("100 failures:"), "\(result.output)")
    }

    @Test func twoHundredPlayersPlayAtOnce() async throws {
        let result = try await run("players", 200, try await MediaFixtures.shared.file("wav"))
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("200 players at once"), "\(result.output)")
    }
}
#endif
