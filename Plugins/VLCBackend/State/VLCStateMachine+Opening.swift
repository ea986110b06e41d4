import Foundation
import MediaTransport
import Playback

// From the first data of a libVLC player to an open item.
extension VLCStateMachine {
    mutating func opened(at time: Duration) -> [Action] {
        guard hasPlayableStream else {
            return withoutPlayableStream(at: time).map { [$0] } ?? broken(reason(at: time) ?? noStreamError, at: time)
        }
        let isRestart = state.isRestarting
        state = state.seek.map { .seeking($0) } ?? .ready
        retry.waitingSince = wantsToPlay ? time : nil
        playhead.setLimit(duration)
        // The pause may have come while the item was opened. A station would start with old data.
        let hold: [Action] = !wantsToPlay && (player.isRunning || isStation) ? [.pause] : []
        guard !isRestart else {
            let actions = continueFromPlayhead(at: time)
            return actions + tracks.reopen() + tracks.deselectHiddenVideo() + hold + chooseRendition()
        }
        // Earlier lines of the log explain no later failure, since the item is open.
        log.clear()
        if isLive, info.time > 0 { playhead.jump(to: info.time, at: time) }
        let opened = tracks.open()
        let media = OpenedMedia(
            duration: duration, isSeekable: info.isSeekable, playbackType: playbackType, container: container,
            tracks: opened.tracks, audio: opened.audio, subtitle: opened.subtitle,
            dvrWindow: isLive ? timeline?.window : nil, position: playhead.position(at: time))
        let buffer = url.isFileURL ? BufferLevel.whole : BufferLevel(percentage: 100)
        let markers = timeline?.markers ?? []
        let marks: [Action] = markers.isEmpty ? [] : [.report(.markersChanged(markers))]
        return [.report(.buffered(buffer)), .report(.opened(media)), .readMetadata] + marks
            + tracks.deselectHiddenVideo() + tracks.settle() + continueFromPlayhead(at: time) + hold
            + showFirstFrame() + chooseRendition()
    }

    /// Plays from the playhead, or finishes the seek that was pending, once libVLC's player is open.
    private mutating func continueFromPlayhead(at time: Duration) -> [Action] {
        guard startsBeforePlayhead || state.seek != nil else { return wantsToPlay ? run(at: time) : [] }
        var seek = state.seek ?? Seek(target: playhead.anchor, isSilent: true, lastSign: time)
        if seek.isEarly, startsBeforePlayhead {
            player.uncheckedSeek = (seek.target, 1)
            return seek.hasBegun && !player.isBuffering ? finish(seek, at: time) : watch()
        }
        // The player was opened at the target.
        guard startsBeforePlayhead || !seek.hasBegun else { return finish(seek, at: time) }
        (seek.hasBegun, seek.lastSign) = (false, time)
        if startsBeforePlayhead { player.uncheckedSeek = (seek.target, 1) }
        state = .seeking(seek)
        return [.seek(libVLCTarget(of: seek.target))] + watch()
    }

    /// The action if it is already certain that nothing will play; `nil` otherwise.
    mutating func withoutPlayableStream(at time: Duration) -> Action? {
        guard !hasPlayableStream, has(.video) || has(.audio) else { return nil }
        return state.isRestarting ? nil : reason(at: time).map { fail($0, at: time) }
    }

    /// `true` if libVLC's player has started somewhere before the playhead.
    private var startsBeforePlayhead: Bool { isSegmented && !isLive && playhead.anchor > 0.1 }

    /// `true` if frames may belong to another position than the playhead. They are not shown.
    var hidesFrames: Bool {
        startsBeforePlayhead
            && (state.isOpening || (player.uncheckedSeek != nil && (state.seek != nil || wantsToPlay)))
    }

    /// The buffers are full, but the type of the stream is unknown. Seeks to the playhead meanwhile.
    mutating func seekEarly(at time: Duration) -> [Action] {
        guard startsBeforePlayhead, state.seek == nil else { return [] }
        state.seek = Seek(target: playhead.anchor, isSilent: true, isEarly: true, lastSign: time)
        return [.seek(.time(playhead.anchor))]
    }

    func has(_ kind: VLCEvent.StreamKind) -> Bool { info.streams.contains { $0.kind == kind } }

    var hasPlayableStream: Bool { player.decodedKinds.contains(.audio) || player.decodedKinds.contains(.video) }

    // MARK: Errors

    var openError: PlaybackError {
        if tracks.isMP4InOrder { return PlaybackError(.rangesUnsupported, url: url) }
        // libVLC itself connects to the servers of other schemes.
        return PlaybackError(url.isFileURL || url.isHTTP ? .unrecognisedFormat : .connectionFailed, url: url)
    }

    var formatError: PlaybackError { PlaybackError(.unrecognisedFormat, url: url) }

    var noStreamError: PlaybackError {
        !has(.audio) && !has(.video) ? formatError : PlaybackError(.noPlayableStream, url: url)
    }
}
