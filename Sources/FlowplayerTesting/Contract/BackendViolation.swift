import Foundation

/// A backend breaks a rule of the contract, or a file for it is missing.
public struct BackendViolation: LocalizedError, CustomStringConvertible {
    /// The `id` of the case.
    public let id: String
    /// The rule.
    public let sentence: String
    /// The observed behaviour, in sentences.
    public let problem: String
    /// The commands (`>`) and the events, one a line, with the time in seconds by the backend's clock.
    public let log: [String]
    /// The file of the test, as `#fileID` has it.
    public let fileID: String
    /// The line of the test that ran the case.
    public let line: Int

    /// The place, the case, the problem and the log.
    public var description: String {
        (["\(fileID):\(line): The backend violates \(id): \(sentence)", problem] + log).joined(separator: "\n")
    }
    public var errorDescription: String? { description }
}
