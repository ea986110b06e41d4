#if VLC
    import Foundation
    import Playback

    /// A stream whose playlist has been read, and what its player may do.
    struct HLSStream: Sendable {
        /// Where the playlist came from.
        let url: URL
        let playlist: String
        let access: HTTPAccess
        /// On which the gateway listens.
        let port: UInt16

        /// The lowest bit rate first; empty if there is no choice.
        var variants: [HLSPlaylist.Variant] {
            guard case .master(let variants)? = HLSPlaylist(playlist, url: url) else { return [] }
            return variants.ascending
        }

        /// What may be played in place of a variant, the nearest in bit rate first.
        func alternatives(to url: URL) -> [URL] {
            guard let variant = variants.first(where: { $0.url == url }) else { return [] }
            func distance(_ other: HLSPlaylist.Variant) -> Double { abs(other.bandwidth - variant.bandwidth) }
            return variants.filter { $0.url != url && $0.isLike(variant) }.sorted { distance($0) < distance($1) }.map(
                \.url)
        }

        /// Why it is not to be played: an address in it that is not allowed.
        var error: PlaybackError? {
            variants.lazy.compactMap { access.security.error(for: $0.url, from: url) }.first
        }

        /// What libVLC is given, all of it or a variant.
        func entrance(to variant: URL?, by lane: HLSLane) -> MemoryBytes {
            let text = variant.map { HLSEntrance.text(for: $0, lane: lane) } ?? HLSEntrance.text(for: self, lane: lane)
            return MemoryBytes(bytes: Array(text.utf8))
        }
    }
#endif
