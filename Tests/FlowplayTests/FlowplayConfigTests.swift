import EventLog
import FlowplayerSDK
import Foundation
import TestSupport
import Testing

@testable import flowplay

/// Options in a file: `--config` and `~/.config/flowplay/config`.
@Suite struct FlowplayConfigTests {
    /// The home of the configuration of one test.
    private let home = FileManager.default.temporaryDirectory.appending(
        path: "config-\(UUID().uuidString)", directoryHint: .isDirectory)

    private func write(_ text: String) throws -> String {
        let file = home.appending(path: "flowplay/config")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path()
    }

    private func run(_ arguments: String...) async throws -> Command.Result {
        var command = FlowplayCommand.command(
            arguments + ["--engine", "simulated", "--json", "--stop-after", "0", "film.mp4"])
        command.environment["XDG_CONFIG_HOME"] = home.path()
        return try await command.run()
    }

    private func volume(_ result: Command.Result) throws -> Double? {
        try EventLogReader.entries(in: result.output).lazy.compactMap(\.event.volume).first
    }

    // MARK: Lines

    @Test(arguments: [
        ("", []), ("   ", []), ("# volume = 50", []), ("volume = 50", ["--volume=50"]), ("volume=50", ["--volume=50"]),
        (" volume = 50  # not loud", ["--volume=50"]), ("alang = de,en", ["--alang=de,en"]), ("mute", ["--mute"]),
        ("mute = yes", ["--mute"]), ("mute = no", []), ("no-video", ["--no-video"]), ("shuffle = 7", ["--shuffle=7"]),
        ("start = -10", ["--start=-10"]), ("repeat = all", ["--repeat=all"]), ("log = yes", ["--log=yes"]),
        ("header = Cookie: a=b#c", ["--header=Cookie: a=b#c"]),
    ])
    func aLineIsAnOption(line: String, arguments: [String]) throws {
        #expect(try ConfigFile.arguments(of: line[...]) == arguments)
    }

    @Test func theDefaultFileIsInTheFolderOfXDG() {
        #expect(ConfigFile.defaultFile(["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/flowplay/config")
        #expect(ConfigFile.defaultFile(["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/flowplay/config")
        #expect(ConfigFile.defaultFile(["HOME": "/h"]) == "/h/.config/flowplay/config")
    }

    // MARK: Files

    @Test func theDefaultFileIsRead() async throws {
        _ = try write("# my settings\r\nvolume = 40\n\nmute\n")
        let result = try await run()
        #expect(result.status == 0)
        #expect(try volume(result) == 0.4)
        #expect(result.output.contains(#""mute":true"#))
    }

    @Test func theCommandLineHasPriority() async throws {
        _ = try write("volume = 40\n")
        #expect(try volume(try await run("--volume", "30")) == 0.3)
        #expect(try volume(try await run("--no-config")) == nil)
    }

    @Test func anotherFileReplacesTheDefaultOne() async throws {
        _ = try write("volume = 40\nmute\n")
        let other = home.appending(path: "other").path()
        try Data("volume = 20\n".utf8).write(to: URL(filePath: other))
        for arguments in [["--config", other], ["--config=\(other)"]] {
            let result = try await run(arguments[0], arguments.count > 1 ? arguments[1] : "--no-mpris")
            #expect(try volume(result) == 0.2)
            #expect(!result.output.contains(#""mute":true"#))
        }
        let missing = try await run("--config", "/no/such/file")
        #expect(missing.status == 2)
        #expect(missing.errors.contains("/no/such/file cannot be read."), "\(missing.errors)")
    }

    @Test(arguments: [
        ("volum = 50", "Did you mean '--volume'?"), ("volume = loud", "'loud' is invalid"),
        ("volume = 101", "--volume takes a number from 0 to 100"), ("volume", "Missing value"), ("mute = 3", "mute"),
        ("film.mp4", "film.mp4"), ("config = a", "config is an option of the command line only"),
        ("help", "help is an option of the command line only"),
    ])
    func aWrongLineIsNamed(line: String, hint: String) async throws {
        let file = try write("mute\n\n\(line)\n")
        let result = try await run()
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("\(file):3: "), "\(result.errors)")
        #expect(result.errors.contains(hint), "\(result.errors)")
    }

    @Test func theHelpIsShownInSpiteOfAWrongFile() async throws {
        _ = try write("nonsense\n")
        for option in ["--help", "--help-all", "--version"] {
            var command = FlowplayCommand.command([option])
            command.environment["XDG_CONFIG_HOME"] = home.path()
            #expect(try await command.run().status == 0, "\(option)")
        }
    }
}
