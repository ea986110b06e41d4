import EventLog
import Foundation

/// Checks one log of any size, and prints each breach when it is found.
struct LogReport {
    /// The file cannot be read. The reason is the system's error message.
    struct Failure: Error {
        let reason = String(cString: strerror(errno))
    }

    private static let pieceSize = 1 << 20
    private static let lineFeed = UInt8(ascii: "\n")

    private let file: String
    private var linter = EventLogLinter()
    private var eventCount = 0
    private var breachCount = 0
    private var isBroken = false
    /// `true` if the last line has no line feed, because it is still being written. It is not checked.
    private var isUnfinished = false

    /// - Parameter file: `-` for standard input.
    init(file: String) { self.file = file }

    var hasFault: Bool { breachCount > 0 || isBroken }

    /// `events.jsonl: 34 events, no breach`
    var summary: String {
        let events = eventCount == 1 ? "1 event" : "\(eventCount) events"
        let breaches = breachCount == 0 ? "no breach" : breachCount == 1 ? "1 breach" : "\(breachCount) breaches"
        let rest = isUnfinished ? "; the last line is incomplete and was not checked" : ""
        return
            "\(file): \(events), \(breaches)\(isBroken ? ", and an invalid line, after which nothing was checked" : rest)\n"
    }

    /// Reads and checks the log in pieces of whole lines.
    mutating func check() throws(Failure) {
        let descriptor = file == "-" ? dup(0) : open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure() }
        defer { close(descriptor) }
        var firstLine = 1
        var rest = Data()
        while !isBroken {
            let bytes = try Self.read(descriptor)
            if bytes.isEmpty { break }
            guard let end = bytes.lastIndex(of: Self.lineFeed) else {
                rest += bytes
                if rest.count > Self.pieceSize {
                    addBrokenLine(firstLine, "the line is longer than 1 MB, so this is not an event log")
                }
                continue
            }
            let lines = rest + bytes[...end]
            add(EventLogReader.piece(lines, firstLine: firstLine))
            firstLine += lines.count { $0 == Self.lineFeed }
            rest = bytes[(end + 1)...]
        }
        isUnfinished = !rest.isEmpty
    }

    private static func read(_ descriptor: Int32) throws(Failure) -> Data {
        var bytes = Data(count: pieceSize)
        let count = bytes.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, pieceSize) }
        guard count >= 0 else { throw Failure() }
        return bytes.prefix(count)
    }

    private mutating func add(_ piece: EventLogPiece) {
        for (line, entry) in piece.entries {
            let breaches = linter.check(entry)
            breachCount += breaches.count
            for breach in breaches { Messages.write("\(file):\(line): \(breach)\n", to: 1) }
        }
        eventCount += piece.entries.count
        if let error = piece.error { addBrokenLine(error.line, error.message) }
    }

    /// Reports an invalid line. The lines after it are not checked.
    private mutating func addBrokenLine(_ line: Int, _ message: String) {
        isBroken = true
        Messages.write("\(file):\(line): \(message)\n", to: 1)
    }
}
