#if GTK
import Foundation
import TestSupport
import Testing

/// The widget shows the video on a real screen.
struct VideoTests {
    @Test(arguments: [Colour.red, .green, .blue])
    func theVideoHasItsColourAndBlackEdges(_ colour: Colour) async throws {
        let desktop = try await GTKDesktop(usesOpenGL: true)
        // ffmpeg's "green" is darker than the primary colour.
        let name = colour == .green ? "lime" : colour.rawValue
        let clip = try await MediaFixtures.shared.solid(colour: name, size: "320x240", duration: 60)
        let program = try await desktop.command(built: "gtk-player", [clip.path()]).start()
        defer { program.signal(SIGKILL) }
        // The video is in the middle: 4:3 in a wide window leaves edges to its left and right.
        #expect(try await shows(desktop, clip, inside: (0.5, 0.5), colour, outside: (0.05, 0.5)))
        #expect(try await shows(desktop, clip, inside: (0.2, 0.02), colour, outside: (0.95, 0.5)))

        let window = try #require(try await desktop.window(titled: clip.lastPathComponent))
        try await desktop.run("xdotool", ["windowsize", "--sync", window.id, "400", "700"])
        // The video keeps its shape: now the edges are above and below.
        #expect(try await shows(desktop, clip, inside: (0.5, 0.5), colour, outside: (0.5, 0.1)))
        #expect(try await shows(desktop, clip, inside: (0.02, 0.5), colour, outside: (0.5, 0.75)))
    }

    @Test func theVideoFitsFillsOrIsStretched() async throws {
        let desktop = try await GTKDesktop(usesOpenGL: true)
        let clip = try await MediaFixtures.shared.banded(seconds: 300)
        let program = try await desktop.command(built: "gtk-player", [clip.path()]).start()
        defer { program.signal(SIGKILL) }
        // 4:3 in a wide window. The upper tenth is blue, and is cut off by the video that fills the window.
        let shapes: [(edge: Colour, top: Colour, corner: Colour)] = [
            (.black, .blue, .black), (.red, .red, .red), (.red, .blue, .blue), (.black, .blue, .black),
        ]
        for (index, shape) in shapes.enumerated() {
            if index > 0 { try await desktop.run("xdotool", ["key", "z"]) }
            let isRight = try await eventually {
                guard let window = try await desktop.window(titled: clip.lastPathComponent) else { return false }
                if index == 0 { try await desktop.run("xdotool", ["windowfocus", "--sync", window.id]) }
                let colours = (
                    try desktop.colour(window, 0.03, 0.5), try desktop.colour(window, 0.3, 0.02),
                    try desktop.colour(window, 0.03, 0.02)
                )
                return colours == (shape.edge, shape.top, shape.corner)
            }
            #expect(isRight, "\(shape)")
        }
    }

    @Test func eachItemOfAQueueHasItsShape() async throws {
        let desktop = try await GTKDesktop(usesOpenGL: true)
        let wide = try await MediaFixtures.shared.solid(colour: "red", size: "640x180", duration: 300)
        let tall = try await MediaFixtures.shared.solid(colour: "blue", size: "160x320", duration: 300)
        let arguments = ["--audio", "none", "--view", "gtk", wide.path(), tall.path(), wide.path()]
        let program = try await desktop.command(built: "flowplay", arguments).start()
        defer { program.signal(SIGKILL) }
        let isWide = { (window: GTKDesktop.Window) in
            let (edge, top) = (
                try desktop.colour(window, 0.02, 0.5), try desktop.colour(window, 0.5, 0.1)
            )
            return edge == .red && top == .black
        }
        let isTall = { (window: GTKDesktop.Window) in
            let (edge, top) = (
                try desktop.colour(window, 0.1, 0.5), try desktop.colour(window, 0.5, 0.02)
            )
            return edge == .black && top == .blue
        }
        let window = try #require(try await desktop.awaitWindow(titled: "\\[1/3\\] " + wide.lastPathComponent))
        #expect(try await eventually { try isWide(window) })
        try await desktop.run("xdotool", ["windowfocus", "--sync", window.id, "key", "n"])
        #expect(try await eventually { try isTall(window) })
        // The window keeps its place and its size.
        let second = try #require(try await desktop.awaitWindow(titled: "\\[2/3\\] " + tall.lastPathComponent))
        #expect((second.x, second.y, second.width, second.height) == (window.x, window.y, window.width, window.height))
        try await desktop.run("xdotool", ["windowsize", "--sync", window.id, "800", "800"])
        let large = try #require(try await desktop.awaitWindow(titled: "\\[2/3\\] " + tall.lastPathComponent))
        #expect(try await eventually { try isTall(large) })
        try await desktop.run("xdotool", ["key", "n"])
        #expect(try await eventually { try isWide(large) })
    }

    private func shows(
        _ desktop: GTKDesktop, _ clip: URL, inside: (Double, Double), _ colour: Colour, outside: (Double, Double)
    ) async throws -> Bool {
        try await eventually {
            guard let window = try await desktop.window(titled: clip.lastPathComponent),
                try desktop.colour(window, inside.0, inside.1) == colour
            else { return false }
            return try desktop.colour(window, outside.0, outside.1) == .black
        }
    }

    @Test func videoWithOblongPixelsHasItsShape() async throws {
        let desktop = try await GTKDesktop(usesOpenGL: true)
        let clip = try await MediaFixtures.shared.oblong(pixels: "16/11")
        let program = try await desktop.command(built: "gtk-player", [clip.path()]).start()
        defer { program.signal(SIGKILL) }
        // 704×576 pixels are 16:9, as the window. The pattern has a red and a cyan edge.
        let fills = try await eventually {
            guard let window = try await desktop.window(titled: clip.lastPathComponent) else { return false }
            let right = try desktop.screen.pixel(x: window.x + window.width - 20, y: window.y + window.height / 3)
            return try desktop.colour(window, 0.02, 0.3) == .red && right[1] > 200 && right[2] > 200
        }
        #expect(fills)
    }

    @Test func rotatedVideoIsUpright() async throws {
        let desktop = try await GTKDesktop(usesOpenGL: true)
        let clip = try await MediaFixtures.shared.rotated()
        let program = try await desktop.command(built: "gtk-player", [clip.path()]).start()
        defer { program.signal(SIGKILL) }
        // 9:16 in the middle of the window.
        #expect(try await shows(desktop, clip, inside: (0.5, 0.2), .blue, outside: (0.3, 0.2)))
        #expect(try await shows(desktop, clip, inside: (0.5, 0.6), .red, outside: (0.7, 0.6)))
    }
}
#endif
