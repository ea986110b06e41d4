#if VLC
import Foundation
import MediaTransport
import Playback

// The parts of an item from a server that libVLC can play without waiting.
extension VLCPlayback {
    /// The time between two reports, in seconds.
    private static let reportInterval = 1.0

    /// Reports the range around the playhead if it has changed, and does so again each second.
    func reportBufferedRange() {
        guard !isOver, content != nil, !machine.url.isFileURL else { return }
        rangeTimer = Token()
        perform(after: Self.reportInterval, while: \.rangeTimer) { $0.reportBufferedRange() }
        guard !isPreloaded, let range = bufferedRange, range != reportedRange else { return }
        reportedRange = range
        report(.bufferedRangesChanged([range]))
    }

    /// `nil` while it is not known.
    private var bufferedRange: ClosedRange<Double>? {
        guard machine.state.isOpen && machine.state.seek == nil || machine.isDraining else { return nil }
        let position = machine.playhead(at: now).position
        switch content {
        case .medium(let item): return machine.duration.flatMap { item.bufferedRange(around: position, of: $0) }
        case .stream:
            guard let session = player?.proxySession else { return nil }
            return machine.timeline?.bufferedRange(around: position, session.deliveredParts)
        case nil: return nil
        }
    }
}
#endif
