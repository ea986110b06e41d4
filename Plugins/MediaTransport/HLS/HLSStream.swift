import Foundation
import Playback
import Synchronization

/// An HLS stream whose playlist was read.
package final class HLSStream: Sendable {
    /// The address of the playlist, after redirects.
    let url: URL
    let playlist: String
    let options: HTTPRequestOptions
    /// The media playlists, if the stream is a DASH stream.
    let dash: DASHPlaylists?
    /// The port of the HLS proxy.
    let port: UInt16
    /// The stream's own playlist, if that is a master playlist.
    private let master: HLSPlaylist.Master?
    /// The stream's own playlist, if that is a media playlist.
    let media: HLSPlaylist.Media?
    private let readTime = ContinuousClock.now
    private let state = Mutex(State())

    private struct State {
        var known: Set<URL> = []
        var substitutes: [URL: URL] = [:]
        var ownPlaylistIsUnread = true
        var filter = HLSVariantFilter()
    }

    init(url: URL, playlist: String, options: HTTPRequestOptions, port: UInt16, dash: DASHPlaylists? = nil) {
        (self.url, self.playlist, self.options, self.port, self.dash) = (url, playlist, options, port, dash)
        let parsed = HLSPlaylist(playlist, url: url)
        if case .master(let found)? = parsed { master = found } else { master = nil }
        if case .media(let found)? = parsed { media = found } else { media = nil }
    }

    /// - Parameter manifest: the DASH manifest at `url`.
    convenience init(url: URL, manifest: [UInt8], options: HTTPRequestOptions, port: UInt16) throws(PlaybackError) {
        let dash = try DASHPlaylists(manifest, url: url)
        self.init(url: url, playlist: dash.masterPlaylist, options: options, port: port, dash: dash)
    }

    /// The name of the format.
    package var format: String { dash == nil ? "HLS" : "DASH" }

    /// The variants, the lowest bit rate first. Empty if there is only one playlist.
    package var variants: [HLSPlaylist.Variant] { listedVariants.ascending }

    /// The variants that may be played, the lowest bit rate first.
    var allowedVariants: [HLSPlaylist.Variant] { filter.allowed(of: listedVariants).ascending }

    /// The qualities within the limits of the filter, the best first. Empty if there is no choice.
    package var qualities: [VideoQuality] { filter.qualities(of: listedVariants) }

    /// The variants in the order of the playlist.
    private var listedVariants: [HLSPlaylist.Variant] { master?.variants ?? [] }

    /// The qualities within the limits of another filter, the best first.
    package func qualities(within filter: HLSVariantFilter) -> [VideoQuality] { filter.qualities(of: listedVariants) }

    /// The variants within the limits of another filter.
    func variants(within filter: HLSVariantFilter) -> [HLSPlaylist.Variant] { filter.allowed(of: listedVariants) }

    /// `true` if the audio has its own playlists.
    package var hasSeparateAudio: Bool { variants.contains(where: \.hasSeparateAudio) }

    /// The audio renditions of the allowed variants, in the order of the playlist.
    package var audioRenditions: [HLSPlaylist.Rendition] { renditions(.audio, of: \.audioGroup) }

    /// The subtitles of the allowed variants that have their own playlists, in the order of the playlist.
    package var subtitleRenditions: [HLSPlaylist.Rendition] {
        renditions(.subtitles, of: \.subtitleGroup).filter(\.isSeparate)
    }

    private func renditions(
        _ kind: HLSPlaylist.Rendition.Kind, of group: (HLSPlaylist.Variant) -> String?
    ) -> [HLSPlaylist.Rendition] {
        let group = allowedVariants.lazy.compactMap(group).first
        return master?.renditions.filter { $0.kind == kind && $0.group == group } ?? []
    }

    private var filter: HLSVariantFilter { state.withLock(\.filter) }

    /// Sets the variants that may be played from the next master playlist on.
    ///
    /// - Returns: `false` if they stay the same.
    @discardableResult
    package func setFilter(_ filter: HLSVariantFilter) -> Bool {
        let before = allowedVariants
        state.withLock { $0.filter = filter }
        return allowedVariants != before
    }

    /// The error for DRM, or for an address in the playlist that the policy forbids.
    var error: PlaybackError? {
        if media?.isProtected == true { return .protected(url) }
        return variants.lazy.compactMap { [options, url] in options.security.error(for: $0.url, from: url) }.first
    }

    /// Reads the playlist of a variant.
    func readPlaylist(at url: URL, _ read: DASHPlaylists.Read) async throws(PlaybackError) -> (text: String, url: URL) {
        if let dash { return (try await dash.playlist(at: url, read: read).text, self.url) }
        let (bytes, url) = try await read(url, nil)
        return (HTTPHead.text(bytes), url)
    }

    /// Returns the stream's own playlist once, so that the engine does not request it again.
    ///
    /// A live playlist must be new: a client may request it again after half a target duration (RFC 8216, section 6.3.4).
    func unreadPlaylist(at url: URL) -> String? {
        guard url == self.url, let media, state.withLock({ $0.ownPlaylistIsUnread }) else { return nil }
        state.withLock { $0.ownPlaylistIsUnread = false }
        let isNew = ContinuousClock.now - readTime < .seconds(media.targetDuration / 2)
        return media.isComplete || isNew ? playlist : nil
    }

    // MARK: Substitutes

    /// Returns the addresses to try for a variant's playlist: its own, then those of similar variants, the nearest bit rate
    /// first. A playlist that was read before has no substitutes.
    func candidates(for url: URL) -> [URL] {
        let (substitute, isKnown) = state.withLock { ($0.substitutes[url], $0.known.contains(url)) }
        if let substitute { return [substitute] }
        guard !isKnown, let variant = variants.first(where: { $0.url == url }) else { return [url] }
        func distance(_ other: HLSPlaylist.Variant) -> Double { abs(other.bandwidth - variant.bandwidth) }
        let others = allowedVariants.filter { $0.url != url && $0.isLike(variant) }
        return [url] + others.sorted { distance($0) < distance($1) }.map(\.url)
    }

    /// Remembers the address at which a variant's playlist was found.
    func found(_ candidate: URL, for url: URL) {
        state.withLock {
            $0.known.insert(candidate)
            if candidate != url { $0.substitutes[url] = candidate }
        }
    }

    /// The master playlist for an engine.
    ///
    /// - Parameter variant: the variant to play; `nil` for all.
    package func masterPlaylist(for variant: URL?, through session: HLSProxySession) -> MemoryBytes {
        let address: (URL, HLSProxySession.Kind) -> URL = { session.address(of: $0, $1) }
        // A single media playlist is read through a master playlist too.
        let mediaPlaylist = variant ?? (media == nil ? nil : url)
        let text =
            mediaPlaylist.map { "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(address($0, .playlist).absoluteString)\n" }
            ?? PlaylistRewriter.rewritten(
                playlist, at: url, variants: Set(allowedVariants.map(\.url)), keepsSubtitles: session.sendsSubtitles,
                address: address)
        return MemoryBytes(bytes: Array(text.utf8))
    }
}
