import Foundation
import NetworkThread
import Playback

/// Reads the media playlist of a stream, because engines do not report if a stream is live and which part of it can be played.
package final class PlaylistMonitor: Sendable {
    /// The longest time until the first playlist is read, and each later one. `ready` waits for the first: without it, a live stream
    /// would be taken for a short one that ends.
    private static let timeout = Duration.seconds(10)

    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - earlier: the timeline of the same stream at another address.
    ///   - report: called once within ten seconds, with `nil` if no playlist was read. For a live stream it is called again after
    ///     each change. It is called with an error if the policy forbids an address. On any thread.
    package init(
        _ stream: HLSStream, after earlier: HLSTimeline?,
        report: @escaping @Sendable (Result<HLSTimeline?, PlaybackError>) -> Void
    ) {
        task = Task(executorPreference: NetworkThread.transport) {
            let variants = stream.allowedVariants
            do throws(PlaybackError) {
                guard let (source, first) = try await Self.first(of: stream, variants) else {
                    return report(.success(nil))
                }
                var timeline = HLSTimeline(first, audioOnly: stream.variants.audioOnly?.url, after: earlier)
                report(.success(timeline))
                while timeline.isLive {
                    guard (try? await Task.sleep(for: .seconds(timeline.interval))) != nil else { return }
                    let latest = try await Self.playlist(at: source, of: stream, within: Self.timeout)
                    guard let latest else { continue }
                    let before = timeline
                    timeline.update(latest)
                    if timeline != before, !Task.isCancelled { report(.success(timeline)) }
                }
            } catch {
                report(.failure(error))
            }
        }
    }

    deinit { task.cancel() }

    /// The media playlist of the first variant that has one.
    private static func first(
        of stream: HLSStream, _ variants: [HLSPlaylist.Variant]
    ) async throws(PlaybackError) -> (source: URL, playlist: HLSPlaylist.Media)? {
        if let media = stream.media { return (stream.url, media) }
        let start = ContinuousClock.now
        for variant in variants {
            let left = timeout - (ContinuousClock.now - start)
            guard left > .zero else { break }
            let playlist = try await playlist(at: variant.url, of: stream, within: left)
            if let playlist { return (variant.url, playlist) }
        }
        return nil
    }

    /// - Returns: `nil` if no media playlist arrives in time.
    static func playlist(
        at url: URL, of stream: HLSStream, within timeout: Duration = timeout
    ) async throws(PlaybackError) -> HLSPlaylist.Media? {
        do throws(PlaybackError) {
            let (text, url) = try await stream.readPlaylist(at: url) { url, range throws(PlaybackError) in
                if let error = stream.options.security.error(for: url, from: stream.url) { throw error }
                let reader = HTTPReader(url, range: range, by: stream.options)
                let bytes = await reader.whole(upTo: MediaProbe.playlistLimit, within: timeout)
                guard let bytes else { throw reader.error ?? PlaybackError(.timedOut, url: url) }
                return (bytes, reader.head?.url ?? url)
            }
            if case .media(let playlist)? = HLSPlaylist(text, url: url) { return playlist }
        } catch {
            if error.code == .addressForbidden { throw error }
        }
        return nil
    }
}
