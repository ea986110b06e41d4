#if GTK
import Foundation
import TestSupport
import Testing

/// The widget shows the video on a real screen.
struct VideoTests {
    @Test(arguments: [Colour.red, .green, .blue])
    func theVideoHasItsColourAndBlackEdges(_ colour: Colour) async throws {
        let desktop = try await GTKDesktop()
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

    private func shows(
        _ desktop: GTKDesktop, _ clip: URL, inside: (Double, Double), _ colour: Colour, outside: (Double, Double)
    ) async throws -> Bool {
        try await eventually {
            guard let window = try await desktop.window(titled: clip.lastPathComponent),
                try await desktop.colour(window, inside.0, inside.1) == colour
            else { return false }
            return try await desktop.colour(window, outside.0, outside.1) == .black
        }
    }

    @Test func videoWithOblongPixelsHasItsShape() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await MediaFixtures.shared.oblong(pixels: "16/11")
        let program = try await desktop.command(built: "gtk-player", [clip.path()]).start()
        defer { program.signal(SIGKILL) }
        // 704×576 pixels are 16:9, as the window. The pattern has a red and a cyan edge.
        let fills = try await eventually {
            guard let window = try await desktop.window(titled: clip.lastPathComponent) else { return false }
            let right = try await desktop.screen.pixel(x: window.x + window.width - 20, y: window.y + window.height / 3)
            return try await desktop.colour(window, 0.02, 0.3) == .red && right[1] > 200 && right[2] > 200
        }
        #expect(fills)
    }

    @Test func rotatedVideoIsUpright() async throws {
        let desktop = try await GTKDesktop()
        let clip = try await MediaFixtures.shared.rotated()
        let program = try await desktop.command(built: "gtk-player", [clip.path()]).start()
        defer { program.signal(SIGKILL) }
        // 9:16 in the middle of the window.
        #expect(try await shows(desktop, clip, inside: (0.5, 0.2), .blue, outside: (0.3, 0.2)))
        #expect(try await shows(desktop, clip, inside: (0.5, 0.6), .red, outside: (0.7, 0.6)))
    }
}
#endif
