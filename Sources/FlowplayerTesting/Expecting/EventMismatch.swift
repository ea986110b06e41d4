import Foundation

/// The events differ from the expected ones.
///
/// It is thrown rather than reported, so that every test framework shows it: an uncaught one fails the test with
/// `description`.
public struct EventMismatch: LocalizedError, Hashable, CustomStringConvertible {
    /// The mismatch in one line.
    public let summary: String
    /// A line for each event, with what it is in front: two blanks for one that came as expected, `- ` for one that is
    /// missing, `+ ` for one that was not expected. Long runs of lines are shortened.
    public let difference: [String]
    /// The file of the test, as `#fileID` has it.
    public let fileID: String
    /// The line of the test that expected something.
    public let line: Int

    /// The place, the summary and the difference, each on separate lines.
    public var description: String {
        (["\(fileID):\(line): \(summary)"] + difference).joined(separator: "\n")
    }
    public var errorDescription: String? { description }
}

/// The place of an expectation in a test.
struct CallSite {
    let fileID: StaticString
    let line: Int

    func mismatch(_ summary: String, _ difference: [String]) -> EventMismatch {
        EventMismatch(summary: summary, difference: difference, fileID: "\(fileID)", line: line)
    }
}
