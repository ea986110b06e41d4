#if GTK
import Foundation
import TestSupport
import Testing

/// Files that the user drags from another window with the mouse.
struct DropTests {
    @Test func aDroppedFolderPlays() async throws {
        let folder = try GTKDesktop.makeDirectory()
        defer { try? FileManager.default.removeItem(at: folder) }
        let clip = try await MediaFixtures.shared.long(seconds: 60)
        try FileManager.default.copyItem(at: clip, to: folder.appending(path: "a clip.mp4"))
        try await drop([folder.absoluteString]) { (program: RunningCommand) async throws in
            #expect(try await eventually { try program.lines("state play") > 0 }, "\(program.printed)")
            #expect(try program.lines("dropped 1") == 1)
            #expect(try program.lines("queue 1 ") == 1)
        }
    }

    @Test func aThousandDroppedFilesAreAQueue() async throws {
        try await drop((0..<1000).map { "file:///no/such/\($0).mp4" }) { (program: RunningCommand) async throws in
            #expect(try await eventually { try program.lines("queue 1000") == 1 }, "\(program.printed)")
            #expect(try program.lines("dropped 1000") == 1)
        }
    }

    @Test func aDroppedAddressIsNotOpened() async throws {
        try await drop(["http://127.0.0.1:1/clip.mp4", "ftp://example.org/clip.mp4"]) {
            (program: RunningCommand) async throws in
            let message = "queue 0 There is nothing to play."
            #expect(try await eventually { try program.lines(message) == 1 }, "\(program.printed)")
            #expect(try program.lines("state") == 0)
        }
    }

    /// Drags addresses from one window to the player in another one.
    ///
    /// - Parameter body: receives the player's program.
    private func drop(_ addresses: [String], _ body: (RunningCommand) async throws -> Void) async throws {
        let desktop = try await GTKDesktop()
        let list = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: list) }
        try Data(addresses.map { $0 + "\r\n" }.joined().utf8).write(to: list)
        let program = try await desktop.command(built: "gtk-program", ["drop"]).start()
        defer { program.signal(SIGKILL) }
        let source = try await desktop.command(built: "gtk-program", ["source", list.path()]).start()
        defer { source.signal(SIGKILL) }
        guard let from = try await desktop.awaitWindow(titled: "source"),
            let target = try await desktop.awaitWindow(titled: "target")
        else { throw FixtureError(description: "there are no windows: \(try await source.result)") }
        try await desktop.run("xdotool", ["windowmove", "--sync", from.id, "900", "100"])
        try await desktop.run("xdotool", ["windowmove", "--sync", target.id, "50", "100"])
        try await desktop.run("xdotool", ["windowraise", from.id, "mousemove", "980", "220", "mousedown", "1"])
        // A drag begins after some pixels.
        for x in [970, 960, 940] { try await desktop.run("xdotool", ["mousemove", "\(x)", "220"]) }
        let begins = try await eventually { try source.lines("dragging") == 1 }
        for x in [800, 400, 310, 300] { try await desktop.run("xdotool", ["mousemove", "\(x)", "220"]) }
        // The target is asked before the button is released: a drop that comes earlier would be refused.
        let accepts = try await eventually {
            try source.outputSoFar.split(separator: "\n").last { $0 != "dragging" } == "accepted"
        }
        try await desktop.run("xdotool", ["mouseup", "1"])
        let ends = try await eventually { try source.lines("finished") == 1 }
        guard begins, accepts, ends else {
            throw FixtureError(description: "nothing was dropped: \(source.printed)")
        }
        try await body(program)
    }
}
#endif
