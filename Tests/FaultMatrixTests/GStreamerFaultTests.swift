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
        // The result of a file may be that of libVLC too: GStreamer reads a small file to its end before it plays, or not.
        let expected = { @Sendable (cell: FaultMatrix.Cell) -> Set<String> in
            let row = differences.first { $0.hasPrefix("| `\(cell.fault.plan)` | \(cell.media.rawValue) | ") }
            let own = row?.split(separator: "|").last?.split(separator: " or ").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return Set(own ?? [document.ending(of: cell)]).union(cell.media.isHLS ? [] : [document.ending(of: cell)])
        }
        let matrix = try await FaultMatrix(
            backend: { LibGStreamerBackend(audioOutput: .none) },
            policy: { cell in
                expected(cell).contains { $0.contains("timedOut") } ? .standard : FaultMatrixTests.patientPolicy
            })
        // The sanitizer decides which of two errors comes first.
        let hasSanitizer = ProcessInfo.processInfo.environment["FLOWPLAYER_SANITIZER"] != nil
        for cell in FaultMatrix.all {
            let run = try #require(matrix[cell])
            let name = "\(cell.fault.plan), \(cell.media.rawValue)"
            #expect(run.ending != .stuck, "\(name)\n\(run.log)")
            #expect(run.finalEvents == (run.ending == .playsOn ? 0 : 1), "\(name)")
            // A file that is read to its end before it plays may also reach a time-out on a busy machine.
            if cell.media.isHLS, !hasSanitizer {
                #expect(expected(cell).contains(run.endingText), "\(name)\n\(run.log)")
            }
        }
    }
}
#endif
