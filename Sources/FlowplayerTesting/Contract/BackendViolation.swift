import Foundation

/// A backend does not keep a case of its contract, or a medium for it is missing.
public struct BackendViolation: Error, Sendable, CustomStringConvertible {
    /// The `id` of the case.
    public let id: String
    /// What the backend should have done.
    public let sentence: String
    /// What it did instead, as sentences for people.
    public let problem: String
    /// What the backend was asked (`>`) and what it told, a line each, with the time in seconds by its clock.
    public let log: [String]
    /// The file of the test, as `#fileID` has it.
    public let fileID: String
    /// The line of the test that ran the case.
    public let line: Int

    /// The place, the case, the problem and the log.
    public var description: String {
        (["\(fileID):\(line): The backend violates \(id): \(sentence)", problem] + log).joined(separator: "\n")
    }
}

extension BackendViolation: LocalizedError {
    public var errorDescription: String? { description }
}
