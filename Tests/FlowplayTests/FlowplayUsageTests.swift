import Foundation
import Testing

@Suite struct FlowplayUsageTests {
    @Test func helpShowsExamplesAndKeys() async throws {
        let result = try await FlowplayCommand.run("--help")
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        for text in ["EXAMPLES", "KEYS", "EXIT STATUS", "--stop-after", "--list-backends", "flowplay --start 1:30"] {
            #expect(result.output.contains(text), "\(text) is missing")
        }
    }

    @Test func theVersionIsTold() async throws {
        let result = try await FlowplayCommand.run("--version")
        #expect(result.status == 0)
        #expect(result.output.wholeMatch(of: /flowplay \d+\.\d+\.\d+\n/) != nil)
    }

    @Test func theBackendsAreListed() async throws {
        let result = try await FlowplayCommand.run("--list-backends")
        #expect(result.status == 0)
        let names = result.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(names.contains("simulated"))
        #if VLC
        #expect(names.contains("vlc"))
        #endif
    }

    @Test func theSimulatedBackendIsUsedOnlyWhenAskedFor() async throws {
        let asked = try await FlowplayCommand.run("--backend", "simulated", "--stop-after", "0.1", "/no/such/file.mp4")
        #expect(asked.status == 0)
        #expect(asked.output.hasPrefix("load\t0:00\tfile.mp4\n"))
    }

    @Test(arguments: [
        ([], "at least one"), (["--volume", "101", "a"], "--volume"), (["--volume", "loud", "a"], "loud"),
        (["--rate", "0", "a"], "--rate"), (["--start", "1:99", "a"], "1:30"),
        (["--stop-after", "nan", "a"], "--stop-after"),
        (["--audio", "oss", "a"], "oss"), (["--backend", "mpv", "a"], "mpv"),
        (["--isolate", "--backend", "simulated", "a"], "--isolate"), (["--json", "--log", "-", "a"], "--log"),
        (["--no-such-option", "a"], "--no-such-option"), (["-v", "a"], "no option -v"), (["-dash.mp4"], "./-dash.mp4"),
        ([""], "empty"), (["http://[bad"], "http://[bad"),
        (["--backend", "simulated", "--log", "/no/such/folder/log", "a"], "/no/such/folder/log"),
    ])
    func wrongUsageSaysWhatIsWrong(arguments: [String], hint: String) async throws {
        let result = try await FlowplayCommand.command(arguments).run()
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }
}
