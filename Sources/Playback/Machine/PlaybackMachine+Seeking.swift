// Seeks. The engine performs one at a time. If several are requested meanwhile, it performs only the last one.
extension PlaybackMachine {
    mutating func seek(to requested: Double, _ tolerance: SeekTolerance = .exact) {
        guard requested.isFinite else {
            return warn("invalidPosition", "A position must be a finite number of seconds.")
        }
        snapshot.seek.number += 1
        snapshot.seek.tolerance = tolerance
        guard snapshot.canSeek else { return report(seek: .failed, at: snapshot.position) }
        let target = snapshot.held(requested)
        if snapshot.phase == .ended {
            reopen(at: target, wantsToPlay: snapshot.isHeldAtEnd && snapshot.wantsToPlay)
        } else {
            placePlayhead(at: target)
            report(seek: .seeking, at: target)
            if seekUnderway == nil, snapshot.phase != .opening { sendSeek(to: target) }
        }
    }

    /// Opens the item again at the target of the newest seek.
    mutating func reopen(at target: Double, wantsToPlay: Bool) {
        open(at: target, wantsToPlay: wantsToPlay)
        report(seek: .seeking, at: target)
        seekUnderway = snapshot.seek.number
    }

    /// Sends the newest seek to the engine.
    mutating func sendSeek(to target: Double) {
        seekUnderway = snapshot.seek.number
        let tolerance = capabilities.can(.keyframeSeeking) ? snapshot.seek.tolerance : .exact
        send(.seek(snapshot.generation, to: target, tolerance: tolerance))
    }

    mutating func finishSeek(_ outcome: PlaybackSeekState, at position: Double) {
        guard snapshot.phase != .opening, seekUnderway != nil else { return }
        if isSeekPending { return sendSeek(to: snapshot.seek.position) }
        seekUnderway = nil
        placePlayhead(at: position)
        report(seek: outcome, at: snapshot.position)
        if snapshot.isPlaying { snapshot.playhead.advance(at: now) }
    }

    mutating func report(seek state: PlaybackSeekState, at position: Double) {
        snapshot.seek.state = state
        snapshot.seek.position = position
    }

    /// A new opening ends the seek of the previous one without an event.
    mutating func endSeeking() {
        seekUnderway = nil
        if snapshot.seek.state == .seeking { snapshot.seek.state = .idle }
    }

    mutating func setLoop(_ loop: ClosedRange<Double>?) {
        if let loop, loop.lowerBound < 0 || loop.lowerBound == loop.upperBound || !loop.upperBound.isFinite {
            return warn("invalidLoop", "A loop must be two different positions in seconds.")
        }
        if snapshot.item != nil { snapshot.loop = loop }
    }

    /// Returns to the start of the loop if the playhead has passed its end.
    ///
    /// - Returns: `false` if playback continues.
    mutating func repeatLoop() -> Bool {
        guard let loop = snapshot.loop, snapshot.canSeek, snapshot.playhead.position(at: now) >= loop.upperBound else {
            return false
        }
        seek(to: loop.lowerBound)
        return true
    }

    /// `true` if the engine has not received the newest seek.
    var isSeekPending: Bool { snapshot.seek.state == .seeking && snapshot.seek.number != seekUnderway }
}
