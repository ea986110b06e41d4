#if VLC
import Foundation
import TestSupport
import Testing

/// `flowplay --isolate`, whose engine is killed.
@Suite struct FlowplayIsolationTests {
    /// The engine of a flowplay. The spare one was started later.
    private func engine(of process: pid_t) throws -> pid_t? {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        return tasks.flatMap { task in
            let children = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
            return (children ?? "").split(separator: " ").compactMap { pid_t($0) }
        }.min()
    }

    @Test func playbackContinuesAfterItsEngineIsKilled() async throws {
        let clip = try await MediaFixtures.shared.long(seconds: 300)
        let host = try await FlowplayCommand.command(["--isolate", "--audio", "none", "--json", clip.path()]).start()
        defer { host.signal(SIGTERM) }
        #expect(try await eventually { try host.outputSoFar.contains("\"position\":1.") })
        let engine = try #require(try engine(of: host.processIdentifier))
        kill(engine, SIGSEGV)
        #expect(try await eventually { try host.outputSoFar.contains("engineRestarted") })
        let lines = try host.outputSoFar.split(separator: "\n").count
        #expect(
            try await eventually {
                try host.outputSoFar.split(separator: "\n").dropFirst(lines).contains { $0.contains("\"position\":") }
            })
    }
}
#endif
