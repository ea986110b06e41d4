import Foundation

/// Reads event logs.
public enum EventLogReader {
    /// Reads the entries of a log. Skips empty lines, and a last line without a line feed, which is still being
    /// written.
    ///
    /// - Throws: `EventLogSyntaxError` for the first line that cannot be read.
    public static func entries(in log: Data) throws -> [EventLogEntry] {
        try numberedEntries(in: log).map(\.entry)
    }

    /// Reads the entries of a log, each with the number of its line, counted from 1.
    public static func numberedEntries(in log: Data) throws -> [(line: Int, entry: EventLogEntry)] {
        let piece = piece(log)
        if let error = piece.error { throw error }
        return piece.entries
    }

    /// Reads a part of a log that starts with a whole line, up to the first line that cannot be read.
    ///
    /// - Parameter firstLine: the line number of the part's first line in the log, counted from 1.
    public static func piece(_ log: Data, firstLine: Int = 1) -> EventLogPiece {
        var lines = log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines.removeLast()
        let decoder = JSONDecoder()
        var entries: [(line: Int, entry: EventLogEntry)] = []
        entries.reserveCapacity(lines.count)
        for (number, line) in zip(firstLine..., lines) {
            let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if text.isEmpty { continue }
            do {
                entries.append((number, try decoder.decode(EventLogEntry.self, from: text)))
            } catch {
                return EventLogPiece(entries: entries, error: EventLogSyntaxError(error, line: number))
            }
        }
        return EventLogPiece(entries: entries, error: nil)
    }

    /// Reads the entries of a log in a string.
    public static func entries(in log: String) throws -> [EventLogEntry] { try entries(in: Data(log.utf8)) }
}

/// A part of a log, up to the first line that cannot be read.
public struct EventLogPiece: Sendable {
    /// The entries, each with the number of its line, counted from 1.
    public let entries: [(line: Int, entry: EventLogEntry)]
    /// The error of the first line that cannot be read; `nil` if all lines were read.
    public let error: EventLogSyntaxError?
}

/// A line of a log that cannot be read.
public struct EventLogSyntaxError: Error, Equatable, CustomStringConvertible {
    /// The number of the line, counted from 1.
    public let line: Int
    /// A description of the problem.
    public let message: String

    /// The line and the message, in one line.
    public var description: String { "line \(line): \(message)" }

    init(_ error: any Error, line: Int) {
        self.line = line
        message =
            switch error as? DecodingError {
            case .dataCorrupted(let context) where !context.codingPath.isEmpty: context.debugDescription
            case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
                .valueNotFound(_, let context) where !context.codingPath.isEmpty:
                "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has the wrong type"
            case .keyNotFound(let key, _): "\(key.stringValue) is missing"
            default: "not a JSON object"
            }
    }
}
