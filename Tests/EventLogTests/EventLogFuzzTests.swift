import EventLog
import Foundation
import TestSupport
import Testing

/// The reader and the linter accept every log without a crash.
@Suite struct EventLogFuzzTests {
    private static let pieces = [
        "{", "}", "[", "]", "\"", "\\", "\\u0000", "\\ud800", ",", ":", "null", "true", "-1", "1e400", "1e308", "-0.0",
        "0.1",
        "9223372036854775807", "9223372036854775808", "nan", "\u{FEFF}", "💿", "\n", "\r\n", "\"t\":", "\"item\":",
        "\"position\":", "\"seek\"", "\"state\"", "\"play\"", "\"complete\"", "\"failure\"", "\"error\"",
        "\"duration\"",
    ]

    private static let logs: [[UInt8]] = [
        """
        {"event":"media","item":1,"player":"p","t":0,"ts":"2026-11-21T07:05:10.411Z","url":"/a.mp4"}
        {"event":"state","item":1,"player":"p","position":0,"state":"load","t":0.1}
        {"event":"duration","duration":10,"item":1,"player":"p","t":0.2}
        {"event":"tracks","item":1,"player":"p","audio":[{"id":1,"name":"A"}],"subtitles":[],"t":0.2}
        {"event":"state","item":1,"player":"p","position":0,"state":"ready","t":0.3}
        {"event":"state","item":1,"player":"p","position":0,"state":"play","t":0.3}
        {"event":"position","item":1,"player":"p","position":0.5,"t":0.8}
        {"event":"state","item":1,"player":"p","position":10,"state":"complete","t":10}

        """,
        """
        {"event":"volume","item":0,"player":"q","volume":0.5,"t":3}
        {"event":"rate","item":1,"player":"q","rate":2,"t":4}
        {"event":"buffer","item":1,"player":"q","buffer":"empty","t":5}
        {"event":"log","item":1,"player":"q","code":"c","message":"m","t":6}
        {"event":"position","item":9223372036854775807,"player":"q","position":1e300,"t":1e300}

        """,
    ].map { Array($0.utf8) }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddLogsAreReadAndChecked(seed: UInt64) async {
        var mutator = Mutator(seed: seed, pieces: Self.pieces)
        var (read, broken) = (0, 0)
        for number in 0..<Fuzzing.count(short: 500) {
            await Fuzzing.giveWay(number)
            let log = mutator.mutant(of: Self.logs)
            let piece = EventLogReader.piece(Data(log))
            var linter = EventLogLinter()
            for (_, entry) in piece.entries { _ = linter.check(entry) }
            read += piece.entries.count
            guard let error = piece.error else { continue }
            broken += 1
            #expect(error.line > 0 && error.line <= log.count(where: { $0 == 10 }), "\(error)")
        }
        #expect(read > 250 && broken > 250)
    }
}
