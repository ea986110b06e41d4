import Foundation
import TestSupport
import Testing

@Suite struct FlowplayUsageTests {
    @Test func helpFitsOnOneScreen() async throws {
        let short = try await FlowplayCommand.run("--help")
        #expect(short.status == 0 && short.errors.isEmpty)
        let lines = short.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 25 && lines.allSatisfy { $0.count < 80 })
        #expect(try await FlowplayCommand.run("clip.mp4", "-h").output == short.output)
        let all = try await FlowplayCommand.run("--help-all").output
        let options = short.output.matches(of: /--[a-z-]+/).map { String($0.output) }
        #expect(options.count > 10)
        for option in options where option != "--help-all" {
            #expect(all.contains("  \(option)"), "\(option) is no option")
        }
    }

    @Test func allHelpShowsExamplesAndKeys() async throws {
        let result = try await FlowplayCommand.run("--help-all")
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        for text in ["EXAMPLES", "KEYS", "EXIT STATUS", "--stop-after", "--engines", "flowplay --start 1:30", "probe"] {
            #expect(result.output.contains(text), "\(text) is missing")
        }
    }

    @Test func theVersionIsPrinted() async throws {
        let result = try await FlowplayCommand.run("--version")
        #expect(result.status == 0)
        #expect(result.output.wholeMatch(of: /flowplay \d+\.\d+\.\d+\n/) != nil)
    }

    @Test func theEnginesAreListed() async throws {
        let result = try await FlowplayCommand.run("--engines")
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let lines = result.output.split(separator: "\n")
        let names = lines.filter { $0.contains("\t") }.map { $0.prefix { $0 != "\t" } }
        #expect(names.last == "simulated")
        #if VLC
        #expect(names.prefix(2) == ["auto", "vlc"])
        let engine = lines.drop { !$0.hasPrefix("vlc\t") }.dropFirst().prefix { $0.hasPrefix("  ") }
        #expect(engine.first?.wholeMatch(of: /\ \ version: +3\.\d+\.\d+/) != nil)
        #expect(engine.dropFirst().first?.hasPrefix("  schemes:    file, http, https") == true)
        #expect(engine.contains("  containers: nearly all"))
        let isolated = lines.drop { !$0.hasPrefix("isolated\t") }.dropFirst().prefix { $0.hasPrefix("  ") }
        #expect(isolated.first { $0.hasPrefix("  schemes:") } == engine.first { $0.hasPrefix("  schemes:") })
        #endif
    }

    #if VLC && GStreamer
    @Test func anAddressOfAnotherEngineNamesIt() async throws {
        let result = try await FlowplayCommand.run("rtsp://127.0.0.1/camera")
        #expect(result.status == 3)
        #expect(result.errors.hasSuffix("The engine gstreamer plays rtsp addresses: --engine gstreamer\n"))
        let other = try await FlowplayCommand.run("gopher://127.0.0.1/file")
        #expect(other.status == 3 && !other.errors.contains("--engine"), "\(other.errors)")
    }
    #endif

    @Test func theSimulatedEngineIsUsedOnlyWhenAskedFor() async throws {
        let options = ["--stop-after", "0.1", "/no/such/file.mp4"]
        let asked = try await FlowplayCommand.command(["--engine", "simulated"] + options).run()
        #expect(asked.status == 0)
        #expect(asked.output.hasPrefix("load\t0:00\tfile.mp4\n"))
        let automatic = try await FlowplayCommand.command(["--engine", "auto"] + options).run()
        #expect(automatic.status != 0)
    }

    @Test func theVariableNamesTheDefaultEngine() async throws {
        func run(_ name: String, _ arguments: String...) async throws -> Command.Result {
            var command = FlowplayCommand.command(arguments + ["--stop-after", "0.1", "/no/such/file.mp4"])
            command.environment["FLOWPLAYER_ENGINE_NAME"] = name
            return try await command.run()
        }
        #expect(try await run("simulated").status == 0)
        let unknown = try await run("mpv")
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("FLOWPLAYER_ENGINE_NAME is mpv. There is no engine mpv. Choose one of: "))
        #expect(try await run("mpv", "--engine", "simulated").status == 0)
    }

    @Test(arguments: [
        ([], "at least one"), (["--volume", "101", "a"], "--volume"), (["--volume", "loud", "a"], "loud"),
        (["--rate", "0", "a"], "--rate"), (["--start", "1:99", "a"], "1:30"),
        (["--stop-after", "nan", "a"], "--stop-after"), (["--stop-after", "1e300", "a"], "1000000000"),
        (["--audio", "oss", "a"], "oss"), (["--engine", "mpv", "a"], "There is no engine mpv. Choose one of: "),
        (["--engine", "isolate", "a"], "simulated"),
        (["--isolate", "--engine", "simulated", "a"], "--isolate"), (["--json", "--log", "-", "a"], "--log"),
        (["--no-such-option", "a"], "--no-such-option"), (["-v", "a"], "no option -v"), (["-dash.mp4"], "./-dash.mp4"),
        ([""], "empty"), (["http://[bad"], "http://[bad"), (["http://"], "names no server"),
        (["http://host:99999/a"], "no port 99999"), (["file://host/a"], "names the server host"),
        (["--volume", "-1", "a"], "from 0 to 100"), (["--crossfade", "-1", "a"], "from 0 to 30"),
        (["--shuffle=x", "a"], "--shuffle=7"), (["--header", "X: a\r\nY: b", "a"], "X has a line break"),
        (["--user-agent", "a\nb", "a"], "--user-agent"),
        (["--engine", "simulated", "--log", "/no/such/folder/log", "a"], "/no/such/folder/log"),
    ])
    func wrongUsageSaysWhatIsWrong(arguments: [String], hint: String) async throws {
        let result = try await FlowplayCommand.command(arguments).run()
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }
}
