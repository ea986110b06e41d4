import Foundation
import MediaTransport
import Playback

// Restarts and new addresses after an error.
extension VLCStateMachine {
    /// The address of the item cannot be read.
    mutating func unreachable(_ error: PlaybackError, at time: Duration) -> [Action] {
        retry.readError = error
        return broken(error, at: time)
    }

    /// Answers `requestAddress`. `nil` means that there is no other address.
    mutating func readdressed(to url: URL?, at time: Duration) -> [Action] {
        guard let error = retry.pendingAddressError, !isFinished else { return [] }
        retry.addressAnswered(at: time)
        guard let url else { return restart(after: error, at: time) }
        self.url = url
        let position = state.seek?.target ?? playhead.position(at: time)
        return [restart(at: position, time)] + watch()
    }

    /// Requests another address, tries again, or fails.
    mutating func broken(_ error: PlaybackError, at time: Duration) -> [Action] {
        guard retry.mayRequestAddress(after: error, at: time) else { return restart(after: error, at: time) }
        let actions = stall(at: time)
        retry.requestAddress(after: error, at: time)
        log.clear()
        if isLive { player.timeOffset = nil }
        awaitNextPlayer(at: time)
        return actions + [.requestAddress(error)] + watch()
    }

    /// Tries again if the retry policy allows it, and fails otherwise.
    private mutating func restart(after error: PlaybackError, at time: Duration) -> [Action] {
        let position = state.seek?.target ?? playhead.position(at: time)
        guard mayRestart, let delay = retry.nextAttempt(after: error, isLive: isLive || isStation, at: time) else {
            return [fail(error, at: time)]
        }
        return reopen(at: position, after: delay, time)
    }

    /// Opens the item again at the playhead, because other variants may be played. The audio-only variant stays.
    mutating func variantsChanged(at time: Duration) -> [Action] {
        guard !isFinished, !isDraining, !rendition.isAudioOnly, retry.pendingAddressError == nil else { return [] }
        return reopen(at: state.seek?.target ?? playhead.position(at: time), after: 0, time)
    }

    /// - Parameter delay: in seconds.
    private mutating func reopen(at position: Double, after delay: Double, _ time: Duration) -> [Action] {
        let actions = stall(at: time)
        retry.willRestart(after: delay, at: time)
        log.clear()
        if isLive { player.timeOffset = nil }
        return actions + [restart(at: position, after: delay, time)] + watch()
    }

    private var mayRestart: Bool {
        guard !url.isFileURL, state.isOpen || state.isRestarting else { return false }
        // Everything was read, and would be the same the next time.
        return !url.isHTTP || retry.readError != nil
    }

    mutating func restart(at position: Double, after delay: Double = 0, _ time: Duration) -> Action {
        awaitNextPlayer(at: time)
        // A seek to another position is made when the item is open.
        if let target = state.seek?.target { state.seek?.hasBegun = !isLive && target == position }
        playhead.jump(to: position, at: time)
        // A live stream is joined at its edge, and its playhead continues.
        return .restart(at: isLive ? 0 : position, after: delay)
    }

    /// libVLC's player is closed. The next events come from another one.
    mutating func awaitNextPlayer(at time: Duration) {
        let awaitsTimeline = state.opening?.awaitsTimeline ?? false
        state = .opening(Opening(isRestart: hasOpened, awaitsTimeline: awaitsTimeline, seek: state.seek))
        player = PlayerStatus(timeOffset: isStation ? nil : player.timeOffset)
        rendition = RenditionSwitch()
        tracks.forgetStreams()
        playhead.pause(at: time)
    }
}
