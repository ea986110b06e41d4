import Foundation

extension Flowplayer {
    /// Loads the config of an item and creates its player item.
    func load(_ media: MediaOVP) async throws(PlaybackError) -> (PlayerItem, OVPConfig) {
        guard let ovpClient else {
            guard accessToken != nil else { throw PlaybackError(OVPError.invalidAccessToken(status: nil)) }
            throw PlaybackError(.invalidConfig, url: nil, detail: "No video platform is configured. Set Flowplayer.current.ovpClient.")
        }
        do {
            let config = try await ovpClient.config(for: OVPRequest(media, accessToken: accessToken))
            return (try PlayerItem(config, preferredPeakBitRate: media.preferredPeakBitRate), config)
        } catch {
            throw PlaybackError(error)
        }
    }
}

extension PlaybackError {
    init(_ error: OVPError) {
        switch error {
        case .invalidAccessToken(let status): self.init(.invalidAccessToken, url: nil, httpStatus: status)
        case .invalidConfig(let reason): self.init(.invalidConfig, url: nil, detail: reason)
        case .network(let reason, _): self.init(.connectionFailed, url: nil, detail: reason)
        case .notFound: self.init(.mediaNotFound, url: nil)
        case .server(let status): self.init(.httpStatus, url: nil, httpStatus: status)
        }
    }
}

extension PlayerItem {
    init(_ media: MediaExternal) {
        self.init(url: media.url, subtitles: media.subtitles, preferredPeakBitRate: media.preferredPeakBitRate)
    }

    /// Throws if the config contains no playable source.
    init(_ config: OVPConfig, preferredPeakBitRate: Double?) throws(OVPError) {
        guard let url = config.mediaURL else { throw .invalidConfig(reason: "The config contains no playable source.") }
        self.init(
            url: url, subtitles: config.externalSubtitles, preferredPeakBitRate: preferredPeakBitRate,
            metadata: MediaMetadata(title: config.metadata?.title, artworkURL: config.posterURL))
    }
}
