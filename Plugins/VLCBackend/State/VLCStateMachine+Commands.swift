import Foundation
import MediaTransport
import Playback

// What a player asks.
extension VLCStateMachine {
    mutating func play(at time: Duration) -> [Action] {
        guard !wantsToPlay, phase != .finished else { return [] }
        wantsToPlay = true
        if phase == .draining {
            playhead.advance(at: time)
            let position = playhead.position(at: time)
            return [.tell(.playing(position: position)), .awaitEnd(remaining(at: time))] + watch()
        }
        if phase == .open, isLive, !engineRuns {
            rejoinPosition = seek?.target ?? playhead.position(at: time)
            waitingSince = time
            return [.resume] + watch()
        }
        if phase == .open { waitingSince = time }
        // libVLC says nothing if the pause had not reached it yet.
        return [.resume] + (phase == .open && engineRuns && !isBuffering ? run(at: time) : [])
    }

    mutating func pause(at time: Duration) -> [Action] {
        guard wantsToPlay, phase != .finished else { return [] }
        wantsToPlay = false
        if phase == .open { waitingSince = nil }
        guard phase == .draining else { return [.pause] }
        playhead.stand(at: time)
        return [.cancelAwaitingEnd, .tell(.paused(position: playhead.position(at: time)))]
    }

    mutating func seek(to target: Double, at time: Duration) -> [Action] {
        switch phase {
        case .opening where isRestarting && waitingSince != nil:
            // It goes there as soon as it is open again.
            seek = Seek(target: held(target), lastSign: time)
            playhead.jump(to: held(target), at: time)
            return []
        case .opening, .finished: return [.tell(.seekFailed(position: playhead.position(at: time)))]
        case .draining:
            seek = Seek(target: target, hasBegun: true, lastSign: time)
            return [.cancelAwaitingEnd, restart(at: target, decodingVideo: decodesVideo, time)]
        case .open:
            let target = held(target)
            seek = Seek(target: target, lastSign: time)
            playhead.stand(at: time)
            destination = isLive ? (target, 1) : nil
            // It would be lost now, and goes there from the edge.
            if rejoinPosition != nil {
                rejoinPosition = target
                return handover.cancel() + watch()
            }
            return handover.cancel() + [.seek(place(of: target))] + watch()
        }
    }

    func place(of position: Double) -> Place {
        isLive && presentation.map { $0.window.availableLength > 0 } == true ? .window(position) : .time(position)
    }

    mutating func setRate(_ rate: Double, at time: Duration) -> [Action] {
        playhead.setRate(rate, at: time)
        return phase == .draining && wantsToPlay ? [.cancelAwaitingEnd, .awaitEnd(remaining(at: time))] : []
    }

    mutating func selectAudio(_ id: Int) -> [Action] { tracks.selectAudio(id) }

    mutating func selectSubtitle(_ id: Int?) -> [Action] { tracks.selectSubtitle(id, isOpen: phase == .open) }

    mutating func showPicture(_ isShown: Bool) -> [Action] {
        tracks.showPicture(isShown, isOpen: phase == .open) + choosePart()
    }
}
