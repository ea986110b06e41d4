#if GTK
import Foundation
import TestSupport
import Testing

/// Picture in picture.
struct SmallWindowTests {
    @Test func theSmallWindowIsAboveTheOthersAndHasKeys() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await MediaFixtures.shared.solid(colour: "blue", size: "320x240", duration: 60)
        let program = try await desktop.command(built: "gtk-program", ["play", clip.path()]).start()
        defer { program.signal(SIGKILL) }
        try #require(try await eventually { try program.outputSoFar.contains("state play\n") })
        let main = try #require(try await desktop.awaitWindow(titled: clip.lastPathComponent))
        #expect(try await eventually { try desktop.colour(main, 0.5, 0.2) == .blue })
        try await desktop.run("xdotool", ["windowfocus", "--sync", main.id, "key", "p"])
        let small = try #require(try await desktop.awaitWindow(titled: "Picture in picture"))
        // 4:3, as the video.
        #expect(small.width == 360 && small.height == 270)
        #expect(
            try await eventually {
                try await desktop.run("xprop", ["-id", small.id, "_NET_WM_STATE"]).output.contains("ABOVE")
            })
        #expect(try await eventually { try desktop.colour(small, 0.5, 0.3) == .blue })
        #expect(try await eventually { try desktop.colour(main, 0.5, 0.2) == .blue })

        // The video stays visible, so a minimised main window does not pause it.
        try await desktop.run("xdotool", ["windowminimize", main.id])
        #expect(try await eventually { try program.outputSoFar.contains("flowplayerApplicationDidEnterBackground") })
        #expect(try await eventually { try desktop.colour(small, 0.5, 0.3) == .blue })
        #expect(try !program.outputSoFar.contains("state pause"))

        try await desktop.run("xdotool", ["windowfocus", "--sync", small.id, "key", "space"])
        #expect(try await eventually { try program.outputSoFar.contains("state pause\n") })
        try await desktop.run("xdotool", ["key", "p"])
        #expect(try await eventually { try await desktop.window(titled: "Picture in picture") == nil })
    }

    @Test func theButtonsOfTheSmallWindowAreFoundWithoutAPointer() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try await MediaFixtures.shared.solid(colour: "blue", duration: 1200)
        let (program, main) = try await desktop.play(clip)
        defer { program.signal(SIGKILL) }
        try await desktop.run("xdotool", ["mousemove", "1270", "10", "windowfocus", "--sync", main.id, "key", "p"])
        let small = try #require(try await desktop.awaitWindow(titled: "Picture in picture"))
        try await desktop.accessible("press", "Pause", small: true)
        #expect(try await eventually { try program.lines("state pause") == 1 })
        // The buttons are at the lower edge, and appear with the focus.
        let isBlue = { try desktop.colour(small, 0.5, 0.88) == .blue }
        #expect(try await eventually { try isBlue() })
        try await desktop.run("xdotool", ["windowfocus", "--sync", small.id, "key", "Tab"])
        #expect(try await eventually { try !isBlue() })
        try await desktop.accessible("press", "Leave picture in picture", small: true)
        #expect(try await eventually { try await desktop.window(titled: "Picture in picture") == nil })
    }
}

extension GTKDesktop {
    /// Waits for a window with a title.
    func awaitWindow(titled title: String) async throws -> Window? {
        var window: Window?
        _ = try await eventually {
            window = try await self.window(titled: title)
            return window != nil
        }
        return window
    }
}
#endif
