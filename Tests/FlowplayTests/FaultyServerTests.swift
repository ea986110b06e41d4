import Foundation
import TestSupport
import Testing

/// `faulty-server`, as a shell and a person see it.
@Suite struct FaultyServerTests {
    /// The answer's status and body, and curl's exit code.
    private func get(_ url: String) async throws -> (code: Int32, output: String) {
        let arguments = ["--silent", "--noproxy", "*", "--write-out", " %{http_code} %{size_download}", url]
        let result = try await Command("curl", arguments + ["--max-time", "120"]).run()
        return (result.status, result.output)
    }

    private func folder() async throws -> URL {
        let folder = MediaFixtures.shared.directory.appending(path: "faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("0123456789".utf8).write(to: folder.appending(path: "clip.mp4"))
        try Data("#EXTM3U\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n".utf8).write(to: folder.appending(path: "clip.m3u8"))
        try Data("segment".utf8).write(to: folder.appending(path: "a.ts"))
        return folder
    }

    @Test func aPersonStartsItAsksItAndEndsItWithCtrlC() async throws {
        let folder = try await folder()
        let terminal = try await TerminalSession(columns: 150, rows: 100)
        try await terminal.enter("\(FlowplayCommand.server) --port 0 \(folder.path()); echo ended with $?")
        #expect(try await terminal.shows("Serving 3 files. Ctrl-C ends it."))
        let screen = try await terminal.screen
        let base = try #require(screen.firstMatch(of: /(http:\/\/127\.0\.0\.1:\d+)\/none\//)).1
        for text in [
            "\(base)/hang-mid-body@1/clip.mp4 ", "404 Not Found", "\(base)/live=3/clip.m3u8 ",
            "\(base)/status=404@segment2/clip.m3u8 ", "https://127.0.0.1:", "/tls-expired/clip.mp4",
        ] {
            #expect(screen.contains(text), "\(text) is missing: \(screen)")
        }
        #expect(try await get("\(base)/none/clip.mp4") == (0, "0123456789 200 10"))
        #expect(try await get("\(base)/clip.mp4") == (0, "0123456789 200 10"))
        #expect(try await get("\(base)/close-mid-body/clip.mp4") == (18, "01234 200 5"))
        #expect(try await get("\(base)/live=3/a.ts") == (0, "segment 200 7"))
        let mistyped = try await get("\(base)/hang-mid-bod/clip.mp4")
        #expect(
            mistyped.output.hasPrefix("There is no file /hang-mid-bod/clip.mp4. There is no fault \"hang-mid-bod\"."))
        #expect(try await terminal.shows("3 GET /clip.mp4 close-mid-body"))
        #expect(try await terminal.shows("3 200, 5 bytes, closed"))
        try await terminal.press("C-c")
        #expect(try await terminal.shows("ended with 0"))
        #expect(try await get("\(base)/clip.mp4").code == 7)
    }

    @Test func theSampleClipIsServedByDefaultAndSigtermEndsIt() async throws {
        let reported = try await MediaFixtures.shared.bytes("faults-by-default.txt", Data())
        let script = #"exec "$0" --port 0 > "$1""#
        let server = try await Command("bash", ["-c", script, FlowplayCommand.server, reported.path()]).start()
        func output() throws -> String { try String(contentsOf: reported, encoding: .utf8) }
        #expect(try await eventually { try output().contains("Ctrl-C ends it.") })
        server.signal(SIGTERM)
        let result = try await server.result
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(try output().contains("/status=404/sample.mp4 "))
        #expect(try output().contains("Serving 1 file. Without an HLS playlist, the HLS faults are not listed."))
        #expect(try !output().contains("HLS: "))
    }

    @Test func theFaultsAreListed() async throws {
        let result = try await FlowplayCommand.runServer("--list")
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count > 40)
        #expect(lines.allSatisfy { $0.contains(/^\S+  +\S.*$/) })
        #expect(lines.contains { $0.hasPrefix("hang-mid-body ") })
        #expect(lines.contains { $0.hasPrefix("live-stalls=3,4 ") })
    }

    @Test(arguments: [
        (["--port", "70000"], "--port takes a number from 0 to 65535"), (["--port", "x"], "'x'"),
        (["/no/such/folder"], "/no/such/folder does not exist. Name a folder or a file."), ([""], "empty"),
        (["a", "b"], "b"), (["--no-such-option"], "--no-such-option"),
    ])
    func wrongUsageSaysWhatIsWrong(arguments: [String], hint: String) async throws {
        let result = try await FlowplayCommand.runServer(arguments)
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }

    @Test func anEmptyFolderAndAPortInUseAreSaid() async throws {
        let empty = try await folder().appending(path: "empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let nothing = try await FlowplayCommand.runServer("--port", "0", empty.path())
        #expect(nothing.status == 2)
        #expect(nothing.errors.contains("There is no file in"))
        let other = try await LoopbackServer(files: try await folder())
        let port = try #require(other.base.port)
        let taken = try await FlowplayCommand.runServer("--port", "\(port)")
        #expect(taken.status == 2)
        #expect(taken.errors.contains("Port \(port) is in use"), "\(taken.errors)")
        #expect(try await get("\(other.base.absoluteString)/clip.mp4").output == "0123456789 200 10")
    }

    @Test func helpShowsExamples() async throws {
        let help = try await FlowplayCommand.runServer("--help")
        #expect(help.status == 0)
        for text in ["EXAMPLES", "ADDRESSES", "--port", "--list", "EXIT STATUS"] {
            #expect(help.output.contains(text), "\(text) is missing")
        }
    }
}
