#if GTK
import FlowplayerFaults
import Foundation
import TestSupport
import Testing

/// The seek bar on the screen.
struct SeekBarTests {
    private static let colours = ["red", "blue", "lime"]

    @Test(arguments: ["", "rtl"])
    func theFrameUnderThePointerIsShown(_ direction: String) async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try await MediaFixtures.shared.colours(Self.colours, seconds: 60)
        let (program, window) = try await desktop.play(clip, direction, paused: true)
        defer { program.signal(SIGKILL) }
        #expect(try await eventually { try desktop.colour(window, 0.5, 0.2) == .red })
        let bar = try await desktop.place(of: "Seek", in: window)
        for (position, colour) in [(0.5, Colour.blue), (0.8, .green)] {
            let x = bar.x(at: direction == "rtl" ? 1 - position : position)
            try await desktop.point(to: x, bar.middle)
            // Above the bar is the time, and above the time the frame of 90 rows.
            let isShown = try await eventually {
                Colour(try desktop.screen.pixel(x: x, y: Int(bar.y) - 70)) == colour
            }
            #expect(isShown, "\(colour)")
            #expect(try program.lines("seek") == 0)
        }
        // Without the pointer there is no frame.
        let (x, y) = (bar.x(at: direction == "rtl" ? 0.2 : 0.8), Int(bar.y) - 70)
        try await desktop.point(to: window.x + 10, window.y + 10)
        #expect(try await eventually { Colour(try desktop.screen.pixel(x: x, y: y)) == .red })
        try await desktop.point(to: x, bar.middle)
        // The click goes where the frame was.
        try await desktop.run("xdotool", ["click", "1"])
        #expect(try await eventually { try desktop.colour(window, 0.5, 0.2) == .green })
        // A pixel is 0.2 s.
        let target = try program.outputSoFar.split(separator: "\n").last { $0.hasPrefix("seek seek") }
        let seconds = try #require(target?.split(separator: " ").last.flatMap { Double($0) })
        #expect(abs(seconds - 0.8 * 180) < 0.5, "\(seconds)")
    }

    @Test func aDragSeeksWhereTheButtonIsReleased() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try await MediaFixtures.shared.colours(Self.colours, seconds: 60)
        let (program, window) = try await desktop.play(clip, paused: true)
        defer { program.signal(SIGKILL) }
        #expect(try await eventually { try desktop.colour(window, 0.5, 0.2) == .red })
        let bar = try await desktop.place(of: "Seek", in: window)
        try await desktop.point(to: bar.x(at: 0.1), bar.middle)
        try await desktop.run("xdotool", ["mousedown", "1"])
        for fraction in [0.12, 0.2, 0.35, 0.5] {
            try await desktop.run("xdotool", ["mousemove", "\(bar.x(at: fraction))", "\(bar.middle)"])
        }
        // The video follows while the button is down.
        #expect(try await eventually { try desktop.colour(window, 0.5, 0.2) == .blue })
        // A hand leaves the bar. The place along the bar counts.
        let height = window.y + window.height / 3
        for fraction in [0.6, 0.95, 0.804] {
            try await desktop.run("xdotool", ["mousemove", "\(bar.x(at: fraction))", "\(height)"])
        }
        try await desktop.accessible("label", "2:24")
        try await desktop.run("xdotool", ["mouseup", "1"])
        // A pixel is 0.2 s.
        let isThere = { (event: String) in
            let line = try program.outputSoFar.split(separator: "\n").last { $0.hasPrefix("seek \(event)") }
            let seconds = line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
            return abs(seconds - 0.804 * 180) < 0.5
        }
        #expect(try await eventually { try isThere("seeked") }, "\(program.printed)")
        #expect(try await eventually { try desktop.colour(window, 0.5, 0.2) == .green })
        // A released pointer only shows the time.
        try await desktop.point(to: bar.x(at: 0.304), bar.middle)
        try await desktop.accessible("label", "0:54")
        #expect(try isThere("seeking"), "\(program.printed)")
    }

    @Test func anItemOnAServerHasFramesIfTheHostAllowsIt() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try Data(contentsOf: try await MediaFixtures.shared.colours(["red", "lime", "blue"], seconds: 60))
        let server = try await FaultServer.start(serving: ["/clip.mp4": clip])
        let (program, window) = try await desktop.play(server.url(for: "/clip.mp4"), paused: true)
        defer { program.signal(SIGKILL) }
        #expect(try await eventually { try desktop.colour(window, 0.5, 0.2) == .red })
        let bar = try await desktop.place(of: "Seek", in: window)
        let frame = { (fraction: Double) in
            try Colour(desktop.screen.pixel(x: bar.x(at: fraction), y: Int(bar.y) - 70))
        }
        // A single motion asks for a single frame.
        let point = { (fraction: Double) in
            _ = try await desktop.run("xdotool", ["mousemove", "\(bar.x(at: fraction))", "\(bar.middle)"])
        }
        let openings = { server.requests.count { ($0.range ?? "bytes=0-").hasPrefix("bytes=0-") } }
        let before = openings()
        // By default there is only the time.
        try await point(0.604)
        try await desktop.accessible("label", "1:48")
        #expect(try frame(0.604) == .red)
        // Off the bar, so that the place under the pointer is not asked for again.
        try await desktop.point(to: window.x + window.width / 2, window.y + window.height / 3)
        try await desktop.run("xdotool", ["windowfocus", "--sync", window.id, "key", "w"])
        try await point(0.9)
        #expect(try await eventually { try frame(0.9) == .blue })
        let first = openings()
        try await point(0.5)
        #expect(try await eventually { try frame(0.5) == .green })
        // The frame that was not allowed has asked for nothing: the two others cost the same.
        let requests = server.requests.map { $0.range ?? "all" }
        #expect(first > before && first - before == openings() - first, "\(before) \(first) \(requests)")
        await server.stop()
    }

    @Test func anItemOnAServerHasTheFramesOfItsTrack() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let fixtures = MediaFixtures.shared
        let track = "WEBVTT\n\n00:00.000 --> 02:00.000\nsprites.png#xywh=160,0,160,90\n"
        let server = try await FaultServer.start(serving: [
            "/clip.mp4": try Data(contentsOf: try await fixtures.colours(["red", "lime"], seconds: 60)),
            "/clip.vtt": Data(track.utf8),
            "/sprites.png": try Data(contentsOf: try await fixtures.sprites(["red", "blue"], "png")),
        ])
        let address = server.url(for: "/clip.vtt").absoluteString
        let (program, window) = try await desktop.play(server.url(for: "/clip.mp4"), address, paused: true)
        defer { program.signal(SIGKILL) }
        #expect(try await eventually { try desktop.colour(window, 0.5, 0.2) == .red })
        let bar = try await desktop.place(of: "Seek", in: window)
        let x = bar.x(at: 0.8)
        try await desktop.point(to: x, bar.middle)
        // The image differs from the video.
        #expect(try await eventually { Colour(try desktop.screen.pixel(x: x, y: Int(bar.y) - 70)) == .blue })
        await server.stop()
    }

    @Test func chaptersHaveMarks() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try await MediaFixtures.shared.colours(["black", "black", "black"], seconds: 60, chapters: true)
        let (program, window) = try await desktop.play(clip, paused: true)
        defer { program.signal(SIGKILL) }
        let bar = try await desktop.place(of: "Seek", in: window)
        var marks: [Double] = []
        let areRight = try await eventually {
            marks = try Self.marks(desktop, bar)
            return marks.count == 2 && abs(marks[0] - 1 / 3) < 0.02 && abs(marks[1] - 2 / 3) < 0.02
        }
        #expect(areRight, "\(marks)")
    }

    /// The advertisements of a break that a server has inserted.
    @Test func theBreaksOfAStreamHaveMarksAndLockTheBar() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let stream = try await LiveStream(
            window: 300, seconds: 300,
            tags: [
                6: "#EXT-X-CUE-OUT:59", 65: "#EXT-X-CUE-OUT:4", 69: "#EXT-X-CUE-IN", 260: "#EXT-X-CUE-OUT:1",
                285: "#EXT-X-CUE-OUT:1",
            ])
        let arguments = ["--audio", "none", "--json", "--start", "5", "--stream-ads", stream.url.absoluteString]
        let program = try await desktop.command(built: "flowplay", arguments).start()
        defer { program.signal(SIGKILL) }
        let window = try #require(try await desktop.awaitWindow(titled: "live.m3u8"), "\(program.printed)")
        #expect(try await eventually { try program.outputSoFar.contains("adStarted") })
        try await desktop.run("xdotool", ["windowactivate", "--sync", window.id, "key", "space"])
        #expect(try await eventually { try program.outputSoFar.contains("adPaused") }, "\(program.printed)")
        #expect(try await desktop.accessible("beginning", "Ad 1 of 2").hasPrefix("Ad 1 of 2 · 0:"))
        #expect(try await desktop.accessible("enabled", "Seek") == "no")
        let bar = try await desktop.place(of: "Seek", in: window)
        var marks: [Double] = []
        // The video behind the bar is bright in other places. The position hides the mark of the first break.
        let areThere = try await eventually {
            marks = try Self.marks(desktop, bar)
            return [260.0 / 300, 285.0 / 300].allSatisfy { place in marks.contains { abs($0 - place) < 0.004 } }
        }
        #expect(areThere, "\(marks)")
        withExtendedLifetime(stream) {}
    }

    @Test func theBufferedPartIsLighter() async throws {
        let desktop = try await GTKDesktop(isAccessible: true)
        let clip = try Data(contentsOf: try await MediaFixtures.shared.noise())
        let server = try await FaultServer.start(serving: ["/noise.mp4": clip])
        let (program, window) = try await desktop.play(server.url(for: "/noise.mp4"))
        defer { program.signal(SIGKILL) }
        // The bar stays while the pointer rests on it.
        let button = try await desktop.place(of: "Full screen", in: window)
        try await desktop.point(to: button.x(at: 0.5), button.middle)
        let bar = try await desktop.place(of: "Seek", in: window)
        let brightness = { (fraction: Double) in
            let pixel = try desktop.screen.pixel(x: bar.x(at: fraction), y: bar.middle)
            return pixel.map(Int.init).reduce(0, +) / 3
        }
        // The download is a seventh of the item ahead of the position.
        #expect(try await eventually { try brightness(0.2) > brightness(0.99) + 25 })
        await server.stop()
    }

    /// The places of the marks in the rows above the trough, in fractions of the width.
    private static func marks(_ desktop: GTKDesktop, _ bar: GTKDesktop.Place) throws -> [Double] {
        let (width, rows) = (Int(bar.width), Int(bar.height / 2) - 4)
        let pixels = try desktop.screen.pixels(x: Int(bar.x), y: Int(bar.y), width: width, height: rows)
        let columns = (0..<width).map { column in
            (0..<rows).contains { row in pixels[row * width + column].allSatisfy { $0 > 60 } }
        }
        // Two neighbouring columns are one mark.
        let starts = columns.indices.filter { columns[$0] && ($0 == 0 || !columns[$0 - 1]) }
        return starts.map { Double($0) / Double(width) }
    }
}
#endif
