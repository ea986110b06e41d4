#if GTK
import FlowplayerFaults
import FlyingFox
import Foundation
import TestSupport
import Testing

/// Posters, live streams, colours and directions.
struct AppearanceTests {
    @Test(arguments: [true, false])
    func thePosterIsShownUntilTheFirstFrame(isOnServer: Bool) async throws {
        let desktop = try await GTKDesktop()
        let fixtures = MediaFixtures.shared
        let poster = try await fixtures.sprites(["red", "red"], "png")
        let clip = try Data(contentsOf: try await fixtures.solid(colour: "blue", size: "320x180", duration: 60))
        let gate = Gate()
        let image = try Data(contentsOf: poster)
        let server = try await LoopbackServer { request in
            if request.path == "/poster.png" { return HTTPResponse(statusCode: .ok, body: image) }
            await gate.opened()
            return HTTPResponse(statusCode: .ok, body: clip)
        }
        let address = server.base.appending(path: "clip.mp4").absoluteString
        let source = isOnServer ? server.base.appending(path: "poster.png").absoluteString : poster.path()
        let program = try await desktop.command(built: "gtk-program", ["poster", address, source]).start()
        defer { program.signal(SIGKILL) }
        let window = try #require(try await desktop.awaitWindow(titled: "poster"))
        // In the middle is the spinner.
        #expect(try await eventually { try desktop.colour(window, 0.3, 0.4) == .red })
        gate.open()
        #expect(try await eventually { try desktop.colour(window, 0.3, 0.4) == .blue })
        withExtendedLifetime(server) {}
    }

    @Test func theCoverOfASongFollowsTheLastFrameOfAFilm() async throws {
        let desktop = try await GTKDesktop()
        let fixtures = MediaFixtures.shared
        let song = try await fixtures.audio("mp3", seconds: 300)
        let cover = try await fixtures.sprites(["red", "red"], "png")
        let clip = try await fixtures.solid(colour: "blue", size: "320x180", duration: 2)
        let arguments = ["cover", song.path(), cover.path(), clip.path()]
        let program = try await desktop.command(built: "gtk-program", arguments).start()
        defer { program.signal(SIGKILL) }
        let window = try #require(try await desktop.awaitWindow(titled: "cover"))
        #expect(try await eventually { try desktop.colour(window, 0.3, 0.4) == .red })
    }

    @Test func aStallShowsTheSpinnerUntilItEnds() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let server = try await FaultServer.start(serving: [
            "/noise.mp4": try Data(contentsOf: try await MediaFixtures.shared.noise())
        ])
        // Seven seconds, and then nothing.
        server.set(.hang(.midBody(after: 2_000_000)))
        let (program, window) = try await desktop.play(server.url(for: "/noise.mp4"), "waits")
        defer { program.signal(SIGKILL) }
        server.set(.hang(.beforeHeaders))
        try await desktop.accessible("appears", "Loading")
        // The frame is that of the stall, and the spinner in its middle turns.
        let area = { (x: Double, y: Double) in
            try desktop.screen.pixels(
                x: window.x + Int(x * Double(window.width)) - 24, y: window.y + Int(y * Double(window.height)) - 24,
                width: 48, height: 48)
        }
        let turns = try await eventually {
            let (frame, spinner) = (try area(0.2, 0.2), try area(0.5, 0.5))
            guard try await eventually({ try area(0.5, 0.5) != spinner }) else { return false }
            return try area(0.2, 0.2) == frame
        }
        #expect(turns)
        #expect(try program.lines("state failure") == 0)
        server.removeAllPlans()
        try await desktop.accessible("disappears", "Loading")
        let frame = try area(0.2, 0.2)
        #expect(try await eventually { try area(0.2, 0.2) != frame })
        await server.stop()
    }

    @Test func aLiveStreamHasABadgeAndAButtonToTheEdge() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let live = try await LiveStream(window: 60, seconds: 300)
        let (program, _) = try await desktop.play(live.url, paused: true)
        defer { program.signal(SIGKILL) }
        // Near the edge the badge says so, and there is no button.
        try await desktop.accessible("label", "Live")
        let before = try program.lines("seek seeking")
        try await desktop.accessible("set 0.1", "Seek")
        #expect(try await eventually { try program.lines("seek seeking") > before })
        try await desktop.accessible("press", "Go to live")
        #expect(try await eventually { try program.lines("seek seeking") > before + 1 })
        withExtendedLifetime(live) {}
    }

    @Test func textFromRightToLeftMirrorsTheBar() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let (program, window) = try await desktop.play(
            try await MediaFixtures.shared.long(seconds: 120), "rtl", paused: true)
        defer { program.signal(SIGKILL) }
        let (play, full) = (
            try await desktop.place(of: "Play", in: window), try await desktop.place(of: "Full screen", in: window)
        )
        #expect(play.x > full.x)
        // A click near the left end seeks to the end of the item.
        let bar = try await desktop.place(of: "Seek", in: window)
        try await desktop.point(to: bar.x(at: 0.25), bar.middle)
        try await desktop.run("xdotool", ["click", "1"])
        let position = {
            try program.outputSoFar.split(separator: "\n").last { $0.hasPrefix("seek seek") }
                .flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
        }
        #expect(try await eventually { try position().map { (85...95).contains($0) } ?? false })
    }

    @Test func largeLettersFitIntoTheWindow() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let (program, window) = try await desktop.play(
            try await MediaFixtures.shared.long(seconds: 120), "large", paused: true)
        defer { program.signal(SIGKILL) }
        var last = Double(window.x)
        for name in ["Play", "Mute", "Volume", "Settings", "Picture in picture", "Full screen"] {
            let place = try await desktop.place(of: name, in: window)
            #expect(place.x >= last && place.width > 0, "\(name) overlaps")
            last = place.x + place.width
            #expect(Int(place.y + place.height) <= window.y + window.height, "\(name) is cut off")
        }
        #expect(Int(last) <= window.x + window.width)
    }

    @Test func aThinBarHasOneRow() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try await MediaFixtures.shared.long(seconds: 120)
        var heights: [Double] = []
        for option in ["", "thin"] {
            let (program, window) = try await desktop.play(clip, option, paused: true)
            defer { program.signal(SIGKILL) }
            let (play, bar) = (
                try await desktop.place(of: "Play", in: window), try await desktop.place(of: "Seek", in: window)
            )
            heights.append(Double(play.middle - bar.middle))
            program.signal(SIGTERM)
            _ = try await program.result
        }
        #expect(heights[0] > 10 && abs(heights[1]) < 4, "\(heights)")
    }

    @Test(arguments: ["", "dark"])
    func theMenuHasTheColoursOfTheDesktop(_ style: String) async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try await MediaFixtures.shared.solid(colour: "black", size: "320x180", duration: 60)
        let (program, window) = try await desktop.play(clip, style, paused: true)
        defer { program.signal(SIGKILL) }
        let shot = {
            try desktop.screen.pixels(x: window.x, y: window.y, width: window.width, height: window.height, step: 4)
        }
        let before = try shot()
        try await desktop.accessible("press", "Settings")
        // A menu covers thousands of pixels, of which these are a sixteenth. In a dark one only the letters are light.
        let changes = { (isCounted: ([UInt8]) -> Bool) in
            let pixels = try shot()
            return zip(before, pixels).count { $0 != $1 && isCounted($1) }
        }
        #expect(try await eventually { try changes { _ in true } > 125 })
        let isLight = { (pixel: [UInt8]) in pixel.allSatisfy { $0 > 200 } }
        if style == "dark" {
            #expect(try changes(isLight) < 125)
        } else {
            #expect(try await eventually { try changes(isLight) > 125 })
        }
    }
}

/// Lets a server wait for the test.
private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func opened() async {
        // Other jobs may run at each `await`.
        await withCheckedContinuation { continuation in
            if isOpen { continuation.resume() } else { waiting.append(continuation) }
        }
    }

    nonisolated func open() { Task { await release() } }

    private func release() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
#endif
