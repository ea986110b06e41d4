import Foundation
import TestSupport
import Testing

/// The code that the articles show is code that is compiled.
@Suite struct ArticleTests {
    private static let sources = ["Tests/FirstPlayer/FirstPlayer.swift", "Tests/GuideTests/Snippets.swift"]

    @Test func everyBlockOfSwiftStandsWordForWordInASource() throws {
        let sources = try Self.sources.map { try Article.source($0) }
        let names = try Article.names
        #expect(names.contains("YourFirstPlayer"))
        for name in names {
            for block in try Article(name).blocks("swift")
            where block.first?.hasPrefix("// swift-tools-version") != true {
                #expect(sources.contains { $0.holds(block) }, "\(name): \(block.joined(separator: "\n"))")
            }
        }
    }

    @Test func theGuideToTheBackgroundShowsTheSampleAndWhatIsCompiled() throws {
        let sources = try ["Samples/Background/Background.swift", "Tests/GuideTests/BackgroundSnippets.swift"].map {
            try Article.source($0)
        }
        let blocks = try Article("BackgroundPlayback", in: Article.guides).blocks("swift")
        #expect(blocks.count > 5)
        for block in blocks {
            #expect(sources.contains { $0.holds(block) }, "\(block.joined(separator: "\n"))")
        }
    }

    @Test func theGuideToVideoShowsTheSampleAndWhatIsCompiled() throws {
        let sources = try [
            "Samples/GTKPlayer/GTKPlayer.swift", "Samples/Kiosk/Kiosk.swift", "Samples/Thumbnails/Thumbnails.swift",
            "Tests/GuideTests/ShowingVideoSnippets.swift",
        ].map { try Article.source($0) }
        let blocks = try Article("ShowingVideo", in: Article.guides).blocks("swift")
        #expect(blocks.count == 8)
        for block in blocks {
            #expect(sources.contains { $0.holds(block) }, "\(block.joined(separator: "\n"))")
        }
    }

    @Test(arguments: [
        ("AudioFocus", 6), ("ChoosingAnEngine", 2), ("Controls", 5), ("Faults", 7), ("Isolation", 2),
        ("RemoteControl", 5), ("Security", 2), ("Seeking", 6), ("Statistics", 3), ("Thumbnails", 2),
        ("WritingABackend", 8),
    ])
    func aGuideShowsWhatIsCompiled(name: String, count: Int) throws {
        let source = try Article.source("Tests/GuideTests/\(name)Snippets.swift")
        let blocks = try Article(name, in: Article.guides).blocks("swift")
        #expect(blocks.count >= count)
        for block in blocks { #expect(source.holds(block), "\(block.joined(separator: "\n"))") }
    }

    /// A block of language `diff` is a host before and after. The host after the migration is compiled.
    @Test(arguments: ["FromFlowplayerApple", "FromAVPlayer", "FromLibVLC"])
    func aMigrationGuideShowsCompiledHosts(name: String) throws {
        let sources = try ["MigrationSnippets", "MigratedHost", "MigratedAVPlayerHost"].map {
            try Article.source("Tests/GuideTests/\($0).swift")
        }
        let article = try Article(name, in: Article.guides.appending(path: "Migrating"))
        let hosts = article.blocks("diff").map { host in
            host.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst()) }
        }
        let blocks = article.blocks("swift") + hosts
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(sources.contains { $0.holds(block) }, "\(name): \(block.joined(separator: "\n"))")
        }
    }

    @Test func theManifestOfTheTutorialIsOne() async throws {
        let manifest = try #require(
            try Article("YourFirstPlayer").blocks("swift").first {
                $0.first?.hasPrefix("// swift-tools-version") == true
            })
        let folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(manifest.joined(separator: "\n").utf8).write(to: folder.appending(path: "Package.swift"))
        let result = try await Command("swift", ["package", "--package-path", folder.path(), "dump-package"]).run()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("\"FlowplayerSDK\""))
    }

    #if VLC
    @Test func theProgramOfTheTutorialTellsTheStoryOfTheTutorial() async throws {
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

extension [String] {
    /// `true` if these lines follow each other here, with any indentation.
    fileprivate func holds(_ block: [String]) -> Bool {
        func trimmed(_ line: String) -> String { line.trimmingCharacters(in: .whitespaces) }
        let wanted = block.map(trimmed)
        let lines = map(trimmed)
        return lines.indices.contains { lines[$0...].starts(with: wanted) }
    }
}
