import EventLog
import Foundation
import TestSupport
import Testing

@testable import flowplay

/// Several media, playlists and folders on the command line.
@Suite struct FlowplayQueueTests {
    private func folder(_ files: [String: String]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "flowplay-queue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        return folder
    }

    private func run(_ arguments: String..., in folder: URL) async throws -> (Command.Result, [String]) {
        let result = try await FlowplayCommand.command(
            ["--json", "--engine", "simulated", "--rate", "4"] + arguments, in: folder
        ).run()
        return (result, try names(in: result.output))
    }

    /// Plays the first items, and ends by a signal.
    private func run(_ arguments: String..., in folder: URL, upTo count: Int) async throws -> [String] {
        let options = ["--json", "--engine", "simulated", "--rate", "4"]
        let result = try await FlowplayCommand.run(options + arguments, in: folder) { host in
            try host.outputSoFar.matches(of: /"event":"media"/).count >= count
        }
        #expect(result.status == 143)
        return Array(try names(in: result.output).prefix(count))
    }

    private func names(in log: String) throws -> [String] {
        try EventLogReader.entries(in: log).compactMap { entry -> String? in
            let url = entry.event.name == "media" ? entry.event.url : nil
            return url.map { URL(filePath: $0).lastPathComponent }
        }
    }

    @Test func subfoldersAreReadOnRequest() async throws {
        let folder = try folder([:])
        defer { try? FileManager.default.removeItem(at: folder) }
        let inner = folder.appending(path: "album/disc")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data().write(to: inner.appending(path: "a.mp3"))
        let (refused, _) = try await run("album", in: folder)
        #expect(refused.status == 3)
        #expect(refused.errors.contains("--recursive"))
        let (result, names) = try await run("--recursive", "album", in: folder)
        #expect(result.status == 0)
        #expect(names == ["a.mp3"])
    }

    @Test func aPlaylistPlaysAndSaysWhatIsWrongWithIt() async throws {
        let folder = try folder([
            "list.m3u": "#EXTM3U\n#EXTINF:1,One\na.mp3\nC:\\b.mp3\n#EXTVLCOPT:no-audio\nc.mp3\n", "a.mp3": "",
            "c.mp3": "",
        ])
        defer { try? FileManager.default.removeItem(at: folder) }
        let (result, names) = try await run("list.m3u", in: folder)
        #expect(result.status == 0)
        #expect(names == ["a.mp3", "c.mp3"])
        #expect(result.errors.contains("list.m3u: line 4: The path is that of a Windows drive."), "\(result.errors)")
        #expect(result.errors.contains("line 5: Options in a playlist are not honoured."))
    }

    @Test func aFolderPlaysInTheOrderOfItsNames() async throws {
        let folder = try folder(["10.mp3": "", "9.mp3": "", "1.flac": "", "cover.jpg": "", ".hidden.mp3": ""])
        defer { try? FileManager.default.removeItem(at: folder) }
        let (result, names) = try await run(".", in: folder)
        #expect(result.status == 0)
        #expect(names == ["1.flac", "9.mp3", "10.mp3"])
    }

    @Test func aSeedGivesTheSameOrderEachTime() async throws {
        let files = Dictionary(uniqueKeysWithValues: (1...6).map { ("\($0).mp3", "") })
        let folder = try folder(files)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try await run("--shuffle", "5", "--repeat", "all", ".", in: folder, upTo: 4)
        let second = try await run("--shuffle=5", "--repeat", "all", ".", in: folder, upTo: 4)
        #expect(Set(first).count == 4)
        #expect(first == second)
        #expect(first != first.sorted())
    }

    @Test func oneIsRepeated() async throws {
        let folder = try folder(["a.mp3": "", "b.mp3": ""])
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = try await run("--repeat", "one", "a.mp3", "b.mp3", in: folder, upTo: 3)
        #expect(names == ["a.mp3", "a.mp3", "a.mp3"])
    }

    @Test(arguments: ["gone.m3u", "empty.m3u", "noise.pls"])
    func aListThatIsNoneSaysSo(name: String) async throws {
        let folder = try folder(["empty.m3u": "#EXTM3U\n", "noise.pls": "\u{1}\u{2}\u{3}", "a.mp3": ""])
        defer { try? FileManager.default.removeItem(at: folder) }
        let (alone, _) = try await run(name, in: folder)
        #expect(alone.status == 3)
        #expect(alone.errors.contains("\(name): "), "\(alone.errors)")
        let (beside, names) = try await run(name, "a.mp3", in: folder)
        #expect(beside.status == 3 && names == ["a.mp3"], "what can be played is")
    }

    @Test(arguments: [
        (["--shuffle", "7", "a.mp3"], ["--shuffle", "--shuffle-seed", "7", "a.mp3"]),
        (["--shuffle", "a.mp3"], ["--shuffle", "a.mp3"]), (["--shuffle=9"], ["--shuffle", "--shuffle-seed", "9"]),
        (["--shuffle", "8"], ["--shuffle", "8"]), (["a", "--", "--shuffle", "7"], ["a", "--", "--shuffle", "7"]),
        (["--shuffle"], ["--shuffle"]),
    ])
    func aSeedIsANumberThatIsNoFile(given: [String], meant: [String]) throws {
        #expect(try ArgumentList.expandShuffle(in: given, fileExists: { $0 == "8" }) == meant)
    }

    @Test(arguments: [["--crossfade", "-1"], ["--repeat", "twice"], ["--shuffle=x"]])
    func wrongUsageSaysWhatIsWrong(options: [String]) async throws {
        let result = try await FlowplayCommand.command(options + ["--engine", "simulated", "a.mp3"]).run()
        #expect(result.status == 2 && result.output.isEmpty && !result.errors.isEmpty)
    }
}
