#if VLC
import Foundation
import MediaTransport
import Playback

// The parts of an item from a server that libVLC can play without waiting.
extension VLCPlayback {
    /// The time between two reports during playback, in seconds.
    private static let reportInterval = 1.0
    private static let longestInterval = 64.0

    /// Reports the range around the playhead if it has changed, and does so again after a while.
    ///
    /// While playback is paused and nothing changes, the interval doubles each time, so that an idle program seldom wakes.
    ///
    /// - Parameter interval: the last interval, in seconds.
    func reportBufferedRange(after interval: Double = reportInterval) {
        guard !isOver, content != nil, !machine.url.isFileURL else { return }
        let range = isPreloaded ? nil : bufferedRange
        let isNew = range != nil && range != reportedRange
        let isIdle = !machine.wantsToPlay && !isNew
        let next = isIdle ? min(2 * interval, Self.longestInterval) : Self.reportInterval
        rangeTimer = Token()
        perform(after: next, while: \.rangeTimer) { $0.reportBufferedRange(after: next) }
        guard isNew, let range else { return }
        reportedRange = range
        report(.bufferedRangesChanged([range]))
    }

    /// `nil` while it is not known.
    private var bufferedRange: ClosedRange<Double>? {
        guard machine.state.isOpen && machine.state.seek == nil || machine.isDraining else { return nil }
        let position = machine.playhead(at: now).position
        return content?.bufferedRange(
            around: position, of: machine.duration, machine.timeline, player?.proxySession)
    }
}
#endif
