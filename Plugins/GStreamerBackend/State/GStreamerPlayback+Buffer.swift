#if GStreamer
import MediaTransport
import Playback

// The data that have arrived from a server.
extension GStreamerPlayback {
    /// The number of ticks without progress after which playback has stalled.
    private static let starvingTicks = 2

    /// `true` if the playhead has stopped, because bytes are missing.
    var isStarving: Bool {
        isRemote && ticksWithoutProgress >= Self.starvingTicks && pipeline?.source.isWaiting == true
    }

    /// Ends a stall if the pipeline has received data.
    func checkStall() {
        guard let pipeline, pipeline.state.isSettled, !pipeline.source.isWaiting else { return }
        endStall()
    }

    /// Reports the range around the playhead if it has changed.
    func reportBufferedRange() {
        guard hasOpened, isOpen, case .medium(let bytes) = content, let duration else { return }
        if case .seeking = state { return }
        let position = playhead.position(at: now)
        guard let range = bytes.bufferedRange(around: position, of: duration), range != reportedRange,
            now - reportedRangeTime >= Self.reportInterval || reportedRange?.contains(position) != true
        else { return }
        (reportedRange, reportedRangeTime) = (range, now)
        report(.bufferedRangesChanged([range]))
    }

    /// The shortest time between two reports.
    private static let reportInterval = Duration.seconds(1)
}
#endif
