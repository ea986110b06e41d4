import FlowplayerSDK
import Foundation
import Playback

extension PlaybackStatistics {
    /// The figures in one line.
    var text: String {
        func kilobits(_ bitRate: Double?) -> String { bitRate.map { "\(Int($0 / 1000)) kbit/s" } ?? "-" }
        let startup = startupTime.map { String(format: "%.2f s", $0) } ?? "-"
        let decoder = videoDecoder.map { ", video decoder \($0)" } ?? ""
        let engine = engineCPUTime.map { String(format: ", engine's process %.1f s of CPU", $0) } ?? ""
        let memory = engineMemory.map { ", \($0 >> 20) MB" } ?? ""
        return """
            start-up \(startup), stalls \(stallCount) (\(String(format: "%.1f", stallTime)) s), \
            received \(bytesReceived) bytes, indicated \(kilobits(indicatedBitRate)), observed \(kilobits(observedBitRate)), \
            dropped frames \(droppedFrames)\(decoder), retries \(retries)\(engine)\(memory)
            """
    }
}
