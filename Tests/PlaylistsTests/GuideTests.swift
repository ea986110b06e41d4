import Foundation
import Playback
import Playlists
import Testing

@MainActor
private func play(_ url: URL, with backend: any PlaybackBackend) async throws -> QueuePlayer {
    let playlist = try await Playlist.load(url)
    for problem in playlist.problems { print(problem) }
    let player = QueuePlayer(items: playlist.items, backend: backend)
    return player
}

/// The code that the guide shows is code that is compiled.
@Suite struct PlaylistGuideTests {
    @Test func theGuideShowsWhatIsCompiled() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let guide = try String(contentsOf: root.appending(path: "Docs/Playlists.md"), encoding: .utf8)
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let lines = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let blocks = guide.matches(of: /```swift\n([^`]+)\n```/).map {
            $0.output.1.split(separator: "\n").map(String.init)
        }
        #expect(blocks.count == 1)
        for block in blocks { #expect(lines.indices.contains { lines[$0...].starts(with: block) }) }
    }
}
