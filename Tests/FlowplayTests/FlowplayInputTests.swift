#if VLC
import EventLog
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing

@testable import flowplay

/// `flowplay -`: the item comes from standard input.
@Suite struct FlowplayInputTests {
    private let temporary = FileManager.default.temporaryDirectory.appending(
        path: "input-\(UUID().uuidString)", directoryHint: .isDirectory)

    /// Runs a line of a shell, in which `flowplay` is the host and `$1` a file.
    private func shell(_ line: String, _ file: String) async throws -> Command {
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        var command = Command("bash", ["-c", "flowplay() { '\(FlowplayCommand.path)' \"$@\"; }; \(line)", "sh", file])
        command.environment = FlowplayCommand.headless
        command.environment["TMPDIR"] = temporary.path()
        return command
    }

    private func events(_ result: Command.Result) throws -> [LoggedEvent] {
        try EventLogReader.entries(in: result.output).map(\.event)
    }

    @Test(arguments: ["mp4", "wav", "mkv", "mp3"])
    func aPipePlays(type: String) async throws {
        let file = try await MediaFixtures.shared.file(type).path()
        let result = try await shell(#"cat "$1" | flowplay --json -"#, file).run()
        #expect(result.status == 0, "\(result.errors)")
        #expect(try events(result).compactMap(\.playerState).withoutStalls == [.load, .ready, .play, .complete])
        #expect(result.errors.contains("Reading standard input to its end, up to 4 GB."))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path()).isEmpty)
    }

    @Test func aPipeCanSeekAndKeepsNoPosition() async throws {
        let file = try await MediaFixtures.shared.long(seconds: 120).path()
        let state = temporary.appending(path: "state").path()
        let result = try await shell(
            #"cat "$1" | XDG_STATE_HOME=\#(state) flowplay --resume-position --start 50% --stop-after 0.2 -"#, file
        ).run()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("1:00/2:00\tstandard input"), "\(result.output)")
        #expect(!FileManager.default.fileExists(atPath: state))
    }

    @Test func theContentsOfAPipeAreListed() async throws {
        let file = try await MediaFixtures.shared.file("mkv").path()
        let result = try await shell(#"cat "$1" | flowplay probe -"#, file).run()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("-\n  Container  Matroska\n"), "\(result.output)")
    }

    @Test func aFileIsNotCopied() async throws {
        let file = try await MediaFixtures.shared.file("mp4").path()
        let result = try await shell(#"flowplay --json - < "$1""#, file).run()
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.errors.contains("Reading"))
        #expect(try events(result).compactMap(\.playerState).last == .complete)
    }

    @Test func aPipePlaysWhileItArrivesIfItIsNamed() async throws {
        let file = try await MediaFixtures.shared.file("mkv").path()
        let result = try await shell(#"cat "$1" | flowplay --json /dev/stdin"#, file).run()
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.errors.contains("Reading"))
        #expect(try events(result).compactMap(\.playerState).last == .complete)
    }

    @Test func theProcessOfTheEngineRefusesStandardInput() async throws {
        let result = try await shell("cat /dev/null | flowplay --isolate -", "").run()
        #expect(result.status == 2)
        #expect(result.errors.contains("Leave out --isolate"), "\(result.errors)")
    }

    @Test func anEmptyInputFails() async throws {
        let result = try await shell("flowplay - < /dev/null", "").run()
        #expect(result.status == 3)
        #expect(result.errors.contains("flowplay: standard input: "), "\(result.errors)")
    }

    @Test func aFileOfThisNameHasAPath() async throws {
        let file = try await MediaFixtures.shared.file("mp4").path()
        let result = try await shell(#"cd "$TMPDIR"; cp "$1" ./-; flowplay ./- < /dev/null"#, file).run()
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(arguments: ["/dev/zero", "/dev/null"])
    func aDeviceIsNoItem(path: String) async throws {
        let result = try await FlowplayCommand.command([path]).run()
        #expect(result.status == 3 && result.errors.contains("This is a device, not a file."), "\(result.errors)")
    }

    @Test(arguments: ["", "--json", "--engines", "--log -"])
    func aFullDiskIsReported(options: String) async throws {
        let file = try await MediaFixtures.shared.file("mp3")
        let result = try await shell("flowplay --stop-after 0.1 \(options) \"$1\" > /dev/full", file.path()).run()
        #expect(result.status == 3, "\(result.errors)")
        #expect(result.errors.contains("to standard output: No space left on device"), "\(result.errors)")
    }

    @Test func aTerminalIsNoInput() async throws {
        let terminal = try await TerminalSession()
        try await terminal.enter("clear; \(FlowplayCommand.path) --no-config -; echo status $?")
        #expect(try await terminal.shows("cat film.mp4 | flowplay -"))
        #expect(try await terminal.shows("status 2"))
    }

    @Test func aLongInputIsRefused() throws {
        let zeros = open("/dev/zero", O_RDONLY)
        defer { close(zeros) }
        let failure = #expect(throws: StandardInput.Failure.self) { try StandardInput.copy(from: zeros, upTo: 3 << 20) }
        #expect(failure?.message.contains("Write it to a file") == true)
    }

    @Test func aFolderThatCannotBeWrittenIsNamed() async throws {
        let file = try await MediaFixtures.shared.file("mp4").path()
        let result = try await shell(#"cat "$1" | TMPDIR=/proc/none flowplay -"#, file).run()
        #expect(result.status == 3)
        #expect(result.errors.contains("Set TMPDIR to a folder"), "\(result.errors)")
    }
}
#endif
