import Foundation
import Testing

@Suite struct FlowplayUsageTests {
    @Test func helpShowsExamplesAndKeys() async throws {
        let result = try await FlowplayCommand.run("--help")
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        for text in ["EXAMPLES", "KEYS", "EXIT STATUS", "--stop-after", "--list-backends", "flowplay --start 90"] {
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

    @Test(arguments: [
        ([], "at least one"), (["--volume", "101", "a"], "--volume"), (["--volume", "loud", "a"], "loud"),
        (["--rate", "0", "a"], "--rate"), (["--start", "-1", "a"], "--start"),
        (["--stop-after", "nan", "a"], "--stop-after"),
        (["--audio", "oss", "a"], "oss"), (["--backend", "mpv", "a"], "mpv"), (["--json", "--log", "-", "a"], "--log"),
        (["--no-such-option", "a"], "--no-such-option"), ([""], "empty"), (["http://[bad"], "http://[bad"),
        (["--log", "/no/such/folder/log", "a"], "/no/such/folder/log"),
    ])
    func wrongUsageSaysWhatIsWrong(arguments: [String], hint: String) async throws {
        let result = try await FlowplayCommand.command(arguments).run()
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }
}
