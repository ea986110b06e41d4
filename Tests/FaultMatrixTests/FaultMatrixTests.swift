#if VLC
import FlowplayerSDK
import Foundation
import Testing

/// Every fault of the kit on every kind of media, against `Docs/Errors.md`.
///
/// `swift run -c release --package-path Benchmarks faults --update` writes the document's tables. It also measures how long the player
/// takes to report a fault, which no test checks.
@Suite struct FaultMatrixTests {
    @Test func theDocumentListsEveryCode() throws { try compare("codes", FaultMatrix.codes) }

    @Test func everyFaultEndsAsTheDocumentSays() async throws {
        let document = try FaultDocument()
        // A busy machine only delays a timeout. All other outcomes get so much time that no timeout can come first.
        let matrix = try await FaultMatrix { cell in
            document.isTimeout(cell) ? .standard : Self.patientPolicy
        }
        for cell in FaultMatrix.all {
            let run = try #require(matrix[cell])
            let name = "\(cell.fault.plan), \(cell.media.rawValue)"
            #expect(run.ending != .stuck, "\(name)")
            #expect(run.finalEvents == (run.ending == .playsOn ? 0 : 1), "\(name)")
        }
        // The sanitizer decides which of two errors comes first.
        guard ProcessInfo.processInfo.environment["FLOWPLAYER_SANITIZER"] == nil else { return }
        try compare("faults", matrix.table)
        try compare("messages", matrix.messages)
    }

    private static let patientPolicy: RetryPolicy = {
        var policy = RetryPolicy()
        policy.longestDelay = 1
        policy.readTimeout = 10
        (policy.openTimeout, policy.stallTimeout, policy.giveUpAfter) = (30, 30, 30)
        return policy
    }()

    private func compare(_ name: String, _ table: String) throws {
        let expected = FaultMatrix.timeless(try FaultDocument()[name])
        let actual = FaultMatrix.timeless(table)
        #expect(actual.count == expected.count)
        for (actual, expected) in zip(actual, expected) { #expect(actual == expected) }
    }
}
#endif
