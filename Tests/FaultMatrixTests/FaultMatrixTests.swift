#if VLC
import FlowplayerSDK
import Foundation
import Testing

/// Every fault of the kit on every kind of medium, against `Docs/Errors.md`.
///
/// With the environment variable `FLOWPLAYER_UPDATE_GOLDEN` the document's tables are written anew.
@Suite(.serialized) struct FaultMatrixTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Docs/Errors.md").standardized
    /// In seconds: what the policy puts up with, half a second until it is seen and told, and the rest for a machine that plays two
    /// dozen media at once.
    private static let longestSilence = RetryPolicy.standard.stallTimeout + 2

    /// What is between two marks of the document.
    private func part(_ name: String, of text: String) throws -> Range<String.Index> {
        let start = try #require(text.range(of: "<!-- \(name) -->\n"))
        let end = try #require(text.range(of: "\n<!-- end of \(name) -->"))
        return start.upperBound..<end.lowerBound
    }

    private func isSet(_ variable: String) -> Bool {
        ProcessInfo.processInfo.environment[variable]?.isEmpty == false
    }

    private func compare(_ name: String, _ table: String) throws {
        var text = try String(contentsOf: Self.document, encoding: .utf8)
        let part = try part(name, of: text)
        let (expected, actual) = (FaultMatrix.timeless(text[part]), FaultMatrix.timeless(table))
        if isSet("FLOWPLAYER_UPDATE_GOLDEN") {
            text.replaceSubrange(part, with: table)
            return try Data(text.utf8).write(to: Self.document)
        }
        #expect(actual.count == expected.count)
        for (actual, expected) in zip(actual, expected) { #expect(actual == expected) }
    }

    @Test func theDocumentListsEveryCode() throws { try compare("codes", FaultMatrix.codes) }

    /// The faults of which another thing is told than the document says, or too late.
    private func surprises(in matrix: FaultMatrix) throws -> [FaultMatrix.Cell] {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let expected = try ["faults", "messages"].map { Set(FaultMatrix.timeless(text[try part($0, of: text)])) }
        let actual = [matrix.table, matrix.messages].map { FaultMatrix.timeless($0) }
        let lines = zip(actual, expected).flatMap { actual, expected in actual.filter { !expected.contains($0) } }
        return FaultMatrix.all.filter { cell in
            lines.contains { $0.hasPrefix("| `\(cell.fault.plan)`") }
                || matrix[cell]?.silence.map { $0 >= Self.longestSilence } == true
        }
    }

    @Test func everyFaultEndsAsTheDocumentSays() async throws {
        // How soon a fault is told, and as which of two, is then the sanitizer's doing.
        let isSanitized = isSet("FLOWPLAYER_SANITIZER")
        var matrix = FaultMatrix()
        try await matrix.run(FaultMatrix.all)
        // A machine that stood still for seconds makes faults of its own: ours are there each time.
        for _ in 1...2 where !isSanitized && !isSet("FLOWPLAYER_UPDATE_GOLDEN") {
            let surprises = try surprises(in: matrix)
            guard !surprises.isEmpty else { break }
            print("once more:", surprises.map { "\($0.fault.plan) on \($0.medium.rawValue)" })
            try await matrix.run(surprises)
        }
        for cell in FaultMatrix.all {
            let run = try #require(matrix[cell])
            let name = "\(cell.fault.plan), \(cell.medium.rawValue)"
            #expect(run.ending != .stuck, "\(name)")
            #expect(run.finalEvents == (run.ending == .playsOn ? 0 : 1), "\(name)")
            if !isSanitized, let silence = run.silence { #expect(silence < Self.longestSilence, "\(name)") }
        }
        guard !isSanitized else { return }
        try compare("faults", matrix.table)
        try compare("messages", matrix.messages)
    }
}
#endif
