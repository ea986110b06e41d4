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
        var lines = log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines.removeLast()
        return try lines.enumerated().compactMap { index, line in
            let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return text.isEmpty ? nil : (index + 1, try entry(in: Data(text), line: index + 1))
        }
    }

    /// The same for a log that has been read as text.
    public static func entries(in log: String) throws -> [EventLogEntry] { try entries(in: Data(log.utf8)) }

    private static func entry(in line: Data, line number: Int) throws -> EventLogEntry {
        do {
            return try JSONDecoder().decode(EventLogEntry.self, from: line)
        } catch let error as DecodingError {
            throw EventLogSyntaxError(error, line: number, text: line)
        }
    }
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

    init(_ error: DecodingError, line: Int, text: Data) {
        self.line = line
        switch error {
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
        @unknown default:
            column = 1
            message = "\(error)"
        }
    }
}
