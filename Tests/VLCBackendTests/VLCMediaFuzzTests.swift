#if VLC
import Foundation
import TestSupport
import Testing

/// Damaged media, in child processes.
@Suite struct VLCMediaFuzzTests {
    /// Two thousand in the long form.
    static let count = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? 220 : 2000

    @Test func mutatedMediaNeitherCrashNorHangAndEndOnce() async throws {
        let result = try await Command(built: "media-fuzz", ["--count", "\(Self.count)"]).run()
        print(result.output)
        #expect(result.status == 0, "\(result.output) \(result.errors)")
        #expect(result.output.contains("\(Self.count) mutants of seed 1 "), "\(result.output)")
    }

    /// A crash is reported with its mutant and the mutations.
    @Test func aCrashIsFoundWithTheMutantThatMadeIt() async throws {
        let arguments = ["--count", "33", "--crash-on", "mkv/1"]
        let result = try await Command(built: "media-fuzz", arguments).run()
        #expect(result.status == 1)
        #expect(result.output.contains("BAD mkv/1 crash: "), "\(result.output)")
        #expect(result.output.contains("1 crash") && result.output.contains("33 mutants"), "\(result.output)")
    }
}
#endif
