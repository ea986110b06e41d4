#if GTK
import Foundation
import TestSupport
import Testing

/// The widget under Wayland.
struct WaylandTests {
    private func clip() async throws -> URL {
        try await MediaFixtures.shared.solid(colour: "red", size: "320x240", duration: 60)
    }

    @Test func theVideoIsShown() async throws {
        let compositor = try await Compositor()
        let program = try await compositor.command(built: "gtk-player", [try await clip().path()]).start()
        defer { program.signal(SIGKILL) }
        // 4:3 in 960 by 540 is 720 by 540. Other windows of the desktop may cover a part.
        #expect(try await eventually { try await compositor.redArea() > 720 * 540 / 2 })
    }

    #if GStreamer
    /// The window of the engine, without GTK. For 3 s, a busy compositor answers later than `waylandsink` waits.
    @Test(arguments: [false, true]) func gStreamerOpensItsOwnWindow(isBusy: Bool) async throws {
        let compositor = try await Compositor()
        let options = ["--engine", "gstreamer", "--view", "window", "--audio", "none"]
        let program = try await compositor.command(built: "flowplay", options + [clip().path()]).start()
        defer { program.signal(SIGKILL) }
        if isBusy { try await compositor.slowDown(times: 13) }
        let isShown = try await eventually { try await compositor.redArea() > 320 * 240 / 2 }
        let output = try program.outputSoFar + program.errorsSoFar
        #expect(isShown, "\(output)")
    }
    #endif

    @Test func aMessageSaysThatTheSmallWindowMayBeCovered() async throws {
        let compositor = try await Compositor()
        let result = try await compositor.command(built: "gtk-program", ["small", try await clip().path()]).run()
        let output = "message Other windows may cover the small window.\nsmall window true\n"
        #expect(result.output == output, "\(result.errors)")
        // Under X11 it is above the others, so there is nothing to say.
        let desktop = try await GTKDesktop()
        let other = try await desktop.command(built: "gtk-program", ["small", try await clip().path()]).run()
        #expect(other.output == "message none\nsmall window true\n", "\(other.errors)")
    }
}

/// A Wayland compositor without a screen, for one test.
private final class Compositor: Sendable {
    private let weston: RunningCommand
    private let directory: URL
    private let environment: [String: String]

    init() async throws {
        directory = try GTKDesktop.makeDirectory()
        environment = GTKDesktop.environment(runtime: directory)
            .merging(["WAYLAND_DISPLAY": "flowplayer", "GDK_BACKEND": "wayland"]) { $1 }
        var command = Command(
            "weston",
            [
                "--backend=headless-backend.so", "--use-pixman", "--debug", "--no-config", "--idle-time=0",
                "--socket=flowplayer", "--width=1280", "--height=800",
            ])
        command.environment = ["XDG_RUNTIME_DIR": directory.path()]
        weston = try await command.start()
        let socket = directory.appending(path: "flowplayer").path()
        guard await eventually({ FileManager.default.fileExists(atPath: socket) }) else {
            weston.signal(SIGKILL)
            throw FixtureError(description: "weston does not start: \(try await weston.result.errors)")
        }
    }

    deinit {
        weston.signal(SIGKILL)
        try? FileManager.default.removeItem(at: directory)
    }

    func command(built name: String, _ arguments: [String]) throws -> Command {
        var command = try Command(built: name, arguments)
        command.environment.merge(environment) { $1 }
        return command
    }

    /// Stops the compositor for 200 ms, several times in a row.
    func slowDown(times: Int) async throws {
        let script = "for _ in $(seq $0); do kill -STOP $1; sleep 0.2; kill -CONT $1; sleep 0.03; done"
        _ = try await Command("sh", ["-c", script, "\(times)", "\(weston.processIdentifier)"]).run()
    }

    /// Takes a screenshot, and estimates the number of red pixels from every 64th.
    func redArea() async throws -> Int {
        let script = """
            rm -f wayland-screenshot* && weston-screenshooter >&2 &&
            ffmpeg -v error -nostdin -y -i wayland-screenshot*.png -vf scale=iw/8:-1:flags=neighbor \\
                -f rawvideo -pix_fmt rgb24 picture.rgb
            """
        var shot = Command("sh", ["-c", script])
        shot.environment = environment
        shot.directory = directory
        guard try await shot.run().status == 0 else { return 0 }
        let data = try Data(contentsOf: directory.appending(path: "picture.rgb"))
        return stride(from: 0, to: data.count - 2, by: 3).count { Colour(data[$0..<$0 + 3]) == .red } * 64
    }
}
#endif
