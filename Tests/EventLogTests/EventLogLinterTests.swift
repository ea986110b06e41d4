import EventLog
import FlowplayerSDK
import Foundation
import Testing

/// Every rule of the event contract finds who breaks it, and nobody else.
@Suite struct EventLogLinterTests {
    typealias Rule = EventContractBreach.Rule

    /// A life in which everything happens that the rules speak of. A line's number is its index and 1.
    static let life: [EventLogEntry] = {
        let events: [(item: Int, event: EventLogEntry.Event)] = [
            (0, .volume(0.5)),  // 1
            (1, .media(url: "/media/clip.mp4")),  // 2
            (1, .state(.load, position: 0)),  // 3
            (1, .playbackType(.file)),  // 4
            (1, .duration(10)),  // 5
            (1, .tracks(audio: [AudioTrack(id: 1, name: "English")], subtitles: [])),  // 6
            (1, .selectedAudio(id: 1)),  // 7
            (1, .buffer(.keepUp)),  // 8
            (1, .state(.ready, position: 0)),  // 9
            (1, .state(.play, position: 0)),  // 10
            (1, .playbackState(.playing)),  // 11
            (1, .position(0.25)),  // 12
            (1, .buffer(.empty)),  // 13
            (1, .position(0.5)),  // 14
            (1, .state(.buffer, position: 0.5)),  // 15
            (1, .buffer(.keepUp)),  // 16
            (1, .state(.play, position: 0.5)),  // 17
            (1, .mute(true)),  // 18
            (1, .seek(.seeking, position: 9)),  // 19
            (1, .position(9)),  // 20
            (1, .seek(.seeked, position: 9)),  // 21
            (1, .buffer(.full)),  // 22
            (1, .position(10)),  // 23
            (1, .state(.complete, position: 10)),  // 24
            (1, .playbackState(.ended)),  // 25
            (2, .buffer(.empty)),  // 26
            (2, .state(.load, position: 0)),  // 27
            (2, .playbackState(.idle)),  // 28
            (2, .buffer(.keepUp)),  // 29
            (2, .state(.ready, position: 0)),  // 30
            (2, .state(.play, position: 0)),  // 31
            (2, .playbackState(.playing)),  // 32
            (2, .position(0.25)),  // 33
            (2, .buffer(.empty)),  // 34
            (2, .error(code: "endedEarly", message: "", cause: nil, url: nil, status: nil, retryable: true)),  // 35
            (2, .state(.failure, position: 0.25)),  // 36
            (2, .playbackState(.idle)),  // 37
            (2, .playbackType(.unknown)),  // 38
            (2, .state(.idle, position: 0)),  // 39
            (2, .volume(1)),  // 40
            (2, .interruption(.began)),  // 41
            (2, .interruption(.ended)),  // 42
        ]
        return events.enumerated().map { index, line in
            EventLogEntry(t: Double(index), player: "p", item: line.item, event: line.event)
        }
    }()

    private static func breaches(in entries: [EventLogEntry]) -> [(line: Int, breach: EventContractBreach)] {
        var linter = EventLogLinter()
        return entries.enumerated().flatMap { index, entry in linter.check(entry).map { (index + 1, $0) } }
    }

    // MARK: Breaches

    /// One thing wrong in the life, and the line at which it comes out.
    struct Fault: CustomTestStringConvertible {
        let rule: Rule
        let line: Int
        let testDescription: String
        let edit: @Sendable (inout [EventLogEntry]) -> Void

        /// Another event in a line.
        static func instead(_ line: Int, _ event: EventLogEntry.Event, _ rule: Rule) -> Fault {
            Fault(rule: rule, line: line, testDescription: "\(event) instead of line \(line)") {
                $0[line - 1].event = event
            }
        }

        /// A line more than there should be.
        static func before(_ line: Int, _ event: EventLogEntry.Event, _ rule: Rule, foundAt found: Int? = nil) -> Fault {
            Fault(rule: rule, line: found ?? line, testDescription: "\(event) before line \(line)") {
                var entry = $0[line - 1]
                entry.event = event
                $0.insert(entry, at: line - 1)
            }
        }

        /// A line less.
        static func without(_ line: Int, _ rule: Rule, foundAt found: Int) -> Fault {
            Fault(rule: rule, line: found, testDescription: "without line \(line)") { $0.remove(at: line - 1) }
        }

        static func with(
            _ line: Int, _ what: String, _ rule: Rule, _ edit: @escaping @Sendable (inout EventLogEntry) -> Void
        ) -> Fault {
            Fault(rule: rule, line: line, testDescription: "\(what) in line \(line)") { edit(&$0[line - 1]) }
        }
    }

    static let faults: [Fault] = [
        .with(12, "an earlier time", .order) { $0.t = 3 },
        .with(12, "a time of day", .order) { $0.ts = Date(timeIntervalSince1970: 0) },
        .with(33, "the older item", .order) { $0.item = 1 },
        .with(12, "an item that was not loaded", .order) { $0.item = 2 },

        .without(9, .states, foundAt: 9),
        .before(11, .state(.play, position: 0), .states),
        .instead(10, .state(.pause, position: 0), .states),
        .before(12, .playbackState(.playing), .states),
        .before(12, .playbackState(.ended), .states),
        .instead(25, .playbackState(.idle), .states),

        .without(6, .ready, foundAt: 8),
        .before(10, .state(.ready, position: 0), .ready),

        .instead(24, .state(.complete, position: 3), .end),
        .before(25, .position(4), .end),
        .before(25, .duration(11), .end),
        .before(25, .tracks(audio: [], subtitles: []), .end),
        .before(25, .metadata(MediaMetadata(title: "Late")), .end),

        .without(35, .failure, foundAt: 35),
        .before(36, .mute(false), .failure),
        .before(
            12, .error(code: "", message: "", cause: nil, url: nil, status: nil, retryable: false), .failure,
            foundAt: 13),
        .before(37, .position(0.3), .failure),

        .instead(12, .position(10.01), .position),
        .instead(15, .state(.buffer, position: 11), .position),
        .instead(14, .position(0.1), .position),
        .before(13, .position(0.25), .position),
        .before(40, .position(1), .position),

        .without(19, .seek, foundAt: 20),
        .without(21, .seek, foundAt: 23),
        .before(35, .seek(.seeking, position: 5), .seek, foundAt: 37),
        .before(12, .seek(.idle, position: 0), .seek),

        .before(42, .interruption(.began), .interruption),
        .instead(42, .interruption(.began), .interruption),
        .before(31, .interruption(.began), .interruption, foundAt: 32),
        .before(40, .seek(.seeking, position: 5), .seek),

        .instead(7, .selectedAudio(id: 2), .tracks),
        .before(8, .selectedSubtitle(id: 11), .tracks),

        .before(9, .buffer(.keepUp), .buffer),
        .without(13, .buffer, foundAt: 14),
        .without(16, .buffer, foundAt: 16),

        .instead(40, .volume(0.5), .values),
        .instead(40, .volume(1.01), .values),
        .instead(40, .rate(0), .values),
        .before(19, .mute(true), .values),
        .before(5, .playbackType(.file), .values),
        .before(6, .duration(10), .values),
        .instead(5, .duration(0), .values),
        .before(12, .item(index: 1, reason: .ended), .values),
    ]

    @Test(arguments: faults)
    func aFaultIsFoundInItsLine(fault: Fault) {
        var entries = Self.life
        fault.edit(&entries)
        let found = Self.breaches(in: entries)
        #expect(found.contains { $0.line == fault.line && $0.breach.rule == fault.rule }, "\(found)")
        #expect(found.first.map { $0.line >= fault.line } == true, "\(found)")
    }

    @Test func everyRuleHasItsFault() {
        #expect(Set(Self.faults.map(\.rule)) == Set(Rule.allCases))
    }

    @Test func aBreachSaysItsRuleAndWhatHappened() {
        var entries = Self.life
        entries[13].event = .position(0.1)
        #expect(
            Self.breaches(in: entries).map(\.breach.description) == [
                "position: position runs back from 0.25 s to 0.1 s without a seek"
            ])
    }

    // MARK: No breaches

    @Test func aWholeLifeIsInnocent() {
        #expect(Self.breaches(in: Self.life).isEmpty)
    }

    @Test(arguments: life.indices)
    func aLogMayBeginAnywhere(line: Int) {
        let found = Self.breaches(in: Array(Self.life[line...]))
        #expect(found.isEmpty, "\(found)")
    }

    @Test func eachPlayerHasALifeOfItsOwn() {
        let lives = Self.life.flatMap { entry in
            ["left", "right"].map { EventLogEntry(t: entry.t, player: $0, item: entry.item, event: entry.event) }
        }
        #expect(Self.breaches(in: lives).isEmpty)
    }

    /// The player reopens the item at the end while a seek is in progress.
    @Test func aSeekMayEndInTheNextOpening() {
        let reopening: [EventLogEntry.Event] = [
            .buffer(.empty), .state(.load, position: 5), .playbackState(.idle), .seek(.seeked, position: 5),
            .buffer(.keepUp), .state(.ready, position: 5),
        ]
        let entries =
            Self.life[..<18] + [EventLogEntry(t: 18, player: "p", item: 1, event: .seek(.seeking, position: 5))]
            + reopening.map { EventLogEntry(t: 19, player: "p", item: 2, event: $0) }
        let found = Self.breaches(in: Array(entries))
        #expect(found.isEmpty, "\(found)")
    }

    @Test func aNewLoadOvertakesASeekUntold() {
        let entries =
            Self.life[..<19]
            + [
                EventLogEntry(t: 19, player: "p", item: 2, event: .media(url: "/media/other.mp4")),
                EventLogEntry(t: 19, player: "p", item: 2, event: .state(.load, position: 0)),
                EventLogEntry(t: 19, player: "p", item: 2, event: .seek(.seeked, position: 0)),
            ]
        #expect(Self.breaches(in: Array(entries)).map(\.breach.rule) == [.seek])
    }

    @Test func aLogIsCheckedWithTheNumbersOfItsLines() throws {
        let log = """
            {"event":"volume","item":0,"player":"p","t":0,"volume":0.5}

            {"event":"volume","item":0,"player":"p","t":1,"volume":0.5}

            """
        let found = try EventLogLinter.breaches(in: Data(log.utf8))
        #expect(found.map(\.line) == [3])
        #expect(found.first?.breach.rule == .values)
    }
}
