import Foundation
import TestSupport
import Testing

/// The code that the documents show is code that is compiled. `Scripts/check-documents` runs the commands.
@Suite struct ArticleTests {
    @Test(arguments: Article.documents)
    func theSwiftCodeOfADocumentIsCompiled(document: String) throws {
        for block in try Article(document).code {
            #expect(Article.isCompiled(block), "\(document): \(block.joined(separator: "\n"))")
        }
    }

    @Test func allDocumentsAreFound() throws {
        let documents = Article.documents
        for name in ["README.md", "Docs/Queues.md", "Docs/Migrating/FromAVPlayer.md", "Samples/README.md"] {
            #expect(documents.contains(name))
        }
        #expect(try documents.map { try Article($0).code.count }.reduce(0, +) > 100)
        #expect(!Article.isCompiled(["this is no code"]))
    }

    @Test func allNoticesAreListed() throws {
        let guide = try Article.source("Docs/Errors.md").joined()
        let codes = Article.swiftFiles(in: ["Sources", "Plugins"]).flatMap { file in
            file.matches(of: /(?:PlaybackNotice\(\s*code: |warn\()"(\w+)"/).map { String($0.1) }
        }
        #expect(Set(codes).count > 30)
        for code in codes { #expect(guide.contains("`\(code)`")) }
    }

    @Test(arguments: try Article.documents.filter { try !Article($0).manifests.isEmpty })
    func theManifestOfADocumentIsOne(document: String) async throws {
        let manifest = try #require(try Article(document).manifests.first)
        let folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(manifest.joined(separator: "\n").utf8).write(to: folder.appending(path: "Package.swift"))
        let result = try await Command("swift", ["package", "--package-path", folder.path(), "dump-package"]).run()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("\"FlowplayerSDK\""))
    }

    #if VLC
    @Test func theProgramOfTheTutorialPrintsItsOutput() async throws {
        let story = try #require(try Article("YourFirstPlayer").blocks("console").last).filter {
            !$0.hasPrefix("$")
        }
        #expect(story.count > 5)
        let result = try await firstPlayer(MediaFixtures.shared.tracks(seconds: 4).path())
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n").map { line in
            // The middle is that of the audio, which is a little longer than the video.
            String(line).replacing(/2\.\d+/, with: "2.0")
        }
        #expect(lines == story)
        let failure = try await firstPlayer("/no/such/film.mkv")
        #expect(failure.status == 1)
        #expect(failure.output.contains("There is no such file."))
    }

    @Test func theVariableNamesTheEngineOfAHostWithoutAnOption() async throws {
        let unknown = try await firstPlayer("/no/such/film.mkv", engine: "mpv")
        #expect(unknown.status == 1)
        #expect(unknown.output.contains("FLOWPLAYER_ENGINE_NAME is mpv. There is no engine mpv. Choose one of: auto, "))
        let isolated = try await firstPlayer("/no/such/film.mkv", engine: "isolated")
        #expect(isolated.output.contains("There is no such file."))
    }

    private func firstPlayer(_ path: String, engine: String = "") async throws -> Command.Result {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var command = Command(
            URL(filePath: tests).deletingLastPathComponent().appending(path: "first-player").path(), [path])
        command.environment = [
            "PULSE_SERVER": "unix:/no/such/socket", "DISPLAY": "", "WAYLAND_DISPLAY": "",
            "FLOWPLAYER_ENGINE_NAME": engine,
        ]
        return try await command.run()
    }
    #endif
}
