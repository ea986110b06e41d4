import Foundation
import MediaTransport
import Playback

// What the medium consists of.
extension VLCStateMachine {
    /// Where nobody sees the picture and the stream has its sound by itself, that is enough.
    mutating func choosePart() -> [Action] {
        guard phase == .open, showsVideo, !isLive, duration != nil, seek == nil else { return [] }
        let soundOnly = presentation?.soundOnly
        return handover.choose(tracks.isPictureHidden ? soundOnly.map { .soundOnly($0) } ?? .whole : .whole)
    }

    /// Another player has taken over, at the playhead.
    ///
    /// - Parameters:
    ///   - signals: what it has told of its streams.
    ///   - facts: what it knows.
    mutating func handedOver(_ signals: [VLCEvent], _ facts: VLCMediaInfo, at time: Duration) -> [Action] {
        handover.done()
        playingStreams = []
        tracks.forgetStreams()
        for signal in signals { _ = handle(signal, latest: nil, at: time) }
        tracks.update(facts.streams)
        (engineRuns, isBuffering, isStarved) = (wantsToPlay, false, false)
        timeOffset = nil
        return tracks.reopen() + tracks.hidePicture() + choosePart()
    }

    /// The other player has come to nothing: this one goes on.
    mutating func handoverFailed() -> [Action] {
        handover.failed()
        return []
    }

    /// The file can be given to libVLC now.
    ///
    /// - Returns: whether it still shall be.
    mutating func subtitlesPrepared(_ id: Int) -> Bool { phase == .open && tracks.subtitlesPrepared(id) }

    mutating func subtitlesUnusable(_ id: Int, _ notice: PlaybackNotice) -> [Action] {
        phase == .finished ? [] : tracks.subtitlesUnusable(id, notice)
    }

    mutating func metadataRead(_ metadata: MediaMetadata) -> [Action] {
        guard phase == .open, metadata != self.metadata else { return [] }
        self.metadata = metadata
        return [.tell(.metadataChanged(metadata))]
    }

    mutating func presented(_ presentation: HLSTimeline?, at time: Duration) -> [Action] {
        let before = self.presentation
        self.presentation = presentation ?? before
        isLive = isLive || presentation?.isLive == true
        if phase == .opening, awaitsPresentation {
            awaitsPresentation = false
            // Places of a live stream have other names.
            if isLive, seek?.isEarly == true { seek = nil }
            return isHeld ? opened(at: time) : []
        }
        guard phase == .open, let presentation else { return [] }
        guard isLive else {
            return before == nil && facts.duration == nil ? duration.map { durationChanged(to: $0) } ?? [] : []
        }
        return presentation.window == before?.window ? [] : [.tell(.dvrWindowChanged(presentation.window))]
    }

    mutating func lengthChanged(_ milliseconds: Int64) -> [Action] {
        let length = Double(milliseconds) / 1000
        guard !isLive, length > 0, length != duration else { return [] }
        facts.duration = length
        return phase == .open ? durationChanged(to: length) : []
    }

    private mutating func durationChanged(to duration: Double) -> [Action] {
        playhead.setLimit(duration)
        return [.tell(.durationChanged(duration))] + choosePart()
    }
}
