import FlowplayerFaults
import Foundation
import Synchronization
import Testing

private final class Response: Sendable {
    let isOver = Atomic(false)
}

@Suite struct BusyProcessTests {
    /// The tests of a host may compute for seconds. The server still answers its player, which would time out otherwise.
    @Test func theServerAnswersWhileTheThreadPoolIsBusy() async throws {
        let server = try await Clip.server()
        let output = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: output) }
        let address = server.url(for: Clip.path).absoluteString
        let response = Response()
        Thread.detachNewThread {
            let curl = Process()
            curl.executableURL = URL(filePath: "/usr/bin/env")
            curl.arguments = ["curl", "--silent", "--disable", "--max-time", "60", "--output", output.path(), address]
            try? curl.run()
            curl.waitUntilExit()
            response.isOver.store(true, ordering: .relaxed)
        }
        await withDiscardingTaskGroup { group in
            for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask { while !response.isOver.load(ordering: .relaxed) { sched_yield() } }
            }
        }
        #expect(try Data(contentsOf: output) == Clip.data)
        await server.stop()
    }
}
