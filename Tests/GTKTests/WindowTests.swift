#if GTK
import Foundation
import TestSupport
import Testing

/// The window, the player and the window manager agree. Each change is reported once.
struct WindowTests {
    private func play(_ desktop: GTKDesktop) async throws -> (RunningCommand, GTKDesktop.Window, String) {
        let clip = try await MediaFixtures.shared.solid(colour: "red", size: "320x180", duration: 300)
        let (program, window) = try await desktop.play(clip)
        return (program, window, clip.lastPathComponent)
    }

    @Test func theWindowAndThePlayerFillTheScreenTogether() async throws {
        let desktop = try await GTKDesktop()
        let (program, window, title) = try await play(desktop)
        defer { program.signal(SIGKILL) }
        let fills = { (isFull: Bool) in
            try await eventually {
                guard let window = try await desktop.window(titled: title) else { return false }
                return (window.x == 0 && window.y == 0 && window.width == 1280 && window.height == 800) == isFull
            }
        }
        var expected: [String] = []
        // The toolkit reports the latest state only, so the next change waits for the report.
        let isReported = { (isFull: Bool) in
            expected.append("\(isFull)")
            for name in ["full screen ", "flowplayerViewDidChangeFullscreen "] {
                let isSent = try await eventually {
                    let lines = try program.outputSoFar.split(separator: "\n").filter { $0.hasPrefix(name) }
                    return lines.map { String($0.dropFirst(name.count)) } == expected
                }
                #expect(isSent, "\(program.printed)")
            }
        }
        try await desktop.run("xdotool", ["windowfocus", "--sync", window.id, "key", "f"])
        #expect(try await fills(true))
        try await isReported(true)
        // The video has the place of the title bar.
        #expect(try await eventually { try Colour(desktop.screen.pixel(x: 640, y: 60)) == .red })
        // The window manager has a key for it too.
        try await desktop.python(Self.setFullscreen, window.id, "0")
        #expect(try await fills(false))
        try await isReported(false)
        try await desktop.python(Self.setFullscreen, window.id, "1")
        #expect(try await fills(true))
        try await isReported(true)
        try await desktop.run("xdotool", ["key", "Escape"])
        #expect(try await fills(false))
        try await isReported(false)
    }

    @Test func aMinimisedWindowIsInTheBackground() async throws {
        let desktop = try await GTKDesktop()
        let (program, window, _) = try await play(desktop)
        defer { program.signal(SIGKILL) }
        try await desktop.run("xdotool", ["windowminimize", window.id])
        #expect(try await eventually { try program.lines("flowplayerApplicationDidEnterBackground") == 1 })
        try await desktop.run("xdotool", ["windowmap", window.id])
        #expect(try await eventually { try program.lines("flowplayerApplicationWillEnterForeground") == 1 })
        for name in ["visible", "flowplayerViewDidChangeVisibility"] {
            for value in [false, true] { #expect(try program.lines("\(name) \(value)") == 1, "\(name) \(value)") }
        }
    }

    @Test func thePointerHidesWithTheControls() async throws {
        let desktop = try await GTKDesktop()
        let (program, window, _) = try await play(desktop)
        defer { program.signal(SIGKILL) }
        let isVisible = { (expected: Bool) in
            try await eventually { try await desktop.isPointerVisible == expected }
        }
        let (x, y) = (window.x + window.width / 2, window.y + window.height / 3)
        try await desktop.point(to: x, y)
        #expect(try await isVisible(false))
        // A key shows a message only.
        try await desktop.run("xdotool", ["windowfocus", "--sync", window.id, "key", "m"])
        #expect(try await eventually { try program.lines("mute true") == 1 })
        #expect(try await !desktop.isPointerVisible)
        // A paused player shows its controls, and the pointer too.
        try await desktop.run("xdotool", ["key", "space"])
        #expect(try await isVisible(true))
        try await desktop.run("xdotool", ["key", "space"])
        #expect(try await isVisible(false))
        // Outside of the window it is that of the desktop.
        try await desktop.run("xdotool", ["mousemove", "1270", "790"])
        #expect(try await isVisible(true))
    }

    /// Asks the window manager to fill the screen with a window, or to end that.
    private static let setFullscreen = """
        import ctypes, sys

        class Message(ctypes.Structure):
            _fields_ = [
                ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("name", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 24)]

        x = ctypes.CDLL("libX11.so.6")
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XInternAtom.restype = ctypes.c_ulong
        x.XDefaultRootWindow.restype = ctypes.c_ulong
        display = ctypes.c_void_p(x.XOpenDisplay(None))
        atom = lambda name: x.XInternAtom(display, name, 0)
        message = Message(type=33, window=int(sys.argv[1]), name=atom(b"_NET_WM_STATE"), format=32)
        message.data[:] = [int(sys.argv[2]), atom(b"_NET_WM_STATE_FULLSCREEN"), 0, 1, 0]
        root = ctypes.c_ulong(x.XDefaultRootWindow(display))
        # SubstructureRedirectMask and SubstructureNotifyMask
        x.XSendEvent(display, root, 0, ctypes.c_long(0x180000), ctypes.byref(message))
        x.XSync(display, 0)
        """
}

extension GTKDesktop {
    /// Runs a program in Python on this desktop, and returns what it prints.
    @discardableResult
    fileprivate func python(_ script: String, _ arguments: String...) async throws -> String {
        let result = try await run("/usr/bin/python3", ["-c", script] + arguments)
        guard result.status == 0 else { throw FixtureError(description: result.errors) }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// `true` if the pointer has a visible pixel.
    var isPointerVisible: Bool { get async throws { try await python(Self.pointer) == "yes" } }

    /// Prints whether the pointer has a visible pixel.
    private static let pointer = """
        import ctypes

        class Image(ctypes.Structure):
            _fields_ = [
                ("x", ctypes.c_short), ("y", ctypes.c_short), ("width", ctypes.c_ushort), ("height", ctypes.c_ushort),
                ("xhot", ctypes.c_ushort), ("yhot", ctypes.c_ushort), ("serial", ctypes.c_ulong),
                ("pixels", ctypes.POINTER(ctypes.c_ulong))]

        x, fixes = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXfixes.so.3")
        x.XOpenDisplay.restype = ctypes.c_void_p
        fixes.XFixesGetCursorImage.restype = ctypes.POINTER(Image)
        display = ctypes.c_void_p(x.XOpenDisplay(None))
        fixes.XFixesQueryExtension(display, ctypes.byref(ctypes.c_int()), ctypes.byref(ctypes.c_int()))
        image = fixes.XFixesGetCursorImage(display).contents
        print("yes" if any(image.pixels[place] for place in range(image.width * image.height)) else "no")
        """
}
#endif
