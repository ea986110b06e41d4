#if VLC
import FlowplayerFaults
import FlowplayerIsolation
import FlowplayerSDK
import Foundation
import Testing

/// Every fault of the kit on every kind of media, against `Docs/ErrorTables.md`.
///
/// `swift run -c release --package-path Benchmarks faults --update` writes the document's tables. It also measures how long the player
/// takes to report a fault, which no test checks.
@Suite struct FaultMatrixTests {
    @Test func theDocumentListsEveryCode() throws { try compare("codes", FaultMatrix.codes) }

    @Test func everyFaultEndsAsTheDocumentSays() async throws {
        let document = try FaultDocument()
        // A busy machine only delays a timeout. All other outcomes get so much time that no timeout can come first.
        let matrix = try await FaultMatrix { cell in
            document.isTimeout(cell) ? .standard : Self.steadyPolicy(cell.fault)
        }
        // The sanitizer decides which of two errors comes first.
        let hasSanitizer = ProcessInfo.processInfo.environment["FLOWPLAYER_SANITIZER"] != nil
        for cell in FaultMatrix.all {
            let run = try #require(matrix[cell])
            let name = "\(cell.fault.plan), \(cell.media.rawValue)"
            #expect(run.ending != .stuck, "\(name)\n\(run.log)")
            #expect(run.finalEvents == (run.ending == .playsOn ? 0 : 1), "\(name)")
            if !hasSanitizer { #expect(run.endingText == document.ending(of: cell), "\(name)\n\(run.log)") }
        }
        guard !hasSanitizer else { return }
        try compare("faults", matrix.table)
        try compare("messages", matrix.messages)
    }

    /// The short form plays a part of the faults.
    @Test func faultsEndTheSameInASeparateProcess() async throws {
        let document = try FaultDocument()
        let isLong = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] != nil
        let faults = FaultCatalogue.entries.enumerated().filter { isLong || $0.offset % 6 == 0 }.map(\.element.plan)
        let matrix = try await FaultMatrix(
            FaultMatrix.all.filter { faults.contains($0.fault.plan) },
            backend: { IsolatedBackend(options: ["audio": "none", "callTimeout": "20"]) },
            policy: { document.isTimeout($0) ? .standard : Self.steadyPolicy($0.fault) })
        let expected = FaultMatrix.timeless(try document["faults"])
        let actual = FaultMatrix.timeless(matrix.table)
        for fault in faults {
            let row = "| `\(fault)`: "
            #expect(actual.first { $0.hasPrefix(row) } == expected.first { $0.hasPrefix(row) })
        }
    }

    /// A policy without limits of time, except for a server that hangs.
    static func steadyPolicy(_ fault: FaultCatalogue.Entry) -> RetryPolicy {
        var policy = RetryPolicy()
        (policy.attempts, policy.longestDelay) = (8, 1)
        policy.readTimeout = fault.plan.description.hasPrefix("hang") ? 2 : .infinity
        (policy.openTimeout, policy.stallTimeout, policy.giveUpAfter) = (.infinity, .infinity, .infinity)
        return policy
    }

    private func compare(_ name: String, _ table: String) throws {
        let expected = FaultMatrix.timeless(try FaultDocument()[name])
        let actual = FaultMatrix.timeless(table)
        #expect(actual.count == expected.count)
        for (actual, expected) in zip(actual, expected) { #expect(actual == expected) }
    }
}
#endif
