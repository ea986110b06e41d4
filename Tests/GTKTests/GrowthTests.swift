#if GTK
import Foundation
import TestSupport
import Testing

/// The memory of a window after many repetitions.
struct GrowthTests {
    @Test func longTitlesAreReleased() async throws {
        let desktop = try await GTKDesktop()
        let result = try await desktop.command(built: "gtk-program", ["growth", "/no/such/folder"]).run()
        #expect(try growth(result) < 1000)
    }

    @Test func droppedFoldersAreReleased() async throws {
        let desktop = try await GTKDesktop()
        let folder = try GTKDesktop.makeDirectory()
        defer { try? FileManager.default.removeItem(at: folder) }
        let clip = try await MediaFixtures.shared.long(seconds: 60)
        for name in ["1.mp4", "2.mp4"] { try FileManager.default.copyItem(at: clip, to: folder.appending(path: name)) }
        let result = try await desktop.command(built: "gtk-program", ["growth", folder.path()]).run()
        #expect(try growth(result) < 20_000)
    }

    /// The growth for each repetition, in bytes.
    private func growth(_ result: Command.Result) throws -> Int {
        let number = result.output.split(separator: " ").last.flatMap {
            Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return try #require(number, "\(result)")
    }
}
#endif
