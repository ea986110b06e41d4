import EventLog

/// What is found in one log, told as it is found.
struct LogReport {
    private let file: String
    private var linter = EventLogLinter()
    private var eventCount = 0
    private var breachCount = 0
    private(set) var isBroken = false
    /// Whether the log ends within a line, which is not checked.
    var isUnfinished = false

    init(file: String) { self.file = file }

    var hasFault: Bool { breachCount > 0 || isBroken }

    /// `events.jsonl: 34 events, no breach`
    var summary: String {
        let events = eventCount == 1 ? "1 event" : "\(eventCount) events"
        let breaches = breachCount == 0 ? "no breach" : breachCount == 1 ? "1 breach" : "\(breachCount) breaches"
        let rest =
            isBroken
            ? ", then a line that cannot be read"
            : isUnfinished ? "; the last line has no line feed and was left out" : ""
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

    /// Nothing after such a line can be judged.
    mutating func addBrokenLine(_ line: Int, _ message: String) {
        isBroken = true
        Messages.write("\(file):\(line): \(message)\n", to: 1)
    }
}
