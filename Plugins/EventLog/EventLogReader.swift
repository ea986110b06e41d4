import Foundation

/// Reads event logs back.
public enum EventLogReader {
    /// The entries of a log, in their order. Empty lines are skipped, and so is a last line without its line feed,
    /// which is still being written.
    ///
    /// - Throws: `EventLogSyntaxError` for the first line that is broken.
    public static func entries(in log: Data) throws -> [EventLogEntry] {
        try numberedEntries(in: log).map(\.entry)
    }

    /// The same, each with the number of its line, counted from 1.
    public static func numberedEntries(in log: Data) throws -> [(line: Int, entry: EventLogEntry)] {
        let piece = piece(log)
        if let error = piece.error { throw error }
        return piece.entries
    }

    /// Reads a part of a log that begins at the beginning of a line, up to the first line that is broken.
    ///
    /// - Parameter firstLine: the number that the first line of the part has in the log, counted from 1.
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
                return EventLogPiece(
                    entries: entries, error: EventLogSyntaxError(error, line: number, text: Data(text)))
            }
        }
        return EventLogPiece(entries: entries, error: nil)
    }

    /// The same for a log that has been read as text.
    public static func entries(in log: String) throws -> [EventLogEntry] { try entries(in: Data(log.utf8)) }
}

/// A part of a log, as far as it can be read.
public struct EventLogPiece: Sendable {
    /// Each with the number of its line, counted from 1.
    public let entries: [(line: Int, entry: EventLogEntry)]
    /// Where the first broken line is, which ends the entries; `nil` if there is none.
    public let error: EventLogSyntaxError?
}

/// Where a log is broken, and how.
public struct EventLogSyntaxError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// In bytes, counted from 1.
    public let column: Int
    /// What is wrong there, for people.
    public let message: String

    /// Place and fault, in one line.
    public var description: String { "line \(line), column \(column): \(message)" }

    init(_ error: any Error, line: Int, text: Data) {
        self.line = line
        switch error as? DecodingError {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            column = JSONLocator(text).firstFault
            message = "not a JSON object"
        case .dataCorrupted(let context):
            column = JSONLocator(text).column(ofValueFor: context.codingPath)
            message = context.debugDescription
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            column = JSONLocator(text).column(ofValueFor: context.codingPath)
            let name = context.codingPath.map(\.stringValue).joined(separator: ".")
            message = name.isEmpty ? "not a JSON object" : "\(name) has the wrong type"
        case .keyNotFound(let key, let context):
            column = JSONLocator(text).column(ofValueFor: context.codingPath)
            message = "\(key.stringValue) is missing"
        default:
            column = 1
            message = "\(error)"
        }
    }
}
