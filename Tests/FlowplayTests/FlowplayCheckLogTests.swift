import EventLog
import FlowplayerSDK
import Foundation
import Playback
import TestSupport
import Testing

/// `flowplay check-log`, as a shell sees it.
@Suite struct FlowplayCheckLogTests {
    /// A log of the host, made once for all tests.
    private static let good = Task {
        try await FlowplayCommand.run("--json", "--engine", "simulated", "--rate", "4", "clip.mp4").output
    }

    private func file(_ log: String) async throws -> String {
        try await MediaFixtures.shared.bytes("\(UUID().uuidString).jsonl", Data(log.utf8)).path()
    }

    private func check(_ log: String) async throws -> (file: String, result: Command.Result) {
        let file = try await file(log)
        return (file, try await FlowplayCommand.run("check-log", file))
    }

    // MARK: Good logs

    @Test func aLogOfTheHostPasses() async throws {
        let good = try await Self.good.value
        let (file, result) = try await check(good)
        #expect(result.status == 0)
        #expect(result.output == "\(file): \(good.split(separator: "\n").count) events, no breach\n")
        #expect(result.errors.isEmpty)
    }

    @Test func quietSaysNothingOfAGoodLog() async throws {
        let result = try await FlowplayCommand.run("check-log", "--quiet", try await file(try await Self.good.value))
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
    }

    @Test func standardInputIsRead() async throws {
        let script = #""$0" --json --engine simulated --rate 4 clip.mp4 | "$0" check-log -"#
        let result = try await Command("bash", ["-c", script, FlowplayCommand.path]).run()
        #expect(result.status == 0)
        #expect(result.output.contains(/^-: \d+ events, no breach\n$/))
    }

    @Test func aLineThatIsStillBeingWrittenIsSaidToBeLeftOut() async throws {
        let (file, result) = try await check(try await Self.good.value + #"{"event":"posi"#)
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("\(file): "))
        #expect(result.output.hasSuffix("no breach; the last line is incomplete and was not checked\n"))
    }

    // MARK: Breaches

    /// A good log with one changed line, and the line of the breach. By default that is the changed line.
    struct Change: Sendable, CustomTestStringConvertible {
        let rule: EventContractBreach.Rule
        let line: @Sendable (LoggedEvent) -> Bool
        var found: (@Sendable (LoggedEvent) -> Bool)?
        let edit: @Sendable (inout EventLogEntry) -> Void

        var testDescription: String { rule.rawValue }
    }

    private static func isState(_ state: PlayerState) -> @Sendable (LoggedEvent) -> Bool {
        { $0.playerState == state }
    }

    private static func isNamed(_ name: String) -> @Sendable (LoggedEvent) -> Bool { { $0.name == name } }

    private static let isPositionFive: @Sendable (LoggedEvent) -> Bool = { $0 == LoggedEvent(.position(5)) }

    static let changes: [Change] = [
        Change(rule: .order, line: isState(.ready), edit: { $0.t = 0 }),
        Change(rule: .states, line: isState(.play), edit: { $0.event = LoggedEvent(.state(.pause)) }),
        Change(
            rule: .ready, line: isNamed("tracks"), found: isState(.ready), edit: { $0.event = LoggedEvent(.mute(true)) }
        ),
        Change(rule: .end, line: isState(.complete), edit: { $0.event = LoggedEvent(.state(.complete), at: 3) }),
        Change(rule: .failure, line: isState(.complete), edit: { $0.event = LoggedEvent(.state(.failure), at: 10) }),
        Change(rule: .position, line: isPositionFive, edit: { $0.event = LoggedEvent(.position(1)) }),
        Change(rule: .seek, line: isPositionFive, edit: { $0.event = LoggedEvent(.seek(.seeked, position: 5)) }),
        Change(
            rule: .tracks, line: isNamed("selectedAudio"),
            edit: { $0.event = LoggedEvent(.selectedAudio(AudioTrack(id: 99, name: ""))) }),
        Change(rule: .buffer, line: isPositionFive, edit: { $0.event = LoggedEvent(.buffer(.full)) }),
        Change(
            rule: .interruption, line: isNamed("selectedAudio"), found: isState(.play),
            edit: { $0.event = LoggedEvent(.interruption(.began)) }),
        Change(
            rule: .ads, line: isPositionFive, edit: { $0.event = LoggedEvent(.ad(.streamState(.adStarted))) }),
        Change(rule: .values, line: isPositionFive, edit: { $0.event = LoggedEvent(.volume(2)) }),
    ]

    @Test(arguments: changes)
    func aChangedLineIsFound(change: Change) async throws {
        var entries = try EventLogReader.entries(in: try await Self.good.value)
        let line = try #require(entries.firstIndex { change.line($0.event) })
        let found = try #require(entries.firstIndex { (change.found ?? change.line)($0.event) })
        change.edit(&entries[line])
        let (file, result) = try await check(try log(entries))
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("\(file):\(found + 1): \(change.rule.rawValue): "), "\(result.output)")
        #expect(result.output.contains(/\n.*: \d+ events, \d+ breach(es)?\n$/))
    }

    @Test func everyRuleHasItsChange() {
        #expect(Self.changes.map(\.rule) == EventContractBreach.Rule.allCases)
    }

    @Test func breachesAreCounted() async throws {
        let one = #"{"event":"mute","item":0,"mute":true,"player":"p","t":0}"# + "\n"
        let (once, twice) = (try await check(one + one), try await check(one + one + one))
        #expect(
            once.result.output
                == "\(once.file):2: values: mute comes twice with the same value\n\(once.file): 2 events, 1 breach\n")
        #expect(twice.result.output.hasSuffix("\(twice.file): 3 events, 2 breaches\n"))
        let quiet = try await FlowplayCommand.run("check-log", "--quiet", once.file)
        #expect(quiet.status == 1)
        #expect(quiet.output == "\(once.file):2: values: mute comes twice with the same value\n")
    }

    /// Longer than what is read at once, so that pieces have to fit together.
    @Test func aLongLogIsCheckedToItsLastLine() async throws {
        let states: [PlayerState] = [.play, .pause]
        var entries = (0..<40_000).map { index in
            EventLogEntry(
                t: Double(index), player: "long", item: 1,
                event: LoggedEvent(.state(states[index % 2]), at: Double(index / 2)))
        }
        entries.append(
            EventLogEntry(t: 40_000, player: "long", item: 1, event: LoggedEvent(.state(.pause), at: 20_000)))
        let (file, result) = try await check(try log(entries))
        #expect(
            result.output == "\(file):40001: states: pause follows pause\n\(file): 40001 events, 1 breach\n")
    }

    // MARK: Invalid logs

    @Test func aBrokenLineIsPointedAtAndEndsTheLog() async throws {
        let good = try await Self.good.value
        let count = good.split(separator: "\n").count
        let (file, result) = try await check(good + #"{"event":"stat","item":1,"player":"p","t":99}"# + "\n" + good)
        #expect(result.status == 1)
        #expect(
            result.output == """
                \(file):\(count + 1): there is no event "stat"
                \(file): \(count) events, no breach, and an invalid line, after which nothing was checked

                """)
    }

    @Test func aFileWithoutLinesIsNotReadForEver() async throws {
        let result = try await FlowplayCommand.run("check-log", "/dev/zero")
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("/dev/zero:1: the line is longer than 1 MB"))
    }

    @Test(arguments: [("/no/such/log.jsonl", "No such file or directory"), ("/", "Is a directory")])
    func aFileThatCannotBeReadIsSaidAndTheOthersAreChecked(path: String, reason: String) async throws {
        let good = try await file(try await Self.good.value)
        let result = try await FlowplayCommand.run("check-log", path, good)
        #expect(result.status == 2)
        #expect(result.errors.contains("cannot read the log \(path): \(reason). Name a log"))
        #expect(result.output.contains("\(good): "))
    }

    // MARK: Usage

    @Test(arguments: [([], "at least one"), ([""], "empty"), (["--no-such-option", "a"], "--no-such-option")])
    func wrongUsageSaysWhatIsWrong(arguments: [String], hint: String) async throws {
        let result = try await FlowplayCommand.command(["check-log"] + arguments).run()
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }

    @Test func helpShowsExamplesAndTheCommandIsFoundFromTheHostsHelp() async throws {
        let help = try await FlowplayCommand.run("check-log", "--help")
        #expect(help.status == 0)
        for text in ["EXAMPLES", "flowplay check-log -", "--quiet", "EXIT STATUS"] {
            #expect(help.output.contains(text), "\(text) is missing")
        }
        #expect(try await FlowplayCommand.run("--help").output.contains("flowplay check-log"))
    }

    @Test func aFileOfThatNameIsAnItem() async throws {
        let folder = MediaFixtures.shared.directory.appending(path: "check-log-folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "check-log"))
        let arguments = ["check-log", "--engine", "simulated", "--stop-after", "0"]
        let result = try await FlowplayCommand.command(arguments, in: folder).run()
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("load\t0:00\tcheck-log\n"))
    }

    @Test func onlyTheFirstArgumentIsTheCommand() async throws {
        let result = try await FlowplayCommand.run("--engine", "simulated", "--stop-after", "0", "check-log")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("load\t0:00\tcheck-log\n"))
    }

    private func log(_ entries: [EventLogEntry]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try entries.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }
}
