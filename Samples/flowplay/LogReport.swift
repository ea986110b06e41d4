import EventLog

/// Checks one log, and prints each breach when it is found.
struct LogReport {
    private let file: String
    private var linter = EventLogLinter()
    private var eventCount = 0
    private var breachCount = 0
    private(set) var isBroken = false
    /// `true` if the last line has no line feed. It is not checked.
    var isUnfinished = false

    init(file: String) { self.file = file }

    var hasFault: Bool { breachCount > 0 || isBroken }

    /// `events.jsonl: 34 events, no breach`
    var summary: String {
        let events = eventCount == 1 ? "1 event" : "\(eventCount) events"
        let breaches = breachCount == 0 ? "no breach" : breachCount == 1 ? "1 breach" : "\(breachCount) breaches"
        let rest =
            isBroken
            ? ", and an invalid line"
            : isUnfinished ? "; the last line is incomplete and was not checked" : ""
        return "\(file): \(events), \(breaches)\(rest)\n"
    }

    mutating func add(_ piece: EventLogPiece) {
        var lines = ""
        for (line, entry) in piece.entries {
            let breaches = linter.check(entry)
            breachCount += breaches.count
            for breach in breaches { lines += "\(file):\(line): \(breach)\n" }
        }
        eventCount += piece.entries.count
        Messages.write(lines, to: 1)
        if let error = piece.error { addBrokenLine(error.line, error.message) }
    }

    /// Reports an invalid line. The lines after it are not checked.
    mutating func addBrokenLine(_ line: Int, _ message: String) {
        isBroken = true
        Messages.write("\(file):\(line): \(message)\n", to: 1)
    }
}
