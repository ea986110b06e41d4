#if VLC
import EventLog
import FlowplayerSDK
import Foundation
import TestSupport
import Testing

/// `flowplay --resume-position`.
@Suite struct FlowplayResumeTests {
    /// The home of the positions of one test.
    private let state = FileManager.default.temporaryDirectory.appending(
        path: "state-\(UUID().uuidString)", directoryHint: .isDirectory)

    private var folder: URL { state.appending(path: "swift-flowplayer/positions", directoryHint: .isDirectory) }
    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [] }

    private func command(_ arguments: String...) async throws -> Command { try await command(arguments) }

    private func command(_ arguments: [String]) async throws -> Command {
        let long = try await MediaFixtures.shared.long(seconds: 120).path()
        var command = FlowplayCommand.command(["--resume-position", "--json"] + arguments + [long])
        command.environment["XDG_STATE_HOME"] = state.path()
        return command
    }

    private func firstPosition(_ result: Command.Result) throws -> Double? {
        try EventLogReader.entries(in: result.output).lazy.compactMap {
            $0.event.name == "position" ? $0.event.position : nil
        }.first
    }

    /// Plays until a position is reported, and ends by a signal.
    private func played(_ arguments: String...) async throws -> Command.Result {
        let host = try await command(arguments).start()
        #expect(await eventually { (try? host.outputSoFar.contains(#""event":"position""#)) == true })
        host.signal(SIGTERM)
        return try await host.result
    }

    @Test func playbackResumesWhereItWasLeft() async throws {
        let first = try await played("--start", "70")
        #expect(first.status == 143)
        #expect(!first.errors.contains("Resuming"))
        #expect(files.count == 1)
        let second = try await played()
        #expect(second.errors.contains("flowplay: Resuming at "), "\(second.errors)")
        #expect(try firstPosition(second).map { $0 >= 70 } == true)
        let third = try await played("--start", "0")
        #expect(!third.errors.contains("Resuming"))
        #expect(try firstPosition(third).map { $0 < 60 } == true, "--start has priority")
    }

    @Test func anItemThatHasEndedStartsAtItsBeginning() async throws {
        #expect(try await command("--start", "70", "--stop-after", "0.5").run().status == 0)
        #expect(files.count == 1)
        #expect(try await command("--start", "-1").run().status == 0)
        #expect(files.isEmpty)
    }

    @Test func aSignalKeepsThePosition() async throws {
        let host = try await command("--start", "70").start()
        #expect(await eventually { (try? host.outputSoFar.contains(#""state":"play""#)) == true })
        host.signal(SIGTERM)
        #expect(try await host.result.status == 143)
        #expect(files.count == 1)
    }

    @Test func twoProcessesShareTheFolder() async throws {
        let hosts = try await [command("--start", "30").start(), command("--start", "80").start()]
        for host in hosts {
            // Both write several times.
            #expect(await eventually { (try? host.outputSoFar.contains(#""state":"play""#)) == true })
        }
        #expect(await eventually { files.count == 1 })
        for host in hosts {
            host.signal(SIGTERM)
            let result = try await host.result
            #expect(result.status == 143)
            #expect(!result.errors.contains("osition"), "\(result.errors)")
        }
        #expect(files.count == 1 && files[0].hasSuffix(".json"), "no temporary file stays: \(files)")
        let next = try await command("--stop-after", "0.1").run()
        #expect(next.errors.contains("Resuming at "), "\(next.errors)")
    }

    @Test func aDamagedFileIsReportedAndPlaybackStarts() async throws {
        #expect(try await played("--start", "70").status == 143)
        let name = try #require(files.first)
        try Data("{".utf8).write(to: folder.appending(path: name))
        let result = try await played()
        #expect(result.status == 143)
        #expect(result.errors.contains("\(name).corrupt"), "\(result.errors)")
        #expect(try firstPosition(result).map { $0 < 60 } == true)
    }

    /// Not even root may write there, without the capability to.
    @Test func aReadOnlyFolderIsReportedAndPlaybackContinues() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path())
        let drop =
            getuid() == 0
            ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] : ["env"]
        var command = try await command("--stop-after", "0.5")
        command.arguments = drop.dropFirst() + [FlowplayCommand.path] + command.arguments
        command.program = drop[0]
        let result = try await command.run()
        #expect(result.status == 0)
        #expect(result.errors.contains("Permission denied. Make the folder writable"), "\(result.errors)")
        #expect(result.output.contains(#""state":"play""#))
    }

    @Test func withoutTheOptionNothingIsKept() async throws {
        var command = try await command("--start", "70", "--stop-after", "0.5")
        command.arguments.removeFirst()
        #expect(try await command.run().status == 0)
        #expect(!FileManager.default.fileExists(atPath: state.path()))
    }
}
#endif
