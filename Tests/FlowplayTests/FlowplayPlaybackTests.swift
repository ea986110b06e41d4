#if VLC
import EventLog
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing

/// The host with real media, as a shell sees it.
@Suite struct FlowplayPlaybackTests {
    private func wav() async throws -> String { try await MediaFixtures.shared.file("wav").path() }

    private func states(in log: String) throws -> [PlayerState] {
        try EventLogReader.entries(in: log).compactMap(\.event.playerState).withoutStalls
    }

    @Test func filesPlayOneAfterAnother() async throws {
        let wav = try await wav()
        let mp4 = try await MediaFixtures.shared.file("mp4").path()
        let result = try await FlowplayCommand.run(wav, mp4)
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n").map { $0.split(separator: "\t") }
        let states = lines.compactMap { line in PlayerState.allCases.first { "\($0)" == line[0] } }.withoutStalls
        #expect(states == [.load, .ready, .play, .complete, .load, .ready, .play, .complete])
        #expect(lines.last == ["complete", "0:02/0:02", "[2/2] clip.mp4"])
        #expect(
            result.errors.contains("no audio device") || result.errors.contains("No PulseAudio")
                || result.errors.contains("without audio"))
    }

    @Test func jsonIsTheOnlyThingOnStandardOutput() async throws {
        let result = try await FlowplayCommand.run("--json", try await wav())
        #expect(result.status == 0)
        let entries = try EventLogReader.entries(in: result.output)
        #expect(entries.count == result.output.split(separator: "\n").count)
        #expect(try states(in: result.output) == [.load, .ready, .play, .complete])
        #expect(entries.allSatisfy { $0.player == "flowplay" && $0.item == 1 })
        #expect(entries.last?.event == LoggedEvent(.playbackState(.ended)))
    }

    @Test func theStatisticsOfEachItemArePrintedAtTheEnd() async throws {
        let result = try await FlowplayCommand.run("--stats", "--quiet", try await wav(), try await wav())
        #expect(result.status == 0)
        let lines = result.errors.split(separator: "\n").filter { $0.contains("start-up") }
        #expect(lines.count == 2)
        let form = /clip\.wav: start-up \d+\.\d\d s, stalls \d+ .*, dropped frames 0, retries 0/
        for line in lines { #expect(line.wholeMatch(of: form) != nil, "\(line)") }
    }

    @Test func theLogGoesToAFile() async throws {
        let log = MediaFixtures.shared.directory.appending(path: "host.jsonl")
        let result = try await FlowplayCommand.run("--quiet", "--log", log.path(), try await wav())
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.isEmpty)
        #expect(try states(in: String(contentsOf: log, encoding: .utf8)) == [.load, .ready, .play, .complete])
    }

    @Test func subtitlesFromTheCommandLineAreShown() async throws {
        let texts = try await MediaFixtures.shared.subtitles("named.de.srt", [(0, 2, "Hallo")])
        let mp4 = try await MediaFixtures.shared.file("mp4").path()
        let shown = try await FlowplayCommand.run("--json", "--subtitles", texts.path(), mp4)
        #expect(shown.status == 0)
        let events = try EventLogReader.entries(in: shown.output).map(\.event)
        let listed = events.lazy.compactMap(\.subtitles).first
        #expect(listed?.map(\.name) == ["named.de"])
        #expect(events.contains(LoggedEvent(.selectedSubtitle(listed?.first))))
        let missing = try await FlowplayCommand.run("--subtitles", "/no/such/file.srt", mp4)
        #expect(missing.status == 2)
        #expect(missing.errors.contains("There is no file /no/such/file.srt."))
    }

    @Test func anItemThatFailsIsReportedAndTheNextPlays() async throws {
        let result = try await FlowplayCommand.run("--json", "/no/such/file.mp4", try await wav())
        #expect(result.status == 3)
        #expect(result.errors.contains("flowplay: /no/such/file.mp4: There is no such file. Check the path"))
        #expect(try states(in: result.output) == [.load, .failure, .load, .ready, .play, .complete])
    }

    @Test func anAddressIsPrintedWithoutItsSecrets() async throws {
        let result = try await FlowplayCommand.run("--json", "http://me:secret@127.0.0.1:1/a.mp4?token=hidden")
        #expect(result.status == 3)
        let all = result.output + result.errors
        #expect(!all.contains("secret") && !all.contains("hidden"))
        #expect(result.errors.contains("127.0.0.1:1 refused the connection"))
    }

    /// Not even root's own process may read it, without the capability to.
    @Test func aFileThatMayNotBeReadIsReported() async throws {
        let url = try await MediaFixtures.shared.bytes("secret.wav", Data([1, 2, 3]))
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path())
        let drop =
            getuid() == 0
            ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] : ["env"]
        var command = Command(drop[0], drop.dropFirst() + [FlowplayCommand.path, "--quiet", url.path()])
        command.environment = FlowplayCommand.headless
        let result = try await command.run()
        #expect(result.status == 3)
        #expect(result.errors.contains("No permission to read the file."), "\(result.errors)")
    }

    @Test(arguments: [
        "a b.wav", "#1.wav", "100%.wav", "%41.wav", "what?.wav", "ünïcödé 映画.wav", "-odd.wav", "~", "a:b.wav",
    ])
    func oddNamesPlay(name: String) async throws {
        let folder = MediaFixtures.shared.directory.appending(path: "odd")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = try await wav()
        try? FileManager.default.copyItem(atPath: source, toPath: folder.path() + "/" + name)
        let result = try await FlowplayCommand.run("--quiet", "--rate", "4", "--", name, in: folder)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func startAndStopAfterBoundPlayback() async throws {
        let long = try await MediaFixtures.shared.long(seconds: 12).path()
        let result = try await FlowplayCommand.run("--json", "--start", "0:06", "--stop-after", "0.7", long)
        #expect(result.status == 0)
        #expect(try states(in: result.output) == [.load, .ready, .play, .idle])
        let positions = try EventLogReader.entries(in: result.output).compactMap {
            $0.event.name == "position" ? $0.event.position : nil
        }
        #expect(positions.first.map { (6..<7).contains($0) } == true)
        #expect(positions.last.map { $0 < 11 } == true)
    }

    @Test(arguments: [("50%", 6.0), ("-2", 10.0)])
    func aStartMayDependOnTheDuration(start: String, seconds: Double) async throws {
        let long = try await MediaFixtures.shared.long(seconds: 12).path()
        let result = try await FlowplayCommand.run("--json", "--start", start, "--stop-after", "0.1", long)
        #expect(result.status == 0)
        let target = try EventLogReader.entries(in: result.output).first { $0.event.name == "seek" }?.event.position
        #expect(target.map { abs($0 - seconds) < 0.2 } == true, "\(String(describing: target))")
    }

    @Test func tracksAreChosenByLanguage() async throws {
        let film = try await MediaFixtures.shared.tracks().path()
        let result = try await FlowplayCommand.run(
            "--json", "--alang", "fr,de", "--slang", "de", "--stop-after", "0.1", film)
        #expect(result.status == 0)
        let events = try EventLogReader.entries(in: result.output).map(\.event)
        let german = (events.lazy.compactMap(\.audio).first?.last, events.lazy.compactMap(\.subtitles).first?.last)
        #expect(german.0?.lang == "deu" && german.1?.lang == "deu")
        #expect(events.contains(LoggedEvent(.selectedAudio(german.0))))
        #expect(events.contains(LoggedEvent(.selectedSubtitle(german.1))))
    }

    @Test func volumeRateAndMuteAreTaken() async throws {
        let result = try await FlowplayCommand.run(
            "--json", "--volume", "40", "--mute", "--rate", "2", "--stop-after", "0", try await wav())
        let events = try EventLogReader.entries(in: result.output).map(\.event)
        #expect(events.contains(LoggedEvent(.volume(0.4))))
        #expect(events.contains(LoggedEvent(.mute(true))))
        #expect(events.contains(LoggedEvent(.rate(2))))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalEndsCleanly(signal: Int32) async throws {
        let log = MediaFixtures.shared.directory.appending(path: "signal-\(signal)-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: log) }
        let long = try await MediaFixtures.shared.long(seconds: 120).path()
        let host = try await FlowplayCommand.command(["--log", log.path(), long]).start()
        let plays = await eventually {
            (try? String(contentsOf: log, encoding: .utf8))?.contains(#""state":"play""#) == true
        }
        #expect(plays)
        host.signal(signal)
        #expect(try await host.result.status == 128 + signal)
        #expect(try states(in: String(contentsOf: log, encoding: .utf8)).last == .idle)
    }

    @Test func aReaderThatGoesAwayEndsTheHost() async throws {
        let long = try await MediaFixtures.shared.long(seconds: 120).path()
        var command = Command(
            "bash", ["-c", #""$0" --json "$1" | head -n 1; echo ${PIPESTATUS[0]}"#, FlowplayCommand.path, long])
        command.environment = FlowplayCommand.headless
        let result = try await command.run()
        #expect(result.output.hasSuffix("\n141\n"), "\(result.output)")
    }

    @Test func aReaderThatHasGoneCountsMoreThanAFailedItem() async throws {
        let script = #"exec 3> >(:); wait $!; "$0" --json /no/such/file.mp4 >&3; echo $?"#
        var command = Command("bash", ["-c", script, FlowplayCommand.path])
        command.environment = FlowplayCommand.headless
        #expect(try await command.run().output == "141\n")
    }

    @Test func aSignalEndsTheHostEvenIfItsReaderStandsStill() async throws {
        let long = try await MediaFixtures.shared.long(seconds: 120).path()
        // A pipe that is full from the start and has a reader that never reads.
        let script = #"exec 3<> "$1"; head -c 65536 /dev/zero >&3; exec "$0" --json "$2" >&3"#
        let pipe = MediaFixtures.shared.directory.appending(path: "full.fifo").path()
        #expect(mkfifo(pipe, 0o600) == 0)
        var command = Command("bash", ["-c", script, FlowplayCommand.path, pipe, long])
        command.environment = FlowplayCommand.headless
        let host = try await command.start()
        let isHost = await eventually {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(host.processIdentifier)/exe"))
                == FlowplayCommand.path
        }
        #expect(isHost)
        host.signal(SIGTERM)
        let status = try await host.result.status
        #expect(status == 143 || status == 128 + SIGTERM)
    }

    @Test func theSummaryHasTheEvents() async throws {
        let result = try await FlowplayCommand.run("--quiet", "--summary", try await wav())
        #expect(result.errors.contains("player flowplay: load → ready → play → complete"))
    }

    // MARK: On a terminal

    @Test func keysWorkAndTheTerminalIsRestored() async throws {
        let terminal = try await TerminalSession()
        let long = try await MediaFixtures.shared.long(seconds: 120).path()
        let environment = FlowplayCommand.headless.map { "\($0)=\($1)" }.joined(separator: " ")
        try await terminal.enter(
            "cd \(MediaFixtures.shared.directory.path()); stty -g > before; clear; env \(environment) \(FlowplayCommand.path) \(long); echo status $?; stty -g > after; cmp before after && echo same"
        )
        #expect(try await terminal.shows("play     0:"))
        try await terminal.press("Space")
        #expect(try await terminal.shows("pause "))
        try await terminal.type("m")
        #expect(try await terminal.shows("muted"))
        try await terminal.type("]")
        #expect(try await terminal.shows("1.25x"))
        try await terminal.type("m")
        try await terminal.press("Down")
        #expect(try await terminal.shows("vol 95%"))
        try await terminal.type("0")
        #expect(try await terminal.shows("0:00 / 2:00"))
        try await terminal.press("Right")
        #expect(try await terminal.shows("0:05 / 2:00"))
        try await terminal.press("Space")
        #expect(try await terminal.shows("play     0:"))
        try await terminal.type("q")
        #expect(try await terminal.shows("status 0"))
        #expect(try await terminal.shows("same"))
    }

    private func play(_ terminal: TerminalSession, _ arguments: String) async throws {
        let environment = FlowplayCommand.headless.map { "\($0)=\($1)" }.joined(separator: " ")
        try await terminal.enter("clear; env \(environment) \(FlowplayCommand.path) \(arguments); echo status $?")
    }

    @Test func keysReachChaptersAndListThemselves() async throws {
        let terminal = try await TerminalSession()
        let film = try await MediaFixtures.shared.colours(["red", "lime", "blue"], seconds: 20, chapters: true)
        try await play(terminal, film.path())
        #expect(try await terminal.shows("play     0:"))
        try await terminal.press("Space")
        #expect(try await terminal.shows("pause "))
        try await terminal.press("PPage")
        #expect(try await terminal.shows("Chapter 2: lime"))
        #expect(try await terminal.shows("pause    0:20 / 1:00"))
        try await terminal.press("NPage")
        #expect(try await terminal.shows("Chapter 1: red"))
        try await terminal.type("L")
        #expect(try await terminal.shows("pause    1:00 / 1:00"))
        try await terminal.press("Home")
        #expect(try await terminal.shows("pause    0:00 / 1:00"))
        try await terminal.press("]")
        #expect(try await terminal.shows("1.25x"))
        try await terminal.press("BSpace")
        #expect(try await terminal.shows(" 1x "))
        try await terminal.press("?")
        #expect(try await terminal.shows("Next chapter"))
        #expect(try await terminal.shows("Quit"))
        #expect(try await terminal.shows("pause    0:00 / 1:00"), "the status line is drawn again")
        try await terminal.press("q")
        #expect(try await terminal.shows("status 0"))
    }

    @Test func aTypedTimeIsSought() async throws {
        let terminal = try await TerminalSession()
        try await play(terminal, try await MediaFixtures.shared.long(seconds: 120).path())
        #expect(try await terminal.shows("play     0:"))
        try await terminal.press("Space")
        #expect(try await terminal.shows("pause "))
        try await terminal.type("g1:3q0")
        #expect(try await terminal.shows("Go to 1:30, 90 or 50%: 1:30_"))
        try await terminal.press("Enter")
        #expect(try await terminal.shows("pause    1:30 / 2:00"))
        try await terminal.type("g25%")
        try await terminal.press("Enter")
        #expect(try await terminal.shows("pause    0:30 / 2:00"))
        try await terminal.type("g1:99")
        try await terminal.press("Enter")
        #expect(try await terminal.shows("1:99 is not a time"))
        try await terminal.type("g90")
        #expect(try await terminal.shows("90_"))
        try await terminal.press("Escape")
        #expect(try await eventually { try await !terminal.screen.contains("Go to") })
        #expect(try await terminal.shows("pause    0:30 / 2:00"))
        try await terminal.type("q")
        #expect(try await terminal.shows("status 0"))
    }

    @Test func theTerminalShowsSubtitlesWithoutVideo() async throws {
        let file = try await MediaFixtures.shared.subtitles(
            "lines.srt", [(0, 1, "Early"), (30, 600, "After the seek")])
        let terminal = try await TerminalSession()
        try await play(
            terminal, "--subtitles \(file.path()) " + MediaFixtures.shared.long(seconds: 120).path())
        #expect(try await terminal.shows("play     0:"))
        try await terminal.type("L")
        #expect(try await terminal.shows("After the seek"))
        try await terminal.type("q")
        #expect(try await terminal.shows("status 0"))
    }

    /// The engine removes the first file from its list of tracks.
    @Test func theTerminalShowsTheSecondFileIfTheFirstHasNoSubtitles() async throws {
        let fixtures = MediaFixtures.shared
        let wrong = try await fixtures.bytes("wrong.srt", Data("No subtitles".utf8))
        let file = try await fixtures.subtitles("second.srt", [(0, 600, "Second file")])
        let terminal = try await TerminalSession()
        try await play(
            terminal, "--subtitles \(wrong.path()) --subtitles \(file.path()) " + fixtures.long(seconds: 120).path())
        #expect(try await terminal.shows("The subtitles wrong"))
        try await terminal.type("c")
        #expect(try await terminal.shows("Second file"))
        try await terminal.type("q")
        #expect(try await terminal.shows("status 0"))
    }

    @Test func aKeySavesTheFrame() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "frames-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let existing = folder.appending(path: "flowplay-1.png")
        try Data("mine".utf8).write(to: existing)
        let terminal = try await TerminalSession()
        try await terminal.enter("cd \(folder.path())")
        try await play(terminal, try await MediaFixtures.shared.long(seconds: 120).path())
        #expect(try await terminal.shows("play     0:"))
        try await terminal.type("s")
        let saved = folder.appending(path: "flowplay-2.png")
        #expect(await eventually { (try? Data(contentsOf: saved))?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true })
        #expect(try Data(contentsOf: existing) == Data("mine".utf8))
        try await terminal.type("q")
        #expect(try await terminal.shows("status 0"))
    }

    @Test func aKeyRepeatsAPart() async throws {
        let terminal = try await TerminalSession()
        try await play(terminal, try await MediaFixtures.shared.long(seconds: 120).path())
        #expect(try await terminal.shows("play     0:"))
        try await terminal.press("Space")
        #expect(try await terminal.shows("pause "))
        try await terminal.type("g20")
        try await terminal.press("Enter")
        #expect(try await terminal.shows("pause    0:20 "))
        try await terminal.type("b")
        #expect(try await terminal.shows("A 0:20"))
        try await terminal.press("Left")
        #expect(try await terminal.shows("pause    0:15 "))
        try await terminal.type("b")
        #expect(try await terminal.shows("A 0:15 B 0:20"))
        try await terminal.type("b")
        #expect(try await terminal.shows("Loop off"))
        #expect(try await eventually { try await !terminal.screen.contains("A 0:15") })
        try await terminal.type("q")
        #expect(try await terminal.shows("status 0"))
    }

    @Test func theStatusLineShowsTheTitle() async throws {
        let terminal = try await TerminalSession()
        try await play(terminal, try await MediaFixtures.shared.tracks(seconds: 60).path())
        #expect(try await terminal.shows("Two of each"))
        try await terminal.press("q")
        #expect(try await terminal.shows("status 0"))
    }

    @Test(arguments: ["--json", "--quiet"])
    func keysWorkWithoutAStatusLine(option: String) async throws {
        let terminal = try await TerminalSession()
        let log = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)")
        let long = try await MediaFixtures.shared.long(seconds: 120).path()
        try await play(terminal, "\(option) --log \(log.path()) \(long) >/dev/null")
        #expect(await eventually { (try? String(contentsOf: log, encoding: .utf8))?.contains(#""play""#) == true })
        try await terminal.press("q")
        #expect(try await terminal.shows("status 0"))
    }

    @Test func controlCRestoresTheTerminalToo() async throws {
        let terminal = try await TerminalSession()
        let long = try await MediaFixtures.shared.long(seconds: 120).path()
        let environment = FlowplayCommand.headless.map { "\($0)=\($1)" }.joined(separator: " ")
        let player = "env \(environment) \(FlowplayCommand.path) \(long)"
        // `$((6 * 7))`, because the line itself is on the screen too.
        try await terminal.enter(
            "cd \(MediaFixtures.shared.directory.path()); stty -g > b1; clear; \(player); echo status $?; stty -g > a1; cmp b1 a1 && echo same $((6 * 7))"
        )
        #expect(try await terminal.shows("play     0:"))
        try await terminal.press("C-c")
        #expect(try await terminal.shows("status 130"))
        #expect(try await terminal.shows("same 42"))
    }
}
#endif
