#if VLC
import Foundation
import Playback

/// Reads the playlists of a stream beside libVLC, which does not tell whether a stream is live or what can be played of it.
package final class PlaylistMonitor: Sendable {
    /// The first answer is waited for before a stream is told to be ready.
    private static let firstTimeout = Duration.seconds(2)
    private static let laterTimeout = Duration.seconds(10)

    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - earlier: what was known of the same stream at another address.
    ///   - report: called once with what is known within two seconds, `nil` for nothing; for a live stream again
    ///     whenever its playlist has moved on. Or why the stream must not be played: an address that is not allowed. On any thread.
    package init(
        _ stream: HLSStream, after earlier: HLSTimeline?,
        report: @escaping @Sendable (Result<HLSTimeline?, PlaybackError>) -> Void
    ) {
        task = Task {
            let variants = stream.variants
            do throws(PlaybackError) {
                guard let (source, first) = try await Self.first(of: stream, variants) else {
                    return report(.success(nil))
                }
                var presentation = HLSTimeline(first, soundOnly: variants.soundOnly?.url, after: earlier)
                report(.success(presentation))
                while presentation.isLive {
                    guard (try? await Task.sleep(for: .seconds(presentation.interval))) != nil else { return }
                    let latest = try await Self.segments(at: source, of: stream, within: Self.laterTimeout)
                    guard let latest else { continue }
                    let before = presentation
                    presentation.update(latest)
                    if presentation != before, !Task.isCancelled { report(.success(presentation)) }
                }
            } catch {
                report(.failure(error))
            }
        }
    }

    deinit { task.cancel() }

    /// The first of the variants that is there.
    private static func first(
        of stream: HLSStream, _ variants: [HLSPlaylist.Variant]
    ) async throws(PlaybackError) -> (source: URL, segments: HLSPlaylist.Segments)? {
        if case .media(let segments)? = HLSPlaylist(stream.playlist, url: stream.url) {
            return (stream.url, segments)
        }
        let begin = ContinuousClock.now
        for variant in variants {
            let left = firstTimeout - (ContinuousClock.now - begin)
            guard left > .zero else { break }
            let segments = try await segments(at: variant.url, of: stream, within: left)
            if let segments { return (variant.url, segments) }
        }
        return nil
    }

    private static func segments(
        at url: URL, of stream: HLSStream, within bound: Duration
    ) async throws(PlaybackError) -> HLSPlaylist.Segments? {
        if let error = stream.access.security.error(for: url, from: stream.url) { throw error }
        guard let text = try await HTTPReader.text(at: url, of: stream, within: bound),
            case .media(let segments)? = HLSPlaylist(text, url: url)
        else { return nil }
        return segments
    }
}

extension HTTPReader {
    /// All of a playlist, if it comes within the bound.
    ///
    /// - Throws: why its address is not allowed.
    fileprivate static func text(
        at url: URL, of stream: HLSStream, within bound: Duration
    ) async throws(PlaybackError) -> String? {
        let reader = HTTPReader(url, by: stream.access)
        defer { reader.cancel() }
        let watchdog = Task {
            try await Task.sleep(for: bound)
            reader.cancel()
        }
        defer { watchdog.cancel() }
        let text = await withTaskCancellationHandler {
            var bytes: [UInt8] = []
            while let chunk = await reader.next(64 << 10), bytes.count < MediaProbe.playlistLimit {
                bytes += chunk
            }
            return reader.isWhole ? HTTPHead.text(bytes) : nil
        } onCancel: {
            reader.cancel()
        }
        if let error = reader.error, error.code == .addressForbidden { throw error }
        return text
    }
}
#endif
