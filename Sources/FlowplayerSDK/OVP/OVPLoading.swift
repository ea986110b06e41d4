import Foundation

/// Loads the config of a `MediaOVP` and creates its player item.
@MainActor
final class OVPLoading {
    private let media: MediaOVP
    /// The config, after the video platform has returned it.
    private(set) var config: OVPConfig?

    init(_ media: MediaOVP) { self.media = media }

    func item() async throws(PlaybackError) -> PlayerItem {
        let flowplayer = Flowplayer.current
        guard let client = flowplayer.ovpClient else {
            guard flowplayer.accessToken != nil else { throw PlaybackError(OVPError.invalidAccessToken(status: nil)) }
            throw PlaybackError(
                .invalidConfig, url: nil, detail: "No video platform is configured. Set Flowplayer.current.ovpClient."
            )
        }
        let config: OVPConfig
        do {
            config = try await client.config(for: OVPRequest(media, accessToken: flowplayer.accessToken))
        } catch {
            throw PlaybackError(error)
        }
        guard let item = PlayerItem(config, preferredPeakBitRate: media.preferredPeakBitRate) else {
            throw PlaybackError(OVPError.invalidConfig(reason: "The config contains no playable source."))
        }
        self.config = config
        return item
    }
}

extension PlaybackError {
    init(_ error: OVPError) {
        switch error {
        case .invalidAccessToken(let status):
            self.init(.invalidAccessToken, url: nil, httpStatus: status)
        case .invalidConfig(let reason): self.init(.invalidConfig, url: nil, detail: reason)
        case .network(let reason, _): self.init(.connectionFailed, url: nil, detail: reason)
        case .notFound: self.init(.mediaNotFound, url: nil)
        case .server(let status): self.init(.httpStatus, url: nil, httpStatus: status)
        }
    }
}

extension PlayerItem {
    init(_ media: MediaExternal) {
        self.init(
            url: media.url, subtitles: media.subtitles, preferredPeakBitRate: media.preferredPeakBitRate)
    }

    /// Returns `nil` if the config contains no playable source.
    init?(_ config: OVPConfig, preferredPeakBitRate: Double?) {
        guard let url = config.mediaURL else { return nil }
        self.init(
            url: url, subtitles: config.externalSubtitles, preferredPeakBitRate: preferredPeakBitRate,
            metadata: MediaMetadata(title: config.metadata?.title, artworkURL: config.posterURL))
    }
}
