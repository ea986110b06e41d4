#if GTK
import Foundation
import TestSupport

/// An X server with a window manager and a session bus, for one test.
final class GTKDesktop: Sendable {
    let screen: VirtualScreen
    private let windowManager: RunningCommand
    /// The bus of screen readers ends with this one.
    private let sessionBus: RunningCommand?
    private let environment: [String: String]
    /// The folder of sockets and screenshots. Removed with the desktop.
    private let directory: URL

    /// - Parameters:
    ///   - isAccessible: `true` if programs offer their widgets to screen readers.
    ///   - usesOpenGL: `true` if programs draw as they do on a user's desktop. Without a graphics card that takes a core.
    init(isAccessible: Bool = false, usesOpenGL: Bool = false) async throws {
        directory = try Self.makeDirectory()
        var environment = Self.environment(runtime: directory)
        if !usesOpenGL { environment["GSK_RENDERER"] = "cairo" }
        if isAccessible {
            let address = directory.appending(path: "address")
            let script = "exec dbus-daemon --session --nofork --nopidfile --print-address=3 3>'\(address.path())'"
            var command = Command("sh", ["-c", script])
            command.environment = ["XDG_RUNTIME_DIR": directory.path(), "HOME": directory.path()]
            sessionBus = try await command.start()
            let written = { (try? String(contentsOf: address, encoding: .utf8)) ?? "" }
            guard await eventually({ written().hasSuffix("\n") }) else {
                throw FixtureError(description: "dbus-daemon does not start")
            }
            environment["DBUS_SESSION_BUS_ADDRESS"] = written().trimmingCharacters(in: .newlines)
            environment["GTK_A11Y"] = "atspi"
        } else {
            sessionBus = nil
        }
        screen = try await VirtualScreen(width: 1280, height: 800)
        environment["DISPLAY"] = screen.display
        self.environment = environment
        var command = Command("openbox", ["--sm-disable"])
        command.environment = ["DISPLAY": screen.display, "XDG_RUNTIME_DIR": directory.path()]
        windowManager = try await command.start()
        // The window manager names itself when it is ready.
        let isUp = try await eventually {
            try await self.run("xprop", ["-root", "_NET_SUPPORTING_WM_CHECK"]).output.contains("0x")
        }
        guard isUp else {
            windowManager.signal(SIGTERM)
            throw FixtureError(description: "openbox does not start: \(try await windowManager.result.errors)")
        }
        if isAccessible { try await startScreenReaderBus() }
    }

    /// Starts the bus of screen readers and its registry.
    ///
    /// A GTK program registers once, and gives up if the registry has not started within 25 s.
    private func startScreenReaderBus() async throws {
        func call(_ bus: String, _ name: String, _ path: String, _ method: String) async throws -> String {
            let options = [bus, "--print-reply=literal", "--reply-timeout=120000", "--dest=\(name)"]
            let result = try await run("dbus-send", options + [path, method])
            guard result.status == 0 else { throw FixtureError(description: "\(name): \(result.errors)") }
            return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let address = try await call("--session", "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress")
        let root = "/org/a11y/atspi/accessible/root"
        _ = try await call("--bus=\(address)", "org.a11y.atspi.Registry", root, "org.freedesktop.DBus.Peer.Ping")
    }

    deinit {
        windowManager.signal(SIGTERM)
        sessionBus?.signal(SIGTERM)
        // Programs of the desktop may keep it.
        screen.crash()
        try? FileManager.default.removeItem(at: directory)
    }

    static func makeDirectory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(path: "flowplayer-gtk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return directory
    }

    /// The environment of a GTK program. It has no session bus, and no settings of the user.
    static func environment(runtime: URL) -> [String: String] {
        [
            "GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "XDG_RUNTIME_DIR": runtime.path(),
        ]
    }

    /// A program of this package on this desktop.
    func command(built name: String, _ arguments: [String]) throws -> Command {
        var command = try Command(built: name, arguments)
        command.environment.merge(environment.merging(["GDK_BACKEND": "x11"]) { $1 }) { $1 }
        return command
    }

    /// Runs a program such as `xdotool` on this desktop.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) async throws -> Command.Result {
        var command = Command(program, arguments)
        command.environment = environment
        return try await command.run()
    }

    /// A window, and the place of its content on the screen.
    struct Window {
        let (id, title): (String, String)
        let (x, y, width, height): (Int, Int, Int, Int)
    }

    /// Returns the visible window with a title; `nil` if there is none.
    func window(titled title: String) async throws -> Window? {
        let found = try await run("xdotool", ["search", "--onlyvisible", "--name", "^\(title)$"]).output
        guard let id = found.split(separator: "\n").last.map(String.init) else { return nil }
        // xdotool counts the frame of the window manager twice.
        let lines = try await run("xwininfo", ["-id", id]).output.split(separator: "\n")
        let value = { (name: String) in
            lines.first { $0.contains(name) }.flatMap { $0.split(separator: ":").last }.flatMap {
                Int($0.trimmingCharacters(in: .whitespaces))
            }
        }
        guard let x = value("Absolute upper-left X"), let y = value("Absolute upper-left Y"),
            let width = value("Width"), let height = value("Height")
        else { return nil }
        return Window(id: id, title: title, x: x, y: y, width: width, height: height)
    }

    /// Returns the colour of a place in a window, given in fractions of its width and height.
    func colour(_ window: Window, _ x: Double, _ y: Double) throws -> Colour? {
        let pixel = try screen.pixel(
            x: window.x + Int(x * Double(window.width - 2)), y: window.y + Int(y * Double(window.height - 2)))
        return Colour(pixel)
    }
}

/// A colour that tests recognise.
enum Colour: String, CaseIterable {
    case red, green, blue, black

    init?(_ pixel: some RandomAccessCollection<UInt8>) {
        let (bright, dark) = (pixel.map { $0 > 120 }, pixel.map { $0 < 40 })
        switch (Array(bright), Array(dark)) {
        case ([true, false, false], [false, true, true]): self = .red
        case ([false, true, false], [true, false, true]): self = .green
        case ([false, false, true], [true, true, false]): self = .blue
        case (_, [true, true, true]): self = .black
        default: return nil
        }
    }
}
#endif
