import Foundation
import Playback

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads the playlists of a stream beside libVLC, which does not tell whether a stream is live, what can be played of it, or
/// what its variants need.
final class HLSMonitor: Sendable {
    private static let playlistLimit = 4 << 20
    /// The first answer is waited for before a stream is told to be ready.
    private static let firstTimeout = Duration.seconds(2)
    private static let laterTimeout = Duration.seconds(10)

    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - url: of whatever playlist.
    ///   - variants: those in it, if they are known already.
    ///   - report: called once with what is known within two seconds, `nil` for nothing; for a live stream again whenever
    ///     its playlist has moved on. On any thread.
    init(
        _ url: URL, variants: [HLSPlaylist.Variant] = [], report: @escaping @Sendable (HLSPresentation?) -> Void
    ) {
        task = Task {
            let first = await Self.segments(at: variants.first?.url ?? url, within: Self.firstTimeout)
            guard let (source, first, soundOnly) = first else { return report(nil) }
            var presentation = HLSPresentation(first, soundOnly: soundOnly ?? variants.soundOnly?.url)
            report(presentation)
            while presentation.isLive {
                guard (try? await Task.sleep(for: .seconds(presentation.interval))) != nil else { return }
                guard let (_, latest, _) = await Self.segments(at: source, within: Self.laterTimeout) else { continue }
                let before = presentation
                presentation.update(latest)
                if presentation != before, !Task.isCancelled { report(presentation) }
            }
        }
    }

    deinit { task.cancel() }

    /// The variants of a master playlist, the lowest bit rate first; empty if there is none to be had in time.
    static func variants(at url: URL) async -> [HLSPlaylist.Variant] {
        guard case .master(let variants)? = await playlist(at: url, within: firstTimeout)?.playlist else { return [] }
        return variants.ascending
    }

    private static func segments(
        at url: URL, within bound: Duration
    ) async -> (url: URL, segments: HLSPlaylist.Segments, soundOnly: URL?)? {
        let deadline = ContinuousClock.now + bound
        guard let (playlist, source) = await playlist(at: url, within: bound) else { return nil }
        switch playlist {
        case .media(let segments): return (source, segments, nil)
        case .master(let variants):
            guard let variant = variants.first,
                case .media(let segments)? = await self.playlist(
                    at: variant.url, within: max(.zero, deadline - .now))?.playlist
            else { return nil }
            return (variant.url, segments, variants.soundOnly?.url)
        }
    }

    private static func playlist(at url: URL, within bound: Duration) async -> (playlist: HLSPlaylist, url: URL)? {
        guard ["http", "https"].contains(url.scheme?.lowercased()),
            let answer = try? await HTTPFetch.answer(
                to: URLRequest(url: url), upTo: playlistLimit, within: bound, redirects: .anyServer),
            let playlist = HLSPlaylist(String(decoding: answer.body, as: UTF8.self), url: answer.url)
        else { return nil }
        return (playlist, answer.url)
    }
}
