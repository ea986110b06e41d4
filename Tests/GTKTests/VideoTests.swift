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

    @Test func theVideoIsShownUnderWayland() async throws {
        let directory = try GTKDesktop.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let environment = GTKDesktop.environment(runtime: directory)
            .merging(["WAYLAND_DISPLAY": "flowplayer", "GDK_BACKEND": "wayland"]) { $1 }
        var compositor = Command(
            "weston",
            [
                "--backend=headless-backend.so", "--use-pixman", "--debug", "--no-config", "--idle-time=0",
                "--socket=flowplayer", "--width=1280", "--height=800",
            ])
        compositor.environment = ["XDG_RUNTIME_DIR": directory.path()]
        let weston = try await compositor.start()
        defer { weston.signal(SIGKILL) }
        let socket = directory.appending(path: "flowplayer").path()
        try #require(await eventually { FileManager.default.fileExists(atPath: socket) })

        let clip = try await MediaFixtures.shared.solid(colour: "red", size: "320x240", duration: 60)
        var command = try Command(built: "gtk-player", [clip.path()])
        command.environment.merge(environment) { $1 }
        let program = try await command.start()
        defer { program.signal(SIGKILL) }
        // 4:3 in 960 by 540 is 720 by 540. Other windows of the desktop may cover a part.
        #expect(try await eventually { try await Self.redPixels(environment, directory) > 720 * 540 / 2 })
    }

    /// Takes a screenshot of the compositor, and counts the red pixels.
    private static func redPixels(_ environment: [String: String], _ directory: URL) async throws -> Int {
        let script = """
            rm -f wayland-screenshot* && weston-screenshooter >&2 &&
            ffmpeg -v error -nostdin -y -i wayland-screenshot*.png -f rawvideo -pix_fmt rgb24 picture.rgb
            """
        var shot = Command("sh", ["-c", script])
        shot.environment = environment
        shot.directory = directory
        guard try await shot.run().status == 0 else { return 0 }
        let data = try Data(contentsOf: directory.appending(path: "picture.rgb"))
        return stride(from: 0, to: data.count - 2, by: 3).count { Colour(data[$0..<$0 + 3]) == .red }
    }
}
#endif
