#if VLC
import Foundation
import TestSupport
import Testing

/// `flowplay --isolate`, whose engine is killed.
@Suite struct FlowplayIsolationTests {
    /// The engine of a flowplay. The spare one was started later.
    private func engine(of process: pid_t) throws -> pid_t? {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        let children = tasks.flatMap { task in
            let children = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
            return (children ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
        return children.min { startTime(of: $0) < startTime(of: $1) }
    }

    /// In ticks since the system's start. Numbers of processes begin again after the highest.
    private func startTime(of process: pid_t) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 19 ? Int(fields[19]) ?? .max : .max
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
