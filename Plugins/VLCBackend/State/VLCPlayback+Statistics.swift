#if VLC
import Foundation
import MediaTransport
import Playback

/// The figures that the item has reported.
struct StatisticsReport {
    /// The sum of all reports.
    var reported = PlaybackStatistics()
    var time = Duration.zero
    var framesOfEarlierPlayers = 0
}

extension VLCPlayback {
    /// The shortest time between two reports while the playhead runs.
    private static let interval = Duration.seconds(1)

    /// Returns the figures since the last report, if they belong before an event.
    func newStatistics(before body: BackendEvent.Body) -> PlaybackStatistics? {
        switch body {
        case .time: guard now - statistics.time >= Self.interval else { return nil }
        case .paused, .stalled, .ended, .failed: break
        default: return nil
        }
        guard machine.hasOpened else { return nil }
        let total = totalStatistics
        var new = total
        new.bytesReceived -= statistics.reported.bytesReceived
        new.droppedFrames -= statistics.reported.droppedFrames
        new.retries -= statistics.reported.retries
        defer { (statistics.reported, statistics.time) = (total, now) }
        return total == statistics.reported ? nil : new
    }

    private var totalStatistics: PlaybackStatistics {
        var total = PlaybackStatistics()
        let transfer = meter.totals
        total.bytesReceived = transfer.bytes
        total.observedBitRate = transfer.bitRate
        total.retries = transfer.retries + machine.retry.total
        total.droppedFrames = statistics.framesOfEarlierPlayers + (player?.droppedFrames ?? 0)
        total.indicatedBitRate = player?.proxySession?.indicatedBitRate ?? statistics.reported.indicatedBitRate
        return total
    }
}
#endif
