import FlowplayerFaults
import Foundation

/// The file on the servers of these tests. Each four bytes are their own index.
enum Clip {
    static let size = 300_000
    static let data: Data = {
        var data = Data()
        for number in UInt32(0)..<UInt32(size / 4) {
            withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
        }
        return data
    }()
    static let path = "/clip.mp4"

    static func server(clock: some Clock<Duration> = ContinuousClock()) async throws -> FaultServer {
        try await FaultServer.start(serving: [path: data, "/folder/other clip.mp4": data], clock: clock)
    }
}
