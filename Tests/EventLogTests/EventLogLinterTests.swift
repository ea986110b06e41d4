import EventLog
import FlowplayerSDK
import Foundation
import Playback
import Testing

/// Every rule of the event contract finds who breaks it, and nobody else.
@Suite struct EventLogLinterTests {
    typealias Rule = EventContractBreach.Rule

    /// A life in which everything happens that the rules speak of. A line's number is its index and 1.
    static let life: [EventLogEntry] = {
        let events: [(item: Int, event: LoggedEvent)] = [
            (0, LoggedEvent(.volume(0.5))),  // 1
            (1, LoggedEvent(.media(URL(filePath: "/media/clip.mp4")))),  // 2
            (1, LoggedEvent(.state(.load), at: 0)),  // 3
            (1, LoggedEvent(.playbackType(.file))),  // 4
            (1, LoggedEvent(.duration(10))),  // 5
            (1, LoggedEvent(.tracks(MediaTracks(audio: [AudioTrack(id: 1, name: "English")])))),  // 6
            (1, LoggedEvent(.selectedAudio(AudioTrack(id: 1, name: "")))),  // 7
            (1, LoggedEvent(.buffer(.keepUp))),  // 8
            (1, LoggedEvent(.state(.ready), at: 0)),  // 9
            (1, LoggedEvent(.state(.play), at: 0)),  // 10
            (1, LoggedEvent(.playbackState(.playing))),  // 11
            (1, LoggedEvent(.position(0.25))),  // 12
            (1, LoggedEvent(.buffer(.empty))),  // 13
            (1, LoggedEvent(.position(0.5))),  // 14
            (1, LoggedEvent(.state(.buffer), at: 0.5)),  // 15
            (1, LoggedEvent(.buffer(.keepUp))),  // 16
            (1, LoggedEvent(.state(.play), at: 0.5)),  // 17
            (1, LoggedEvent(.mute(true))),  // 18
            (1, LoggedEvent(.seek(.seeking, position: 9))),  // 19
            (1, LoggedEvent(.position(9))),  // 20
            (1, LoggedEvent(.seek(.seeked, position: 9))),  // 21
            (1, LoggedEvent(.buffer(.full))),  // 22
            (1, LoggedEvent(.position(10))),  // 23
            (1, LoggedEvent(.state(.complete), at: 10)),  // 24
            (1, LoggedEvent(.playbackState(.ended))),  // 25
            (2, LoggedEvent(.buffer(.empty))),  // 26
            (2, LoggedEvent(.state(.load), at: 0)),  // 27
            (2, LoggedEvent(.playbackState(.idle))),  // 28
            (2, LoggedEvent(.buffer(.keepUp))),  // 29
            (2, LoggedEvent(.state(.ready), at: 0)),  // 30
            (2, LoggedEvent(.state(.play), at: 0)),  // 31
            (2, LoggedEvent(.playbackState(.playing))),  // 32
            (2, LoggedEvent(.position(0.25))),  // 33
            (2, LoggedEvent(.buffer(.empty))),  // 34
            (2, LoggedEvent(.error(PlaybackError(.endedEarly, url: nil)))),  // 35
            (2, LoggedEvent(.state(.failure), at: 0.25)),  // 36
            (2, LoggedEvent(.playbackState(.idle))),  // 37
            (2, LoggedEvent(.playbackType(.unknown))),  // 38
            (2, LoggedEvent(.state(.idle), at: 0)),  // 39
            (2, LoggedEvent(.volume(1))),  // 40
            (2, LoggedEvent(.interruption(.began))),  // 41
            (2, LoggedEvent(.interruption(.ended))),  // 42
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
        static func instead(_ line: Int, _ event: LoggedEvent, _ rule: Rule) -> Fault {
            Fault(rule: rule, line: line, testDescription: "\(event.name) instead of line \(line)") {
                $0[line - 1].event = event
            }
        }

        /// A line more than there should be.
        static func before(_ line: Int, _ event: LoggedEvent, _ rule: Rule, foundAt found: Int? = nil) -> Fault {
            Fault(rule: rule, line: found ?? line, testDescription: "\(event.name) before line \(line)") {
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

    /// An item of a queue.
    private static let item: LoggedEvent = {
        let json = #"{"event":"item","index":1,"reason":"ended"}"#
        return try! JSONDecoder().decode(LoggedEvent.self, from: Data(json.utf8))
    }()

    static let faults: [Fault] = [
        .with(12, "an earlier time", .order) { $0.t = 3 },
        .with(12, "a time of day", .order) { $0.ts = Date(timeIntervalSince1970: 0) },
        .with(33, "the older item", .order) { $0.item = 1 },
        .with(12, "an item that was not loaded", .order) { $0.item = 2 },

        .without(9, .states, foundAt: 9),
        .before(11, LoggedEvent(.state(.play), at: 0), .states),
        .instead(10, LoggedEvent(.state(.pause), at: 0), .states),
        .before(12, LoggedEvent(.playbackState(.playing)), .states),
        .before(12, LoggedEvent(.playbackState(.ended)), .states),
        .instead(25, LoggedEvent(.playbackState(.idle)), .states),

        .without(6, .ready, foundAt: 8),
        .before(10, LoggedEvent(.state(.ready), at: 0), .ready),

        .instead(24, LoggedEvent(.state(.complete), at: 3), .end),
        .before(25, LoggedEvent(.position(4)), .end),
        .before(25, LoggedEvent(.duration(11)), .end),
        .before(25, LoggedEvent(.tracks(.none)), .end),
        .before(25, LoggedEvent(.metadata(MediaMetadata(title: "Late"))), .end),

        .without(35, .failure, foundAt: 35),
        .before(36, LoggedEvent(.mute(false)), .failure),
        .before(12, LoggedEvent(.error(PlaybackError(.emptyFile, url: nil))), .failure, foundAt: 13),
        .before(37, LoggedEvent(.position(0.3)), .failure),

        .instead(12, LoggedEvent(.position(10.01)), .position),
        .instead(15, LoggedEvent(.state(.buffer), at: 11), .position),
        .instead(14, LoggedEvent(.position(0.1)), .position),
        .before(13, LoggedEvent(.position(0.25)), .position),
        .before(40, LoggedEvent(.position(1)), .position),

        .without(19, .seek, foundAt: 20),
        .without(21, .seek, foundAt: 23),
        .before(35, LoggedEvent(.seek(.seeking, position: 5)), .seek, foundAt: 37),
        .before(12, LoggedEvent(.seek(.idle, position: 0)), .seek),

        .before(42, LoggedEvent(.interruption(.began)), .interruption),
        .instead(42, LoggedEvent(.interruption(.began)), .interruption),
        .before(31, LoggedEvent(.interruption(.began)), .interruption, foundAt: 32),
        .before(40, LoggedEvent(.seek(.seeking, position: 5)), .seek),

        .before(31, LoggedEvent(.ad(.state(.play, .midRoll))), .ads),
        .before(31, LoggedEvent(.ad(.streamState(.adStarted))), .ads),
        Fault(rule: .ads, line: 16, testDescription: "a break of a stream that starts twice") {
            for line in [14, 15] { $0[line].event = LoggedEvent(.ad(.streamState(.adBreakStarted))) }
        },

        .instead(7, LoggedEvent(.selectedAudio(AudioTrack(id: 2, name: ""))), .tracks),
        .before(8, LoggedEvent(.selectedSubtitle(SubtitleTrack(id: 11, name: ""))), .tracks),

        .before(9, LoggedEvent(.buffer(.keepUp)), .buffer),
        .without(13, .buffer, foundAt: 14),
        .without(16, .buffer, foundAt: 16),

        .instead(40, LoggedEvent(.volume(0.5)), .values),
        .instead(40, LoggedEvent(.volume(1.01)), .values),
        .instead(40, LoggedEvent(.rate(-1)), .values),
        .before(10, LoggedEvent(.rate(0)), .values, foundAt: 11),
        .before(24, LoggedEvent(.rate(1)), .values, foundAt: 25),
        .before(19, LoggedEvent(.mute(true)), .values),
        .before(5, LoggedEvent(.playbackType(.file)), .values),
        .before(6, LoggedEvent(.duration(10)), .values),
        .instead(5, LoggedEvent(.duration(0)), .values),
        .before(12, item, .values),
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
        entries[13].event = LoggedEvent(.position(0.1))
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
        let reopening = [
            LoggedEvent(.buffer(.empty)), LoggedEvent(.state(.load), at: 5), LoggedEvent(.playbackState(.idle)),
            LoggedEvent(.seek(.seeked, position: 5)), LoggedEvent(.buffer(.keepUp)), LoggedEvent(.state(.ready), at: 5),
        ]
        let seeking = LoggedEvent(.seek(.seeking, position: 5))
        let entries =
            Self.life[..<18] + [EventLogEntry(t: 18, player: "p", item: 1, event: seeking)]
            + reopening.map { EventLogEntry(t: 19, player: "p", item: 2, event: $0) }
        let found = Self.breaches(in: Array(entries))
        #expect(found.isEmpty, "\(found)")
    }

    @Test func aNewLoadReplacesASeekWithoutAnEvent() {
        let load = [
            LoggedEvent(.media(URL(filePath: "/media/other.mp4"))), LoggedEvent(.state(.load)),
            LoggedEvent(.seek(.seeked, position: 0)),
        ]
        let entries = Self.life[..<19] + load.map { EventLogEntry(t: 19, player: "p", item: 2, event: $0) }
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
