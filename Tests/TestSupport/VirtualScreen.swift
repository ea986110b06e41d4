import Foundation

/// An X server without a screen.
public final class VirtualScreen: Sendable {
    /// The value of `DISPLAY` for its clients.
    public let display: String
    private let server: RunningCommand

    public init(width: Int = 640, height: Int = 480) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "flowplayer-xvfb-\(UUID().uuidString)").path()
        // The server writes the number of a display that is free.
        // Without -noreset, it would drop all clients after the last one has gone, also one that connects meanwhile.
        let script = "exec Xvfb -noreset -displayfd 3 -screen 0 \(width)x\(height)x24 -nolisten tcp 3>'\(file)'"
        server = try await Command("sh", ["-c", script]).start()
        let number = {
            (try? String(contentsOfFile: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        }
        let isUp = await eventually { !number().isEmpty }
        display = ":" + number()
        try? FileManager.default.removeItem(atPath: file)
        guard isUp else { throw FixtureError(description: "Xvfb does not start") }
    }

    deinit { server.signal(SIGTERM) }

    /// Ends the server at once, as a crash would.
    public func crash() { server.signal(SIGKILL) }

    /// The colour in a place, as red, green and blue in `0...255`.
    public func pixel(x: Int, y: Int) async throws -> [UInt8] {
        try await pixels(x: x, y: y, width: 2, height: 2)[0]
    }

    /// The colours in a rectangle, row by row, as red, green and blue in `0...255`. The pointer is left out.
    public func pixels(x: Int, y: Int, width: Int, height: Int) async throws -> [[UInt8]] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).rgb").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let grab = try await Command(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-f", "x11grab", "-draw_mouse", "0", "-video_size",
                "\(width)x\(height)", "-grab_x", "\(x)", "-grab_y", "\(y)",
                "-i", display, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", file,
            ]
        ).run()
        guard grab.status == 0, let data = FileManager.default.contents(atPath: file), data.count == width * height * 3
        else {
            throw FixtureError(description: "no screenshot: \(grab.errors)")
        }
        return stride(from: 0, to: data.count, by: 3).map { [UInt8](data[$0..<$0 + 3]) }
    }
}
