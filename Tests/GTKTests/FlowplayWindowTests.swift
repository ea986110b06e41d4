#if GTK
import Foundation
import TestSupport
import Testing

/// `flowplay` in a window of GTK.
struct FlowplayWindowTests {
    /// A red clip that is longer than the tests.
    private func clip() async throws -> URL {
        try await MediaFixtures.shared.solid(colour: "red", size: "320x180", duration: 120)
    }

    private func start(_ desktop: GTKDesktop, _ arguments: String...) async throws -> RunningCommand {
        try await desktop.command(built: "flowplay", ["--audio", "none"] + arguments).start()
    }

    /// Waits for a red window with a title.
    private func redWindow(_ desktop: GTKDesktop, titled title: String) async throws -> GTKDesktop.Window {
        var window: GTKDesktop.Window?
        let isRed = try await eventually {
            window = try await desktop.window(titled: title)
            guard let window else { return false }
            return try desktop.colour(window, 0.5, 0.5) == .red
        }
        return try #require(isRed ? window : nil, "there is no red window \(title)")
    }

    private func focus(_ desktop: GTKDesktop, _ window: GTKDesktop.Window) async throws {
        // Unlike windowfocus, this waits until the window manager knows the focus, which it needs for its own keys.
        try await desktop.run("xdotool", ["windowactivate", "--sync", window.id])
    }

    @Test func theDefaultIsAWindowWithTheNameOfTheItem() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await clip()
        let program = try await start(desktop, "--json", clip.path())
        defer { program.signal(SIGKILL) }
        let window = try await redWindow(desktop, titled: clip.lastPathComponent)
        try await focus(desktop, window)
        try await desktop.run("xdotool", ["key", "m"])
        #expect(try await eventually { try program.outputSoFar.contains(#""event":"mute""#) })
        // The window manager closes the window as a user does.
        // On a busy machine openbox misses keys that follow each other closely.
        let isClosed = try await eventually {
            try await desktop.run("xdotool", ["key", "alt+F4"])
            return try await desktop.window(titled: clip.lastPathComponent) == nil
        }
        #expect(isClosed)
        let result = try await program.result
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("\n") && result.output.contains(#""state":"idle""#), "\(result.output)")
    }

    @Test func qAndCtrlCEndTheProgram() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await clip()
        for (signal, status) in [(SIGINT, 130), (nil, 0)] as [(Int32?, Int32)] {
            let program = try await start(desktop, "--view", "gtk", clip.path())
            let window = try await redWindow(desktop, titled: clip.lastPathComponent)
            if let signal {
                program.signal(signal)
            } else {
                try await focus(desktop, window)
                try await desktop.run("xdotool", ["key", "q"])
            }
            #expect(try await program.result.status == status)
            #expect(try await eventually { try await desktop.window(titled: clip.lastPathComponent) == nil })
        }
    }

    @Test func theWindowFillsTheScreenAndTakesATime() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await clip()
        let program = try await start(desktop, "--fullscreen", "--json", clip.path())
        defer { program.signal(SIGKILL) }
        let window = try await redWindow(desktop, titled: clip.lastPathComponent)
        let screen = try await desktop.run("xdotool", ["getdisplaygeometry"]).output.trimmingCharacters(in: .newlines)
        let isFullscreen = try await eventually {
            try await desktop.window(titled: clip.lastPathComponent).map { "\($0.width) \($0.height)" } == screen
        }
        #expect(isFullscreen)
        try await focus(desktop, window)
        try await desktop.run("xdotool", ["key", "g", "1", "colon", "3", "0", "Return"])
        #expect(try await eventually { try program.outputSoFar.contains(#""event":"seek","#) })
        #expect(try await eventually { try program.outputSoFar.contains(#""position":90"#) })
    }

    @Test func theProgramEndsWithTheQueue() async throws {
        let desktop = try await GTKDesktop()
        let short = try await MediaFixtures.shared.solid(colour: "red", duration: 2)
        let program = try await start(desktop, "--view", "gtk", short.path(), short.path(), "/no/such/file.mp4")
        let result = try await program.result
        #expect(result.status == 3)
        #expect(result.output.contains("complete\t") && result.output.contains("\t[2/3] "), "\(result.output)")
        #expect(result.errors.contains("There is no such file."))
    }

    @Test func audioOpensNoWindow() async throws {
        let desktop = try await GTKDesktop()
        let audio = try await MediaFixtures.shared.file("flac")
        let video = try await clip()
        let program = try await start(desktop, audio.path(), video.path())
        defer { program.signal(SIGKILL) }
        var titles: Set<String> = []
        let isOpen = try await eventually {
            for title in [audio.lastPathComponent, video.lastPathComponent] {
                if try await desktop.window(titled: "\\[./2\\] " + title) != nil { titles.insert(title) }
            }
            return titles.contains(video.lastPathComponent)
        }
        #expect(isOpen)
        #expect(titles == [video.lastPathComponent])
    }

    @Test func noneAndNoVideoOpenNoWindow() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await clip()
        for option in [["--view", "none"], ["--no-video"], ["--view", "gtk", "--no-video"]] {
            let arguments = ["--audio", "none", "--json"] + option + [clip.path()]
            let program = try await desktop.command(built: "flowplay", arguments).start()
            defer { program.signal(SIGKILL) }
            #expect(try await eventually { try program.outputSoFar.contains(#""event":"position","item":1"#) })
            #expect(try await desktop.window(titled: clip.lastPathComponent) == nil, "\(option)")
        }
    }

    @Test func aMinimisedWindowPauses() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await clip()
        let program = try await start(desktop, clip.path())
        defer { program.signal(SIGKILL) }
        let window = try await redWindow(desktop, titled: clip.lastPathComponent)
        try await desktop.run("xdotool", ["windowminimize", window.id])
        #expect(try await eventually { try program.outputSoFar.contains("\npause\t") })
        // The window manager brings it back, and then gives it the focus.
        try await focus(desktop, window)
        try await desktop.run("xdotool", ["key", "space"])
        #expect(
            try await eventually { try program.outputSoFar.split(separator: "\n").last?.hasPrefix("play\t") == true })
    }

    @Test func withoutADisplayTheAudioPlaysAndAskedForAWindowFails() async throws {
        let clip = try await MediaFixtures.shared.solid(colour: "red", duration: 2).path()
        let quiet = try await Command(built: "flowplay", ["--audio", "none", clip]).run()
        #expect(quiet.status == 0)
        let asked = try await Command(built: "flowplay", ["--view", "gtk", clip]).run()
        #expect(asked.status == 2)
        #expect(asked.errors.contains("There is no display. Set WAYLAND_DISPLAY or DISPLAY, or use --view terminal"))
    }

    @Test func theTerminalHasItsKeysAndIsRestored() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await clip()
        let terminal = try await TerminalSession()
        try await run(["--view", "gtk", "--audio", "none", clip.path()], desktop, in: terminal)
        _ = try await redWindow(desktop, titled: clip.lastPathComponent)
        #expect(try await terminal.shows("play     0:"))
        try await terminal.type("m")
        #expect(try await terminal.shows("muted"))
        try await terminal.press("C-z")
        #expect(try await terminal.shows("Stopped"))
        try await terminal.enter("clear; fg")
        #expect(try await terminal.shows("pause    0:"))
        try await terminal.type(" ")
        #expect(try await terminal.shows("play     0:"))
        try await terminal.type("q")
        #expect(try await isUsable(terminal))
    }

    @Test func aLostDisplayRestoresTheTerminal() async throws {
        let terminal = try await TerminalSession()
        let clip = try await clip()
        do {
            let desktop = try await GTKDesktop()
            try await run(["--view", "gtk", "--audio", "none", clip.path()], desktop, in: terminal)
            _ = try await redWindow(desktop, titled: clip.lastPathComponent)
            #expect(try await terminal.shows("play     0:"))
        }
        // The X server has ended with the desktop.
        #expect(try await terminal.shows("The display has gone."))
        #expect(try await isUsable(terminal))
    }

    /// Starts `flowplay` in a terminal, by a script: the command is longer than a line.
    private func run(_ arguments: [String], _ desktop: GTKDesktop, in terminal: TerminalSession) async throws {
        let command = try desktop.command(built: "flowplay", arguments)
        let variables = command.environment.map { "\($0)='\($1)'" }.joined(separator: " ")
        let script = FileManager.default.temporaryDirectory.appending(path: "flowplay-\(UUID().uuidString)")
        let words = ([command.program] + arguments).map { "'\($0)'" }.joined(separator: " ")
        try "rm '\(script.path())'; exec env \(variables) \(words)\n".write(
            to: script, atomically: true, encoding: .utf8)
        try await terminal.enter("clear; sh \(script.path())")
    }

    /// Waits until the shell has its prompt, a cursor, echo and line editing.
    private func isUsable(_ terminal: TerminalSession) async throws -> Bool {
        guard try await eventually({ try await terminal.value("#{pane_current_command} #{cursor_flag}") == "bash 1" })
        else { return false }
        try await terminal.enter("clear; stty -a | grep -o ' icanon ' ; stty -a | grep -o ' echo '; echo $((6 * 7))")
        return try await terminal.shows(" icanon\n echo\n42")
    }
}
#endif
