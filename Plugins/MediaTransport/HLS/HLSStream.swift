#if VLC
import Foundation
import Playback
import Synchronization

/// A stream whose playlist has been read, and what its player may do.
package struct HLSStream: Sendable {
    /// Where the playlist came from.
    package let url: URL
    package let playlist: String
    package let access: HTTPRequestOptions
    /// On which the gateway listens.
    package let port: UInt16
    private let choices = Choices()

    /// Which playlists there are, whoever asks.
    private final class Choices: Sendable {
        package struct State {
            package var known: Set<URL> = []
            package var substitutes: [URL: URL] = [:]
        }

        package let state = Mutex(State())
    }

    package init(url: URL, playlist: String, access: HTTPRequestOptions, port: UInt16) {
        (self.url, self.playlist, self.access, self.port) = (url, playlist, access, port)
    }

    /// The lowest bit rate first; empty if there is no choice.
    package var variants: [HLSPlaylist.Variant] {
        guard case .master(let variants)? = HLSPlaylist(playlist, url: url) else { return [] }
        return variants.ascending
    }

    /// The addresses at which the playlist of a variant may be, in the order in which to try them: of one that has never been
    /// there, others like it too, the nearest in bit rate first.
    package func candidates(for url: URL) -> [URL] {
        let (substitute, isKnown) = choices.state.withLock { ($0.substitutes[url], $0.known.contains(url)) }
        if let substitute { return [substitute] }
        guard !isKnown, let variant = variants.first(where: { $0.url == url }) else { return [url] }
        func distance(_ other: HLSPlaylist.Variant) -> Double { abs(other.bandwidth - variant.bandwidth) }
        let others = variants.filter { $0.url != url && $0.isLike(variant) }
        return [url] + others.sorted { distance($0) < distance($1) }.map(\.url)
    }

    /// There was a playlist at an address, for that of a variant.
    package func found(_ candidate: URL, for url: URL) {
        choices.state.withLock {
            $0.known.insert(candidate)
            if candidate != url { $0.substitutes[url] = candidate }
        }
    }

    /// Why it is not to be played: an address in it that is not allowed.
    package var error: PlaybackError? {
        variants.lazy.compactMap { access.security.error(for: $0.url, from: url) }.first
    }

    /// What libVLC is given, all of it or a variant.
    package func entrance(to variant: URL?, by lane: HLSProxySession) -> MemoryBytes {
        let text =
            variant.map { PlaylistRewriter.text(for: $0, lane: lane) } ?? PlaylistRewriter.text(for: self, lane: lane)
        return MemoryBytes(bytes: Array(text.utf8))
    }
}
#endif
