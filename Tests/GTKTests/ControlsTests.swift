#if GTK
import FlowplayerFaults
import Foundation
import TestSupport
import Testing

/// Keys, mouse and screen reader control the player. The events of the program show the effect.
struct ControlsTests {
    /// The duration of the item in seconds. Longer than the tests, also on a busy machine.
    private static let clip = 1200.0

    @Test func everyKeyHasItsEffect() async throws {
        let desktop = try await GTKDesktop()
        let (program, window) = try await play(desktop)
        defer { program.signal(SIGKILL) }
        // The window manager gives the focus to a new window, but not at once.
        try await desktop.run("xdotool", ["windowfocus", "--sync", window.id])
        let keys: [(key: String, event: String)] = [
            ("space", "state pause"), ("k", "state play"), ("m", "mute true"), ("m", "mute false"),
            ("Down", "volume 0.95"), ("Up", "volume 1"), ("greater", "rate 1.25"), ("less", "rate 1"),
            // Shift makes the focus visible, but no control has it.
            ("space", "state pause"), ("space", "state play"),
            ("5", "seek seeking 600"), ("Left", "seek seeking"), ("Right", "seek seeking"), ("j", "seek seeking"),
            ("l", "seek seeking"), ("f", "flowplayerViewDidChangeFullscreen true"),
            ("Escape", "flowplayerViewDidChangeFullscreen false"),
        ]
        for (key, event) in keys {
            let before = try Self.lines(program, event)
            try await desktop.run("xdotool", ["key", key])
            #expect(try await eventually { try Self.lines(program, event) > before }, "\(key): \(event)")
        }
    }

    @Test func aScreenReaderFindsAndUsesEveryControl() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let (program, _) = try await play(desktop)
        defer { program.signal(SIGKILL) }
        // A paused player keeps its controls visible.
        let steps: [(action: String, name: String, event: String)] = [
            ("press", "Pause", "state pause"), ("press", "Mute", "mute true"), ("press", "Unmute", "mute false"),
            ("set 0.5", "Volume", "volume 0.5"), ("set 0.5", "Seek", "seek seeking 600"),
            ("press", "Full screen", "flowplayerViewDidChangeFullscreen true"),
            ("press", "Leave full screen", "flowplayerViewDidChangeFullscreen false"),
        ]
        for (action, name, event) in steps {
            let before = try Self.lines(program, event)
            try await desktop.accessible(action, name)
            #expect(try await eventually { try Self.lines(program, event) > before }, "\(name): \(event)")
        }
        #expect(try await eventually { try await desktop.accessible("value", "Volume") == "0.5" })
        #expect(try await eventually { try await desktop.accessible("value", "Seek") == "0.5" })
        try await desktop.accessible("press", "Picture in picture")
        _ = try #require(try await desktop.awaitWindow(titled: "Picture in picture"))
        try await desktop.accessible("press", "Leave picture in picture")
        #expect(try await eventually { try await desktop.window(titled: "Picture in picture") == nil })
        try await desktop.accessible("press", "Play")
        #expect(try await eventually { try Self.lines(program, "state play") == 2 })
        for name in ["Settings", "Speed", "1.5x"] { try await desktop.accessible("press", name) }
        #expect(try await eventually { try Self.lines(program, "rate 1.5") == 1 })
    }

    @Test func tracksAreSelectedInTheMenus() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let (program, window) = try await desktop.play(try await MediaFixtures.shared.tracks(seconds: 60), paused: true)
        defer { program.signal(SIGKILL) }
        for (menu, name, event) in [
            ("Audio", "Deutsch", "selectedAudio 2"), ("Subtitles", "deu", "selectedSubtitle 4"),
            ("Subtitles", "Off", "selectedSubtitle none"),
        ] {
            for name in ["Settings", menu, name] { try await desktop.accessible("press", name) }
            #expect(try await eventually { try Self.lines(program, event) == 1 }, "\(name): \(program.printed)")
        }
        // The keys select the next track.
        try await desktop.run("xdotool", ["windowfocus", "--sync", window.id])
        for (key, event) in [("a", "selectedAudio 1"), ("c", "selectedSubtitle 3")] {
            let before = try Self.lines(program, event)
            try await desktop.run("xdotool", ["key", key])
            #expect(try await eventually { try Self.lines(program, event) > before }, "\(key): \(program.printed)")
        }
    }

    @Test func aQualityIsSelectedInTheMenu() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let (program, _) = try await desktop.play(try await MediaFixtures.shared.variants(seconds: 120), paused: true)
        defer { program.signal(SIGKILL) }
        for (name, event) in [("180p", "quality sd144"), ("720p", "quality hd"), ("180p", "quality sd144")] {
            // The other quality is opened when the item plays.
            for name in ["Settings", "Quality", name, "Play"] { try await desktop.accessible("press", name) }
            let isShown = try await eventually {
                try program.outputSoFar.split(separator: "\n").last { $0.hasPrefix("quality") } == event[...]
            }
            #expect(isShown, "\(name): \(event), \(program.printed)")
            try await desktop.accessible("press", "Pause")
        }
    }

    @Test func theMouseUsesTheBar() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let (program, window) = try await play(desktop, paused: true)
        defer { program.signal(SIGKILL) }
        let click = { (name: String, fraction: Double, event: String) in
            let before = try Self.lines(program, event)
            let place = try await desktop.accessible("place", name).split(separator: " ").compactMap { Double($0) }
            let (x, y) = (window.x + Int(place[0] + place[2] * fraction), window.y + Int(place[1] + place[3] / 2))
            // A hand moves the pointer before it clicks.
            for step in [9, 6, 3, 0] { try await desktop.run("xdotool", ["mousemove", "\(x + step)", "\(y)"]) }
            try await desktop.run("xdotool", ["click", "1"])
            #expect(try await eventually { try Self.lines(program, event) > before }, "\(name): \(event)")
        }
        try await click("Play", 0.5, "state play")
        try await click("Pause", 0.5, "state pause")
        try await click("Mute", 0.5, "mute true")
        try await click("Volume", 0.3, "volume 0.")
        try await click("Seek", 0.5, "seek seeked")
        // The wheel over the video changes the volume, and a double click fills the screen.
        let middle = ["\(window.x + window.width / 2)", "\(window.y + window.height / 3)"]
        let volumes = try Self.lines(program, "volume 0.")
        try await desktop.run("xdotool", ["mousemove"] + middle + ["click", "5"])
        #expect(try await eventually { try Self.lines(program, "volume 0.") > volumes })
        try await desktop.run("xdotool", ["mousemove"] + middle + ["click", "--repeat", "2", "--delay", "50", "1"])
        #expect(try await eventually { try Self.lines(program, "flowplayerViewDidChangeFullscreen true") == 1 })
    }

    @Test func theMouseOpensAndClosesWindowsAndMenus() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let (program, window) = try await play(desktop, paused: true)
        defer { program.signal(SIGKILL) }
        let click = { (name: String) in
            let current = try #require(try await desktop.awaitWindow(titled: window.title))
            let place = try await desktop.place(of: name, in: current)
            try await desktop.point(to: place.x(at: 0.5), place.middle)
            try await desktop.run("xdotool", ["click", "1"])
        }
        for (name, isFull) in [("Full screen", true), ("Leave full screen", false)] {
            try await click(name)
            let event = "flowplayerViewDidChangeFullscreen \(isFull)"
            #expect(try await eventually { try Self.lines(program, event) == 1 }, "\(name)")
            let changes = try await eventually {
                try await (desktop.window(titled: window.title)?.width == 1280) == isFull
            }
            #expect(changes)
        }
        try await click("Picture in picture")
        #expect(try await desktop.awaitWindow(titled: "Picture in picture") != nil)
        try await click("Leave picture in picture")
        #expect(try await eventually { try await desktop.window(titled: "Picture in picture") == nil })
        try await click("Settings")
        try await desktop.accessible("appears", "Speed")
        try await desktop.run("xdotool", ["key", "Escape"])
        try await click("Play")
        #expect(try await eventually { try Self.lines(program, "state play") == 2 })
    }

    @Test func aClickOnABarThatHasJustAppearedIsNotLost() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try await MediaFixtures.shared.solid(colour: "red", size: "320x180", duration: Self.clip)
        let (program, window) = try await desktop.play(clip)
        defer { program.signal(SIGKILL) }
        let button = try await desktop.place(of: "Pause", in: window)
        let (x, y) = (button.x(at: 0.5), button.middle)
        try await desktop.point(to: window.x + window.width / 2, window.y + window.height / 3)
        // A visible bar is darker than the video.
        let isHidden = try await eventually { Colour(try desktop.screen.pixel(x: x, y: y - 12)) == .red }
        #expect(isHidden)
        // One motion and a click: the bar appears below the pointer, which does not move again.
        try await desktop.run("xdotool", ["mousemove", "\(x)", "\(y)", "click", "1"])
        #expect(try await eventually { try program.lines("state pause") == 1 })
    }

    @Test func theTabKeyReachesTheControls() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let (program, window) = try await play(desktop)
        defer { program.signal(SIGKILL) }
        try await desktop.run("xdotool", ["windowfocus", "--sync", window.id])
        var name = ""
        for _ in 0..<12 where name != "Mute" {
            let last = name
            try await desktop.run("xdotool", ["key", "Tab"])
            _ = try await eventually {
                name = try await desktop.accessible("focus", "")
                return name != last
            }
        }
        #expect(name == "Mute")
        // The space belongs to the button with the focus, and not to the player.
        try await desktop.run("xdotool", ["key", "space"])
        #expect(try await eventually { try Self.lines(program, "mute true") == 1 })
        try await desktop.run("xdotool", ["key", "Return"])
        #expect(try await eventually { try Self.lines(program, "mute false") == 1 })
        #expect(try Self.lines(program, "state pause") == 0)
        // After Escape the space belongs to the player again.
        try await desktop.run("xdotool", ["key", "Escape"])
        try await desktop.run("xdotool", ["key", "space"])
        #expect(try await eventually { try Self.lines(program, "state pause") == 1 })
    }

    @Test func theListOfKeysIsShownAndHidden() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let (program, window) = try await play(desktop)
        defer { program.signal(SIGKILL) }
        try await desktop.run("xdotool", ["windowfocus", "--sync", window.id])
        for (key, change) in [
            ("question", "appears"), ("Escape", "disappears"), ("question", "appears"), ("question", "disappears"),
        ] {
            try await desktop.run("xdotool", ["key", key])
            try await desktop.accessible(change, "Show these keys")
        }
    }

    @Test func theTabKeyShowsTheBar() async throws {
        let desktop = try await GTKDesktop()
        // Longer than the wait: at its end the bar would show itself.
        let clip = try await MediaFixtures.shared.solid(colour: "red", size: "320x180", duration: 600)
        let (program, window) = try await desktop.play(clip)
        defer { program.signal(SIGKILL) }
        try await desktop.run("xdotool", ["windowfocus", "--sync", window.id])
        let isDark = { try desktop.colour(window, 0.5, 0.96) != .red }
        #expect(try await eventually { try !isDark() })
        try await desktop.run("xdotool", ["key", "Tab", "key", "Tab"])
        #expect(try await eventually { try isDark() })
    }

    @Test func aFailedItemCanBeTriedAgain() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let file = try GTKDesktop.makeDirectory().appending(path: "late.mp4")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let program = try await desktop.command(built: "gtk-program", ["play", file.path()]).start()
        defer { program.signal(SIGKILL) }
        #expect(try await eventually { try Self.lines(program, "state failure") == 1 })
        try await desktop.accessible("label", "There is no such file. Check the path and its spelling.")
        try await desktop.accessible("press", "Retry")
        #expect(try await eventually { try Self.lines(program, "state failure") == 2 })
        try FileManager.default.copyItem(at: try await Self.longClip(), to: file)
        let window = try #require(try await desktop.awaitWindow(titled: "late.mp4"))
        let button = try await desktop.place(of: "Retry", in: window)
        try await desktop.point(to: button.x(at: 0.5), button.middle)
        try await desktop.run("xdotool", ["click", "1"])
        #expect(try await eventually { try Self.lines(program, "state play") > 0 })
    }

    @Test func anItemOfADeadServerCanBeTriedAgain() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try Data(contentsOf: try await Self.longClip())
        let server = try await FaultServer.start(serving: ["/clip.mp4": clip])
        await server.stop()
        let address = server.url(for: "/clip.mp4").absoluteString
        let program = try await desktop.command(built: "gtk-program", ["play", address]).start()
        defer { program.signal(SIGKILL) }
        #expect(try await eventually { try Self.lines(program, "error connectionRefused") == 1 }, "\(program.printed)")
        try await desktop.accessible("press", "Retry")
        #expect(try await eventually { try Self.lines(program, "state failure") == 2 }, "\(program.printed)")
        try await server.restart()
        try await desktop.accessible("press", "Retry")
        #expect(try await eventually { try Self.lines(program, "state play") > 0 }, "\(program.printed)")
        try await desktop.accessible("disappears", "Retry")
        await server.stop()
    }

    @Test func hostileTitlesAreText() async throws {
        let desktop = try await GTKDesktop()
        let result = try await desktop.command(built: "gtk-program", ["titles"]).run()
        #expect(result.output == "survived\n")
        #expect(result.status == 0)
        #expect(!result.errors.contains("CRITICAL") && !result.errors.contains("markup"), "\(result.errors)")
    }

    @Test func droppedFilesAndFoldersPlay() async throws {
        let desktop = try await GTKDesktop()
        let folder = try GTKDesktop.makeDirectory()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "empty"), withIntermediateDirectories: true)
        let clip = try await Self.longClip()
        try FileManager.default.copyItem(at: clip, to: folder.appending(path: "clip.mp4"))
        let result = try await desktop.command(built: "gtk-program", ["files", folder.path()]).run()
        #expect(
            result.output == "files 1000\nmessage There is nothing to play.\nfolder 1\n", "\(result.errors)")
    }

    private func play(_ desktop: GTKDesktop, paused: Bool = false) async throws -> (RunningCommand, GTKDesktop.Window) {
        try await desktop.play(try await Self.longClip(), paused: paused)
    }

    private static func longClip() async throws -> URL {
        try await MediaFixtures.shared.solid(colour: "black", duration: clip)
    }

    private static func lines(_ program: RunningCommand, _ text: String) throws -> Int { try program.lines(text) }
}
#endif
