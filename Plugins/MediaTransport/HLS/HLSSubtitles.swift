import Foundation
import NetworkThread
import Playback
import Synchronization

/// The subtitles of an HLS stream in their own playlist, for an engine that does not read them.
///
/// Reads one segment after the other, those from a position on.
package final class HLSSubtitles: Sendable {
    /// The subtitles of one segment.
    package struct Part: Sendable {
        package let file: SubtitleFile
        /// The position of the file's time 0, in seconds.
        package let origin: Double
    }

    package enum Outcome: Sendable {
        case part(Part)
        /// The playlist was read. `update` can be called again.
        case playlist
        /// A segment is missing.
        case skipped(PlaybackNotice)
        /// Nothing can be shown.
        case unusable(PlaybackNotice)
    }

    private struct State {
        var timeline: HLSTimeline?
        /// When the playlist was requested last.
        var requested: Duration?
        /// The addresses of the segments that were requested.
        var known: Set<URL> = []
        var task: Task<Void, Never>?

        /// Returns `true` if the playlist was not read, or may have changed.
        func needsPlaylist(at now: Duration) -> Bool {
            guard let timeline, let requested else { return requested == nil }
            return timeline.isLive && now - requested > .seconds(timeline.interval)
        }
    }

    /// Segments are read so long before they are shown, in seconds.
    private static let lead = 30.0

    private let stream: HLSStream
    private let rendition: HLSPlaylist.Rendition
    private let url: URL
    private let receive: @Sendable (Outcome) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - rendition: one of the stream's `subtitleRenditions`.
    ///   - receive: called on any thread.
    package init?(
        _ rendition: HLSPlaylist.Rendition, of stream: HLSStream, receive: @escaping @Sendable (Outcome) -> Void
    ) {
        guard let url = rendition.url else { return nil }
        (self.rendition, self.stream, self.url, self.receive) = (rendition, stream, url, receive)
    }

    deinit { state.withLock { $0.task?.cancel() } }

    /// Reads what is needed next. Does nothing while something is being read. Call it regularly.
    ///
    /// - Parameters:
    ///   - position: that of the player, in seconds.
    ///   - now: the time on any clock.
    ///   - timeline: that of the stream.
    ///   - clock: returns the time in the media at position 0, in a period of the stream or, for `nil`, in any; `nil` if it is unknown. In
    ///     seconds.
    package func update(
        around position: Double, at now: Duration, in timeline: HLSTimeline, clock: (_ period: Int?) -> Double?
    ) {
        state.withLock { state in
            guard state.task == nil else { return }
            let segments = state.timeline?.segments(in: position...position + Self.lead) ?? []
            let next = segments.first { !state.known.contains($0.segment.part.url) }
            guard let (segment, start) = next else {
                guard state.needsPlaylist(at: now) else { return }
                state.requested = now
                state.task = readPlaylist(after: timeline)
                return
            }
            let time = clock(state.timeline?.hasPeriods == true ? segment.period : nil)
            // The media of another period are known, and those of this one follow.
            if time == nil, clock(nil) != nil { return }
            state.known.insert(segment.part.url)
            state.task = read(segment.part.url, near: start, clock: time)
        }
    }

    private func readPlaylist(after earlier: HLSTimeline) -> Task<Void, Never> {
        Task(executorPreference: NetworkThread.transport) { [weak self, stream, url] in
            let playlist = try? await PlaylistMonitor.playlist(at: url, of: stream)
            guard let self else { return }
            let isUsable = self.state.withLock { state in
                state.task = nil
                if let playlist { state.timeline = HLSTimeline(playlist, after: earlier) }
                return state.timeline != nil
            }
            self.receive(isUsable ? .playlist : .unusable(self.notice("its playlist cannot be read")))
        }
    }

    private func read(_ url: URL, near position: Double, clock: Double?) -> Task<Void, Never> {
        let subtitle = subtitle(at: url, from: position)
        return Task(executorPreference: NetworkThread.transport) { [weak self, stream] in
            let outcome: Outcome
            do throws(SubtitleFile.Unusable) {
                let file = try await SubtitleFile.prepare(subtitle, by: stream.options, from: stream.url)
                let map = WebVTTTimeMap(HTTPHead.text(Array(LocalFile.beginning(of: file.url, 1024))))
                let isLive = self?.state.withLock { $0.timeline?.isLive } == true
                let origin = map.origin(near: position, clock: clock, isLive: isLive)
                outcome = .part(Part(file: file, origin: origin))
            } catch {
                outcome = .skipped(error.notice)
            }
            guard let self, !Task.isCancelled else { return }
            self.state.withLock { $0.task = nil }
            self.receive(outcome)
        }
    }

    /// - Parameter position: that of a segment; `nil` for all.
    private func subtitle(at url: URL, from position: Double? = nil) -> ExternalSubtitle {
        let place = position.map { " from \(Int($0)) s on" } ?? ""
        return ExternalSubtitle(url: url, name: (rendition.name ?? "") + place, lang: rendition.lang)
    }

    private func notice(_ reason: String) -> PlaybackNotice { SubtitleFile.Unusable(subtitle(at: url), reason).notice }
}
