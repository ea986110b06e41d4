#if GStreamer
import MediaTransport
import Playback

// The data that have arrived from a server.
extension GStreamerPlayback {
    /// The number of ticks without progress after which playback has stalled.
    private static let starvingTicks = 2

    /// `true` if the playhead has stopped, because bytes are missing.
    var isStarving: Bool {
        if network != nil { return lacksLiveData }
        if lacksVideo { return true }
        guard isRemote, ticks.withoutProgress >= Self.starvingTicks else { return false }
        return isStream ? lacksSegments : pipeline?.source?.isWaiting == true
    }

    /// Ends a stall if the pipeline has received data.
    func checkStall() {
        if network != nil { return checkLiveData() }
        guard let pipeline, pipeline.state.isSettled else { return }
        if isStream ? !lacksSegments : pipeline.source?.isWaiting == false { endStall() }
    }

    /// Reports the range around the playhead if it has changed.
    func reportBufferedRange() {
        guard hasOpened, isOpen else { return }
        if case .seeking = state { return }
        let position = playhead.position(at: now)
        let range = content?.bufferedRange(around: position, of: duration, streaming.timeline, streaming.session)
        guard let range else { return }
        if let last = reportedRange {
            let isRecent = now - last.time < Self.reportInterval && last.range.contains(position)
            guard range != last.range, !isRecent else { return }
        }
        reportedRange = (range, now)
        report(.bufferedRangesChanged([range]))
    }

    /// The shortest time between two reports.
    private static let reportInterval = Duration.seconds(1)
}
#endif
