#if GStreamer
import Foundation
import Playback

// Seeks. A pipeline performs one at a time; of those that are requested meanwhile, the last one counts.
extension GStreamerPlayback {
    /// - Parameters:
    ///   - target: in seconds.
    ///   - isSilent: `true` if its end is not reported.
    func seek(to target: Double, _ tolerance: SeekTolerance, isSilent: Bool = false) {
        let target = min(max(streaming.isLive ? -.infinity : 0, target), duration ?? .infinity)
        switch state {
        case .seeking(var seek):
            // A change of the rate must not hide the end of a seek.
            seek.next = isSilent ? seek.next ?? (seek.target, seek.tolerance) : (target, tolerance)
            seek.isSilent = seek.isSilent && isSilent
            state = .seeking(seek)
            return
        case .probing, .starting, .positioning, .awaitingAddress, .retrying:
            guard hasOpened, isSeekable, !isSilent else { break }
            // The item is being opened again. The seek is performed when it is open.
            playhead.jump(to: target, at: now)
            if case .positioning = state {
                (state, streaming.seek) = (.positioning(next: target), nil)
            } else {
                streaming.seek = target
            }
            return
        case .paused, .playing, .stalled, .finished: break
        }
        guard isOpen, isSeekable, let pipeline else { return seekFailed(isSilent) }
        playhead.pause(at: now)
        ending = Ending()
        if streaming.failure != nil {
            // The pipeline cannot seek any more.
            state = .seeking(Seek(target: target, tolerance: tolerance, isSilent: isSilent, start: now))
            return reopen()
        }
        if case .stalled = state { pipeline.setPlaying(isPlayWanted) }
        let start = now
        guard let target = seekPipeline(to: target, tolerance) else { return seekFailed(isSilent) }
        state = .seeking(Seek(target: target, tolerance: tolerance, isSilent: isSilent, start: start))
        pipeline.setPlaying(isPlayWanted)
        retry.waitingSince = now
        scheduleTick()
    }

    private func seekFailed(_ isSilent: Bool) {
        if !isSilent { report(.seekFailed(position: playhead.position(at: now))) }
        progress()
    }

    /// The pipeline has reached the target, or its end.
    func finish(_ seek: Seek) {
        state = .paused
        (retry.waitingSince, streaming.missingSince) = (nil, nil)
        if let next = seek.next {
            playhead.jump(to: next.target, at: now)
            return self.seek(to: next.target, next.tolerance, isSilent: seek.isSilent)
        }
        let position = seek.tolerance == .exact ? seek.target : position ?? seek.target
        playhead.jump(to: position, at: now)
        if !seek.isSilent { report(.seeked(position: position)) }
        reportBufferedRange()
        progress()
    }
}
#endif
