#if VLC && GStreamer
import FlowplayerFaults
import FlowplayerSDK
import Foundation
import GStreamerBackend
import Testing

/// Every fault of the kit on GStreamer. HLS ends as in libVLC's table, or as `Docs/ErrorTables.md` says of GStreamer.
@Suite struct GStreamerFaultTests {
    @Test func everyFaultEndsOnGStreamerAsTheDocumentSays() async throws {
        let document = try FaultDocument()
        let differences = try document["GStreamer"].split(separator: "\n")
        let expected = { @Sendable (cell: FaultMatrix.Cell) in
            let row = differences.first { $0.hasPrefix("| `\(cell.fault.plan)` | \(cell.media.rawValue) | ") }
            return row?.split(separator: "|").last.map { $0.trimmingCharacters(in: .whitespaces) }
                ?? document.ending(of: cell)
        }
        let matrix = try await FaultMatrix(
            backend: { LibGStreamerBackend(audioOutput: .none) },
            // A file may have any end, but it shall come.
            policy: {
                !$0.media.isHLS || expected($0).contains("timedOut")
                    ? .standard : FaultMatrixTests.steadyPolicy($0.fault)
            })
        // The sanitizer decides which of two errors comes first.
        let hasSanitizer = ProcessInfo.processInfo.environment["FLOWPLAYER_SANITIZER"] != nil
        for cell in FaultMatrix.all {
            let run = try #require(matrix[cell])
            let name = "\(cell.fault.plan), \(cell.media.rawValue)"
            #expect(run.ending != .stuck, "\(name)\n\(run.log)")
            #expect(run.finalEvents == (run.ending == .playsOn ? 0 : 1), "\(name)")
            // A file may be read to its end before it plays, or not. A failure before the start is not retried.
            if cell.media.isHLS, !hasSanitizer { #expect(run.endingText == expected(cell), "\(name)\n\(run.log)") }
        }
    }
}
#endif
