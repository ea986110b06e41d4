import Foundation
import TestSupport
import Testing

#if VLC
/// `flowplay --view terminal` in a terminal that shows images, as kitty does, and in one that does not.
@Suite struct FlowplayImageTests {
    @Test func aTerminalWithImagesShowsTheVideo() async throws {
        let clip = try await MediaFixtures.shared.solid(colour: "red", duration: 60)
        let log = MediaFixtures.shared.directory.appending(path: "kitty-\(UUID().uuidString)").path()
        let arguments = ["--view", "terminal", "--audio", "none", "--log", log, clip.path()]
        var command = Command("python3", ["-c", Self.kitty, FlowplayCommand.path] + arguments)
        command.environment = FlowplayCommand.headless.merging(["TERM": "xterm-kitty", "COLORTERM": "truecolor"]) { $1 }
        let result = try await command.run()
        #expect(result.status == 0, "\(result.errors)")
        // 16:9 in 40×11 cells of 10×20 pixels: 39 columns and 11 rows.
        #expect(
            result.output == """
                asked 1
                red image in 39x11 cells
                another
                images left 0
                restored
                status 0

                """, "\(result.errors)")
        // Three times m, down and up.
        let events = try String(contentsOfFile: log, encoding: .utf8)
        #expect(events.split(separator: #""event":"mute""#).count == 4)
        #expect(events.split(separator: #""event":"volume""#).count == 3)
    }

    @Test func tmuxReceivesNoSequenceOfKitty() async throws {
        let clip = try await MediaFixtures.shared.solid(colour: "red", duration: 60)
        let terminal = try await TerminalSession(columns: 64, rows: 19)
        let title = try await terminal.value("#{pane_title}")
        let output = MediaFixtures.shared.directory.appending(path: "tmux-\(UUID().uuidString)").path()
        try await terminal.record(to: output)
        let environment = FlowplayCommand.headless.map { "\($0)=\($1)" }.joined(separator: " ")
        let script = output + "-play"
        try """
        exec env -u NO_COLOR \(environment) TERM=xterm-256color COLORTERM=truecolor \
        \(FlowplayCommand.path) --view terminal --audio none \(clip.path())
        """.write(toFile: script, atomically: true, encoding: .utf8)
        try await terminal.enter("sh \(script)")
        #expect(try await terminal.shows("play     0:"))
        let read = { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
        #expect(await eventually { read().contains("▀") || read().contains("\u{1B}[48;2;") })
        try await terminal.type("q")
        #expect(await eventually { read().contains("\u{1B}[?1049l") })
        #expect(!read().contains("\u{1B}_"))
        #expect(try await terminal.value("#{pane_title}") == title)
    }

    @Test func aSlowLineDoesNotHoldPlaybackBack() async throws {
        let clip = try await MediaFixtures.shared.long(seconds: 300)
        let log = MediaFixtures.shared.directory.appending(path: "slow-\(UUID().uuidString)").path()
        let arguments = ["--view", "terminal", "--audio", "none", "--log", log, clip.path()]
        var command = Command("python3", ["-c", Self.slowLine, log, FlowplayCommand.path] + arguments)
        command.environment = FlowplayCommand.headless.merging(
            ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
        ) { $1 }
        let result = try await command.run()
        #expect(result.output == "position 10\nrestored\nstatus 0\n", "\(result.errors)")
    }

    /// Runs a program in a terminal of 200×50 cells that takes 50 kB a second, which is less than two frames. Quits when the log has
    /// the position of 10 s.
    private static let slowLine = """
        import fcntl, os, pty, re, struct, sys, termios, time

        process, terminal = pty.fork()
        if process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 2000, 1000))
            for name in ["NO_COLOR", "TMUX", "STY"]: os.environ.pop(name, None)
            os.execv(sys.argv[2], sys.argv[2:])

        def position():
            try: found = re.findall(r'"position":([0-9.]+)', open(sys.argv[1]).read())
            except OSError: return 0
            return float(found[-1]) if found else 0

        last, isEnding, deadline = b"", False, time.time() + 300
        while time.time() < deadline:
            try: data = os.read(terminal, 1000)
            except OSError: break
            if not data: break
            last = (last + data)[-500:]
            # Once the program ends, the rest of a frame comes at full speed.
            if not isEnding: time.sleep(0.02)
            if not isEnding and position() >= 10:
                isEnding = True
                print("position 10", flush=True)
                os.write(terminal, b"q")
        if last.endswith(b"\\x1b[?25h") and b"\\x1b[?1049l" in last: print("restored")
        _, status = os.waitpid(process, 0)
        print("status %d" % os.waitstatus_to_exitcode(status))
        print(last, file=sys.stderr)
        """

    /// Runs a program in a terminal of 40×12 cells that answers as kitty does, and prints what happens.
    private static let kitty = """
        import base64, fcntl, os, pty, re, struct, sys, termios, time

        process, terminal = pty.fork()
        if process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 12, 40, 400, 240))
            for name in ["NO_COLOR", "TMUX", "STY"]: os.environ.pop(name, None)
            os.execv(sys.argv[1], sys.argv[1:])

        images, image, content, asked, printed = {}, None, b"", 0, set()
        shown, rest = b"", b""

        def say(line):
            if line not in printed: print(line, flush=True)
            printed.add(line)

        def command(body):
            global image, content, asked
            head, _, data = body.partition(b";")
            keys = dict(part.split(b"=") for part in head.split(b","))
            if keys.get(b"a") == b"q":
                asked += 1
                say("asked %d" % asked)
                # The answer comes in pieces, between keys of the user. A terminal sends the sequence of a key at once.
                for piece in [b"mm\\x1b[B\\x1b", b"_Gi=31;O", b"K\\x1b", b"\\\\", b"m", b"\\x1b[?62", b";c\\x1b[A"]:
                    os.write(terminal, piece)
                    time.sleep(0.02)
                return
            if keys.get(b"a") == b"d": images.pop(keys[b"i"], None)
            if keys.get(b"a") == b"T": image, content = keys, b""
            if b"m" in keys:
                content += data
                if keys[b"m"] == b"0": show(image, base64.b64decode(content, validate=True))

        def show(keys, pixels):
            width, height = int(keys[b"s"]), int(keys[b"v"])
            assert keys[b"f"] == b"24" and len(pixels) == 3 * width * height
            middle = 3 * (width * (height // 2) + width // 2)
            red, green, blue = pixels[middle:middle + 3]
            isRed = red > 0xE0 and green < 0x20 and blue < 0x20
            if isRed: say("red image in %sx%s cells" % (keys[b"c"].decode(), keys[b"r"].decode()))
            if isRed and images: say("another")
            images[keys[b"i"]] = keys
            assert len(images) <= 2

        isEnding, deadline = False, time.time() + 300
        while time.time() < deadline:
            try: data = os.read(terminal, 65536)
            except OSError: break
            if not data: break
            rest += data
            while True:
                start = rest.find(b"\\x1b_G")
                if start < 0:
                    # The beginning of a command may be the end of the data.
                    keep = 2 if rest.endswith(b"\\x1b_") else 1 if rest.endswith(b"\\x1b") else 0
                    shown += rest[:len(rest) - keep]
                    rest = rest[len(rest) - keep:]
                    break
                end = rest.find(b"\\x1b\\\\", start)
                if end < 0: break
                shown += rest[:start]
                command(rest[start + 3:end])
                rest = rest[end + 2:]
            if "another" in printed and not isEnding:
                isEnding = True
                os.write(terminal, b"q")
        shown += rest
        say("images left %d" % len(images))
        if shown.endswith(b"\\x1b[?25h") and b"\\x1b[?1049l" in shown: say("restored")
        _, status = os.waitpid(process, 0)
        say("status %d" % os.waitstatus_to_exitcode(status))
        print(shown[-500:], file=sys.stderr)
        """
}
#endif
