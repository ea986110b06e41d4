import Foundation
import MediaTransport
import Playback

// Playlists, renditions, subtitles and metadata.
extension VLCStateMachine {
    /// The playlist was read. `nil` means that it cannot be read.
    mutating func timelineRead(_ timeline: HLSTimeline?, at time: Duration) -> [Action] {
        let before = self.timeline
        self.timeline = timeline ?? before
        isLive = isLive || timeline?.isLive == true
        if let opening = state.opening, opening.awaitsTimeline {
            state.opening?.awaitsTimeline = false
            // Positions in a live stream are relative to its window.
            if isLive, opening.seek?.isEarly == true { state.seek = nil }
            return opening.isBuffered ? opened(at: time) : []
        }
        guard state.isOpen, let timeline else { return [] }
        let marks: [Action] =
            timeline.markers == before?.markers ?? [] ? [] : [.report(.markersChanged(timeline.markers))]
        return marks + timelineMoved(timeline, from: before)
    }

    private mutating func timelineMoved(_ timeline: HLSTimeline, from before: HLSTimeline?) -> [Action] {
        guard isLive else {
            return before == nil && info.duration == nil ? duration.map { durationChanged(to: $0) } ?? [] : []
        }
        return timeline.window == before?.window ? [] : [.report(.dvrWindowChanged(timeline.window))]
    }

    mutating func lengthChanged(_ milliseconds: Int64) -> [Action] {
        let length = VLCMediaInfo.duration(milliseconds: milliseconds)
        guard !isLive, let length, length != duration else { return [] }
        info.duration = length
        return state.isOpen ? durationChanged(to: length) : []
    }

    private mutating func durationChanged(to duration: Double) -> [Action] {
        playhead.setLimit(duration)
        return [.report(.durationChanged(duration))] + chooseRendition()
    }

    // MARK: Renditions

    /// Chooses the audio-only rendition while the video is not visible.
    mutating func chooseRendition() -> [Action] {
        guard state.isOpen, tracks.hadVideoOutput, !isLive, duration != nil, state.seek == nil else { return [] }
        let audioOnly = timeline?.audioOnly
        return rendition.choose(tracks.isVideoHidden ? audioOnly.map { .audioOnly($0) } ?? .whole : .whole)
    }

    /// Another player plays the item now, at the playhead.
    ///
    /// - Parameters:
    ///   - events: the events about its streams.
    ///   - info: its media information.
    mutating func renditionSwitched(_ events: [VLCEvent], _ info: VLCMediaInfo, at time: Duration) -> [Action] {
        rendition.succeeded()
        player = PlayerStatus(isRunning: wantsToPlay, isBuffering: false, timeOffset: nil)
        if state.isStalled { state = .ready }
        tracks.forgetStreams()
        var actions: [Action] = []
        for event in events { actions += handle(event, info: nil, at: time) }
        tracks.update(info.streams)
        return actions + tracks.reopen() + tracks.deselectHiddenVideo() + chooseRendition()
    }

    /// The other player cannot play the rendition. The current one continues.
    mutating func renditionSwitchFailed() -> [Action] {
        rendition.failed()
        return []
    }

    // MARK: Subtitles and metadata

    /// Returns `true` if libVLC shall open the subtitle file.
    mutating func subtitlesPrepared(_ id: Int) -> Bool { state.isOpen && tracks.subtitlesPrepared(id) }

    mutating func subtitlesUnusable(_ id: Int, _ notice: PlaybackNotice) -> [Action] {
        isFinished ? [] : tracks.subtitlesUnusable(id, notice)
    }

    mutating func metadataRead(_ metadata: MediaMetadata) -> [Action] {
        guard state.isOpen, metadata != self.metadata else { return [] }
        self.metadata = metadata
        return [.report(.metadataChanged(metadata))]
    }
}
