import Foundation
import TestSupport
import Testing

#if VLC
/// `flowplay --view terminal`, in a shell under tmux.
@Suite struct FlowplayTerminalTests {
    private let colours = "TERM=xterm-256color COLORTERM=truecolor"
    private let restored = "0 1"

    private func play(
        _ terminal: TerminalSession, _ options: String = "", colour: String = "red", name: String = "clip.mp4"
    ) async throws {
        let solid = try await MediaFixtures.shared.solid(colour: colour, duration: 60)
        let link = MediaFixtures.shared.directory.appending(path: "\(UUID().uuidString)/\(name)")
        try FileManager.default.createDirectory(
            at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: solid)
        let environment = FlowplayCommand.headless.map { "\($0)=\($1)" }.joined(separator: " ")
        let quoted = link.path(percentEncoded: false).replacing("'", with: #"'\''"#)
        let script = link.deletingLastPathComponent().appending(path: "play")
        try
            "exec env -u NO_COLOR \(environment) \(colours) \(FlowplayCommand.path) --view terminal --audio none \(options) '\(quoted)'"
            .write(to: script, atomically: true, encoding: .utf8)
        try await terminal.enter("clear; sh \(script.path())")
    }

    /// Waits until the video is red: the middle of each row, from the first to the one above the status line.
    private func isRed(_ terminal: TerminalSession, columns: Int, rows: Int) async throws -> Bool {
        try await eventually {
            let cells = TerminalCells(try await terminal.colouredScreen).rows
            guard cells.count >= rows else { return false }
            return cells.prefix(rows - 1).allSatisfy { row in
                row.count > columns / 2 && isRed(row[columns / 2].top) && isRed(row[columns / 2].bottom)
            }
        }
    }

    private func isRed(_ colour: String) -> Bool {
        guard colour.count == 7, let rgb = Int(colour.dropFirst(), radix: 16) else { return false }
        return rgb >> 16 > 0xE0 && rgb >> 8 & 0xFF < 0x20 && rgb & 0xFF < 0x20
    }

    /// Waits until the shell has its screen, with a cursor, echo and line editing.
    private func isUsable(_ terminal: TerminalSession) async throws -> Bool {
        guard try await eventually({ try await terminal.value("#{alternate_on} #{cursor_flag}") == restored }) else {
            return false
        }
        try await terminal.enter("clear; stty -a | grep -o ' icanon ' ; stty -a | grep -o ' echo '; echo $((6 * 7))")
        return try await terminal.shows(" icanon\n echo\n42")
    }

    @Test func theVideoIsShownAboveTheStatusLine() async throws {
        let terminal = try await TerminalSession(columns: 64, rows: 19)
        try await play(terminal)
        #expect(try await isRed(terminal, columns: 64, rows: 19))
        #expect(try await terminal.shows("play     0:"))
        #expect(try await terminal.screen.split(separator: "\n").last?.contains("clip.mp4") == true)
        try await terminal.type("m")
        #expect(try await terminal.shows("Muted"))
        // The last column of the status line stays empty, so two cells show one letter, and one cell nothing.
        for (size, text) in [(1, ""), (2, "p")] {
            try await terminal.resize(columns: size, rows: size)
            let isRight = try await eventually {
                let lines = try await terminal.screen.split(separator: "\n", omittingEmptySubsequences: false)
                return lines.dropLast().last.map { $0.trimmingCharacters(in: .whitespaces) } == text
            }
            #expect(isRight, "\(size) × \(size)")
        }
        try await terminal.resize(columns: 32, rows: 10)
        #expect(try await isRed(terminal, columns: 32, rows: 10))
        #expect(try await terminal.screen.split(separator: "\n").last?.hasPrefix("play") == true)
        try await terminal.type("q")
        #expect(try await isUsable(terminal))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGSEGV])
    func everyEndRestoresTheScreen(signal: Int32) async throws {
        let terminal = try await TerminalSession(columns: 64, rows: 19)
        try await play(terminal)
        #expect(try await isRed(terminal, columns: 64, rows: 19))
        if signal == SIGINT {
            try await terminal.press("C-c")
        } else {
            let process = try #require(pid_t(try await terminal.value("#{pane_pid}")))
            for child in ProcessStat.children(of: process) { kill(child, signal) }
        }
        #expect(try await isUsable(terminal))
    }

    @Test func ctrlZLeavesTheScreenAndFgReturns() async throws {
        let terminal = try await TerminalSession(columns: 64, rows: 19)
        try await play(terminal, "--resume")
        #expect(try await isRed(terminal, columns: 64, rows: 19))
        for _ in 1...2 {
            try await terminal.press("C-z")
            #expect(try await isUsable(terminal))
            try await terminal.enter("fg")
            #expect(try await isRed(terminal, columns: 64, rows: 19))
            #expect(try await terminal.shows("play     0:"))
        }
        try await terminal.type("q")
        #expect(try await isUsable(terminal))
    }

    @Test func namesDoNotBreakTheStatusLine() async throws {
        let terminal = try await TerminalSession(columns: 64, rows: 19)
        try await play(terminal, name: "映画 שלום \u{1B}]0;evil\u{7}\u{1B}[1;1H\u{202E}x.mp4")
        #expect(try await isRed(terminal, columns: 64, rows: 19))
        #expect(try await terminal.shows("play     0:"))
        #expect(try await isRed(terminal, columns: 64, rows: 19))
        #expect(try await terminal.value("#{pane_title}").contains("evil") == false)
        try await terminal.type("q")
        #expect(try await isUsable(terminal))
    }

    @Test func aMessageIsPrintedAfterTheVideo() async throws {
        let terminal = try await TerminalSession(columns: 64, rows: 19)
        try await play(terminal, "/no/such/file.mp4")
        #expect(try await isRed(terminal, columns: 64, rows: 19))
        try await terminal.type("q")
        #expect(try await terminal.shows("There is no such file."))
    }

    @Test func withoutATerminalOneMessageSaysWhy() async throws {
        let clip = try await MediaFixtures.shared.solid(colour: "red", duration: 60).path()
        let piped = try await FlowplayCommand.run("--view", "terminal", "--stop-after", "0", "--audio", "none", clip)
        #expect(piped.status == 0)
        #expect(piped.errors == "flowplay: No video: the output is not a terminal. Run the program in a terminal.\n")
        #expect(!piped.output.contains("\u{1B}"))
        let terminal = try await TerminalSession(columns: 120, rows: 19)
        let environment = FlowplayCommand.headless.map { "\($0)=\($1)" }.joined(separator: " ")
        try await terminal.enter(
            "env \(environment) NO_COLOR=1 \(FlowplayCommand.path) --view terminal --audio none --stop-after 0 \(clip)")
        #expect(try await terminal.shows("NO_COLOR is set. Unset it."))
        #expect(try await terminal.value("#{alternate_on}") == "0")
    }

    @Test func viewsThatAreMissingAreExplained() async throws {
        let gtk = try await FlowplayCommand.run("--view", "gtk", "clip.mp4")
        #expect(gtk.status == 2)
        // The tests are built with and without GTK.
        let reasons = ["This flowplay was built without GTK.", "There is no display."]
        #expect(reasons.contains { gtk.errors.contains($0) }, "\(gtk.errors)")
        let both = try await FlowplayCommand.run("--view", "terminal", "--json", "clip.mp4")
        #expect(both.status == 2)
    }
}
#endif
