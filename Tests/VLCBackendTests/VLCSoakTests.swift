#if VLC
import Foundation
import TestSupport
import Testing

/// Random use of players for a long time, in a child process.
@Suite struct VLCSoakTests {
    /// An hour in the long form.
    static let seconds = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? 60 : 3600

    @Test func aProcessKeepsItsSize() async throws {
        let arguments = ["--seconds", "\(Self.seconds)", "--ads-every", "20"]
        let result = try await Command(built: "soak", arguments).run()
        print(result.output)
        #expect(result.status == 0, "\(result.output) \(result.errors)")
        #expect(result.output.hasPrefix("soaked \(Self.seconds) s"), "\(result.output)")
    }

    @Test func aLeakIsFound() async throws {
        let result = try await Command(built: "soak", ["--seconds", "15", "--viewers", "1", "--leaks"]).run()
        #expect(result.status == 1)
        #expect(
            result.output.contains("bad: grew by") && result.output.contains(" descriptors"), "\(result.output)")
    }
}
#endif
