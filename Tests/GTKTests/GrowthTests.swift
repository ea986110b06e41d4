#if GTK
import Foundation
import TestSupport
import Testing

/// The memory of a window after many repetitions.
struct GrowthTests {
    @Test func longTitlesAreReleased() async throws {
        let desktop = try await GTKDesktop(usesOpenGL: true)
        let result = try await desktop.command(built: "gtk-program", ["growth", "/no/such/folder"]).run()
        #expect(try growth(result) < 1000)
    }

    @Test func droppedFoldersAreReleased() async throws {
        let desktop = try await GTKDesktop(usesOpenGL: true)
        let folder = try GTKDesktop.makeDirectory()
        defer { try? FileManager.default.removeItem(at: folder) }
        let clip = try await MediaFixtures.shared.long(seconds: 60)
        for name in ["1.mp4", "2.mp4"] { try FileManager.default.copyItem(at: clip, to: folder.appending(path: name)) }
        let result = try await desktop.command(built: "gtk-program", ["growth", folder.path()]).run()
        #expect(try growth(result) < 20_000)
    }

    @Test func sizesAreReleased() async throws {
        let isLong = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] != nil
        let desktop = try await GTKDesktop(usesOpenGL: true)
        let clip = try await MediaFixtures.shared.solid(colour: "red", size: "320x180", duration: 3600)
        let (program, window) = try await desktop.play(clip)
        defer { program.signal(SIGKILL) }
        // The first sizes fill caches.
        try await resize(window, of: desktop, rounds: isLong ? 3 : 1, sizes: isLong ? 1000 : 250)
        let before = try await bytes(of: program, window, desktop)
        try await resize(window, of: desktop, rounds: isLong ? 20 : 2, sizes: isLong ? 1000 : 250)
        // GTK releases a part of the memory some frames later. Frames and textures that are in use differ by some millions.
        // 80 lost frames would have 18 million bytes.
        var after = 0
        let isReleased = try await eventually {
            after = try await bytes(of: program, window, desktop)
            return after - before < 12_000_000
        }
        #expect(isReleased, "\(before) \(after)")
    }

    /// Resizes a window that plays, and waits until it has painted its last size.
    ///
    /// - Parameters:
    ///   - rounds: each has sizes as fast as the X server takes them, of which the window sees a part, and 40 that it reaches one by
    ///     one.
    ///   - sizes: the number of the fast ones.
    private func resize(_ window: GTKDesktop.Window, of desktop: GTKDesktop, rounds: Int, sizes: Int) async throws {
        for round in 0..<rounds {
            let fast = (0..<sizes).flatMap { step in
                ["windowsize", window.id, "\(1 + (step * 37 + round) % 1200)", "\(1 + step * 53 % 700)"]
            }
            let single = (0..<40).flatMap { step in
                ["windowsize", "--sync", window.id, "\(500 + step * 37 % 700)", "\(300 + step * 53 % 400)"]
            }
            try await desktop.run("xdotool", fast + single)
        }
        try await desktop.run("xdotool", ["windowsize", "--sync", window.id, "801", "451"])
        // The window manager has moved the window.
        let isRed = try await eventually {
            guard let current = try await desktop.window(titled: window.title), current.width == 801 else {
                return false
            }
            return try desktop.colour(current, 0.98, 0.5) == .red
        }
        try #require(isRed)
    }

    /// The bytes that the program of a window uses, while paused.
    private func bytes(of program: RunningCommand, _ window: GTKDesktop.Window, _ desktop: GTKDesktop) async throws
        -> Int
    {
        let press = { (key: String, line: String) in
            let before = try program.lines(line)
            try await desktop.run("xdotool", ["windowfocus", "--sync", window.id, "key", key])
            try #require(try await eventually { try program.lines(line) > before }, "\(program.printed)")
        }
        try await press("space", "state pause")
        try await press("y", "bytes")
        let line = try #require(try program.outputSoFar.split(separator: "\n").last { $0.hasPrefix("bytes") })
        try await press("space", "state play")
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
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
