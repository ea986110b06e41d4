#if GTK
import Foundation
import TestSupport
import Testing

/// The kiosk sample and its unit file.
struct KioskTests {
    /// A folder with clips of 16:9: `1.mp4`, `3.mp4`, `5.mp4`.
    private func folder(_ colours: [String], duration: Double = 2) async throws -> URL {
        let folder = try GTKDesktop.makeDirectory()
        for (index, colour) in colours.enumerated() {
            let clip = try await MediaFixtures.shared.solid(colour: colour, size: "320x180", duration: duration)
            try FileManager.default.copyItem(at: clip, to: folder.appending(path: "\(2 * index + 1).mp4"))
        }
        return folder
    }

    /// Waits for a colour near the corner of the screen. It belongs to the video only in full screen: 16:9 on 16:10 leaves 40 rows
    /// above.
    private func shows(_ colour: Colour, _ desktop: GTKDesktop) async throws -> Bool {
        try await eventually { Colour(try desktop.screen.pixel(x: 10, y: 60)) == colour }
    }

    @Test func aBrokenAndAMissingFileAreSkipped() async throws {
        let desktop = try await GTKDesktop()
        let folder = try await folder(["red", "blue", "lime"])
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("no video".utf8).write(to: folder.appending(path: "2.mp4"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "4.mp4").path(), withDestinationPath: "/no/such/file.mp4")
        let program = try await desktop.command(built: "kiosk", [folder.path()]).start()
        defer { program.signal(SIGKILL) }
        for colour in [Colour.red, .blue, .green, .red] { #expect(try await shows(colour, desktop), "\(colour)") }
    }

    @Test func aFolderThatAppearsLaterPlaysWithoutPointerAndControls() async throws {
        let desktop = try await GTKDesktop()
        let source = try await folder(["red"], duration: 300)
        let folder = source.deletingLastPathComponent().appending(path: "late-\(UUID().uuidString)")
        defer { for url in [source, folder] { try? FileManager.default.removeItem(at: url) } }
        let program = try await desktop.command(built: "kiosk", [folder.path(), "7"]).start()
        let window = try await desktop.awaitWindow(titled: "Kiosk")
        try FileManager.default.moveItem(at: source, to: folder)
        #expect(window != nil)
        #expect(try await shows(.red, desktop))
        try await desktop.point(to: 640, 400)
        #expect(try await eventually { try await !desktop.isPointerVisible })
        // It does not even appear for a moment.
        for (x, y) in [(300, 700), (640, 740)] {
            try await desktop.point(to: x, y)
            #expect(try await !desktop.isPointerVisible, "\(x) \(y)")
        }
        // A bar would be darker than the video.
        #expect(Colour(try desktop.screen.pixel(x: 640, y: 745)) == .red)
        program.signal(SIGKILL)
        let errors = try await program.result.errors
        #expect(errors.contains("There is no screen 7. Using another one."))
        #expect(errors.contains("late-") && errors.contains("has no media files. Looking again in 5 s."), "\(errors)")
    }

    @Test func eachKioskFillsItsScreen() async throws {
        let screens = try await TwoScreens()
        var (folders, programs): ([URL], [RunningCommand]) = ([], [])
        defer {
            for program in programs { program.signal(SIGKILL) }
            for folder in folders { try? FileManager.default.removeItem(at: folder) }
        }
        for (colour, screen) in [("red", "1"), ("blue", "0")] {
            let folder = try await folder([colour], duration: 300)
            folders.append(folder)
            programs.append(try await screens.command(built: "kiosk", [folder.path(), screen]).start())
        }
        // Each screen has 640×400 pixels.
        let isRight = try await eventually {
            let (left, right) = (try screens.pixel(x: 10, y: 60), try screens.pixel(x: 650, y: 60))
            return Colour(left) == .blue && Colour(right) == .red
        }
        #expect(isRight)
    }

    static let verifies = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")

    @Test(.enabled(if: verifies, "systemd-analyze is missing. Install the package systemd."))
    func systemdAcceptsTheUnitFile() async throws {
        let home = try GTKDesktop.makeDirectory()
        defer { try? FileManager.default.removeItem(at: home) }
        let programs = home.appending(path: "bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: programs.appending(path: "kiosk").path(),
            withDestinationPath: try Command(built: "kiosk", []).program)
        let unit = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Samples/Kiosk/kiosk.service").standardized
        var command = Command("/usr/bin/systemd-analyze", ["--user", "verify", unit.path()])
        command.environment = ["HOME": home.path(), "XDG_RUNTIME_DIR": home.path()]
        let result = try await command.run()
        // Unknown keys are only messages.
        #expect(result.status == 0 && (result.output + result.errors).isEmpty, "\(result)")
    }
}

/// A Wayland compositor with two screens side by side, for one test. Xvfb can have only one.
private final class TwoScreens: Sendable {
    private let screen: VirtualScreen
    private let weston: RunningCommand
    private let directory: URL

    init() async throws {
        screen = try await VirtualScreen(width: 1280, height: 400)
        directory = try GTKDesktop.makeDirectory()
        let settings = directory.appending(path: "weston.ini")
        try "[shell]\npanel-position=none\nlocking=false\n".write(to: settings, atomically: true, encoding: .utf8)
        var command = Command(
            "weston",
            [
                "--backend=x11-backend.so", "--use-pixman", "--output-count=2", "--width=640", "--height=400",
                "--config=\(settings.path())", "--idle-time=0", "--socket=flowplayer",
            ])
        command.environment = ["XDG_RUNTIME_DIR": directory.path(), "DISPLAY": screen.display]
        weston = try await command.start()
        var windows: [Int] = []
        let areOpen = try await eventually {
            windows = try await xdotool("search", "--onlyvisible", "--class", "weston").output.split(separator: "\n")
                .compactMap { Int($0) }.sorted()
            return windows.count == 2
        }
        guard areOpen else {
            weston.signal(SIGKILL)
            throw FixtureError(description: "weston does not start: \(try await weston.result.errors)")
        }
        for (number, window) in windows.enumerated() {
            _ = try await xdotool("windowmove", "\(window)", "\(640 * number)", "0")
        }
    }

    private func xdotool(_ arguments: String...) async throws -> Command.Result {
        var command = Command("xdotool", arguments)
        command.environment = ["DISPLAY": screen.display]
        return try await command.run()
    }

    deinit {
        weston.signal(SIGKILL)
        try? FileManager.default.removeItem(at: directory)
    }

    func command(built name: String, _ arguments: [String]) throws -> Command {
        var command = try Command(built: name, arguments)
        let environment = ["WAYLAND_DISPLAY": "flowplayer", "GDK_BACKEND": "wayland"]
        command.environment.merge(GTKDesktop.environment(runtime: directory).merging(environment) { $1 }) { $1 }
        return command
    }

    func pixel(x: Int, y: Int) throws -> [UInt8] { try screen.pixel(x: x, y: y) }
}
#endif
