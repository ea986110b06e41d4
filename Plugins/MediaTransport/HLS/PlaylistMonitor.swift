import Foundation
import NetworkThread
import Playback

/// Reads the media playlist of a stream, because engines do not report if a stream is live and which part of it can be played.
package final class PlaylistMonitor: Sendable {
    /// The longest time until a later version is read, or the playlist of subtitles. Otherwise a server without an answer would keep a
    /// live window as it is, also if the policy allows any time for opening.
    private static let timeout = Duration.seconds(60)

    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - earlier: the timeline of the same stream at another address.
    ///   - report: called once, with `nil` if no playlist can be read. `ready` waits for it: without it, a live stream would be taken for
    ///     a short one that ends. For a live stream it is called again after each change. It is called with an error if the policy forbids
    ///     an address, and if the media are protected by DRM. On any thread.
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
                    let latest = try await Self.playlist(at: source, of: stream)
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
        var protected: PlaybackError?
        for variant in variants {
            do throws(PlaybackError) {
                // The item fails after its own timeout.
                let playlist = try await playlist(at: variant.url, of: stream, within: nil)
                if let playlist { return (variant.url, playlist) }
            } catch {
                guard error.code == .noPlayableStream else { throw error }
                protected = error
            }
        }
        if let protected { throw protected }
        return nil
    }

    /// - Returns: `nil` if no media playlist can be read.
    /// - Throws: if the policy forbids the address, or if the media are protected by DRM.
    static func playlist(
        at url: URL, of stream: HLSStream, within timeout: Duration? = timeout
    ) async throws(PlaybackError) -> HLSPlaylist.Media? {
        let text: String
        let address: URL
        do throws(PlaybackError) {
            (text, address) = try await stream.readPlaylist(at: url) { url, range throws(PlaybackError) in
                if let error = stream.options.security.error(for: url, from: stream.url) { throw error }
                let reader = HTTPReader(url, range: range, by: stream.options)
                let bytes = await reader.whole(upTo: MediaProbe.playlistLimit, within: timeout)
                guard let bytes else { throw reader.error ?? PlaybackError(.timedOut, url: url) }
                return (bytes, reader.head?.url ?? url)
            }
        } catch {
            if error.code == .addressForbidden { throw error }
            return nil
        }
        guard case .media(let playlist)? = HLSPlaylist(text, url: address) else { return nil }
        if playlist.isProtected { throw .protected(stream.url) }
        return playlist
    }
}
