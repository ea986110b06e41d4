import Foundation
import Playback

/// The figures that an engine has reported about an item.
package struct StatisticsReport {
    /// The shortest time between two reports while the playhead runs.
    private static let interval = Duration.seconds(1)

    /// Counts the transfers of the item's requests.
    package let meter = TransferMeter()
    /// The frames that earlier pipelines or players of the item have dropped.
    package var earlierDroppedFrames = 0
    /// The sum of all reports.
    private var reported = PlaybackStatistics()
    private var time = Duration.zero

    package init() {}

    /// Returns the figures since the last report, if they belong before an event.
    ///
    /// - Parameters:
    ///   - session: the session of a stream.
    ///   - videoDecoder: the name of the current decoder, if it is known.
    ///   - droppedFrames: returns those of the current pipeline or player.
    ///   - retries: the retries of the whole item.
    package mutating func figures(
        before body: BackendEvent.Body, at now: Duration, session: HLSProxySession?, retries: Int,
        videoDecoder: @autoclosure () -> String? = nil, droppedFrames: () -> Int
    ) -> PlaybackStatistics? {
        switch body {
        case .time: guard now - time >= Self.interval else { return nil }
        case .paused, .stalled, .ended, .failed: break
        default: return nil
        }
        let transfer = meter.totals
        var total = PlaybackStatistics()
        total.bytesReceived = transfer.bytes
        total.observedBitRate = transfer.bitRate
        total.retries = transfer.retries + retries
        total.videoDecoder = videoDecoder()
        total.droppedFrames = earlierDroppedFrames + droppedFrames()
        total.indicatedBitRate = session?.indicatedBitRate ?? reported.indicatedBitRate
        var new = total
        new.bytesReceived -= reported.bytesReceived
        new.droppedFrames -= reported.droppedFrames
        new.retries -= reported.retries
        defer { (reported, time) = (total, now) }
        return total == reported ? nil : new
    }
}
