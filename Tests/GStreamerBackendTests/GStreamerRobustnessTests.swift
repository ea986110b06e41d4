#if GStreamer
import Foundation
import GStreamerBackend
import TestSupport
import Testing

/// Damaged media and random use, in child processes, as for libVLC.
@Suite struct GStreamerRobustnessTests {
    private static let isLong = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] != nil

    private func run(_ program: String, _ arguments: String...) async throws -> Command.Result {
        var command = try Command(built: program, arguments)
        command.environment["FLOWPLAYER_ENGINE_NAME"] = "gstreamer"
        // Each thread of GStreamer may get its own heap, which keeps what it has held at most. With one heap,
        // growth is a leak.
        command.environment["MALLOC_ARENA_MAX"] = "1"
        let result = try await command.run()
        print(result.output)
        return result
    }

    @Test func mutatedMediaNeitherCrashNorHangAndEndOnce() async throws {
        let count = Self.isLong ? 2000 : 110
        let result = try await run("media-fuzz", "--count", "\(count)")
        #expect(result.status == 0, "\(result.output) \(result.errors)")
        #expect(result.output.contains("\(count) mutants of seed 1 "), "\(result.output)")
    }

    /// The first one has audio that no segment precedes, which made `scaletempo` write beyond its memory. A time stamp of the second one is
    /// hours ahead.
    @Test(arguments: ["mkv/149", "ts/120"]) func mutantsThatCrashedOrHungEnd(name: String) async throws {
        let result = try await run("media-fuzz", "--only", name)
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test func aProcessKeepsItsSize() async throws {
        let seconds = Self.isLong ? 600 : 30
        let result = try await run("soak", "--seconds", "\(seconds)")
        #expect(result.status == 0, "\(result.output) \(result.errors)")
        #expect(result.output.hasPrefix("soaked \(seconds) s"), "\(result.output)")
    }

    /// Exits at different times while another thread loads GStreamer's libraries.
    @Test func aProcessMayExitWhileGStreamerStarts() async {
        for microseconds in stride(from: 0, to: 2500, by: Self.isLong ? 3 : 50) {
            await #expect(processExitsWith: .exitCode(7)) { [microseconds = microseconds as Int] in
                let backend = LibGStreamerBackend()
                usleep(UInt32(microseconds))
                withExtendedLifetime(backend) {}
                exit(7)
            }
        }
    }
}
#endif
