#if VLC
import FlowplayerFaults
import Foundation
import TestSupport
import Testing

/// Programs that tests run in another process.
@Suite struct HostProgramTests {
    private static let isLong = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] != nil

    @Test func aProgramThatExitsWhileAnItemLoadsDoesNotCrash() async throws {
        let files = [try await MediaFixtures.shared.file("mp3"), try await MediaFixtures.shared.file("mkv")]
        for run in 0..<(Self.isLong ? 300 : 48) {
            let file = files[run % files.count].path()
            // Two of three programs exit at once.
            let delay = run % 3 == 2 ? run * 7 % 97 : 0
            let result = try await Command(built: "host-program", ["exit", file, "\(delay)"]).run()
            #expect(result.status == 0, "run \(run) after \(delay) ms: \(result.errors)")
        }
    }

    /// FoundationNetworking brings libcurl and thirty libraries into each process.
    @Test func hostsLoadNeitherFoundationNetworkingNorTheFaultServer() async throws {
        let program = try Command(built: "host-program", []).program
        let libraries = try await Command("ldd", [program]).run().output
        #expect(libraries.contains("libvlc.so") && libraries.contains("libFoundation.so"))
        for name in ["libFoundationNetworking", "libcurl", "libssl", "libpulse"] {
            #expect(!libraries.contains(name), "\(name) is loaded with every host")
        }
    }

    @Test func observersOnTheMainQueueReceiveTheEventsOfTheEngine() async throws {
        let file = try await MediaFixtures.shared.file("mp3").path()
        let result = try await Command(built: "host-program", ["observe", file, "0"]).run()
        #expect(result.status == 0)
        #expect(result.output == "observed load\nobserved ready\nobserved play\n")
    }

    /// Neither files over HTTP nor streams wait for the tasks of the host.
    @Test(arguments: ["mp4", "m3u8"]) func mediaPlayWhileTheTasksOfTheHostCompute(format: String) async throws {
        let file = try await MediaFixtures.shared.file(format)
        let server = try await FaultServer.start(serving: file.deletingLastPathComponent())
        let address = server.url(for: "/" + file.lastPathComponent).absoluteString
        let program = try await Command(built: "host-program", ["busy", address, "0"]).start()
        let isComplete = try await eventually { try program.outputSoFar.contains("observed complete\n") }
        program.signal(SIGKILL)
        #expect(isComplete, "\((try? program.outputSoFar) ?? "")")
        await server.stop()
    }

    @Test func aPostThatIsBlockedIsNamed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let errors = folder.appending(path: "errors")
        let program = try Command(built: "host-program", [])
        var shell = Command(
            "sh", ["-c", "exec \"$0\" command /no/file.mp3 50 2> \"$1\"", program.program, errors.path()])
        shell.environment = program.environment
        let command = try await shell.start()
        let isNamed = await eventually {
            let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            return text.contains("flowplayerDidChangeState is blocked") && text.contains("Pass queue: nil")
        }
        command.signal(SIGKILL)
        #expect(isNamed)
        #expect(try await command.result.status == 128 + SIGKILL)
    }
}
#endif
