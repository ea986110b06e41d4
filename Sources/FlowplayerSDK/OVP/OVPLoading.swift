import Foundation

extension Flowplayer {
    /// Loads the config of an item and creates its player item.
    func load(_ media: MediaOVP) async throws(PlaybackError) -> (PlayerItem, OVPConfig) {
        guard let client = ovpClient ?? platformURL.map({ HTTPOVPClient(baseURL: $0) }) else {
            throw PlaybackError(accessToken == nil ? .invalidAccessToken : .platformMissing, url: nil)
        }
        do {
            let config = try await client.config(for: OVPRequest(media, accessToken: accessToken))
            return (try PlayerItem(config, media), config)
        } catch {
            throw PlaybackError(error)
        }
    }
}

extension PlaybackError {
    init(_ error: OVPError) {
        switch error {
        case .invalidAccessToken(let status?):
            let detail = "The video platform refused the access token (HTTP \(status))."
            self.init(.invalidAccessToken, url: nil, httpStatus: status, detail: detail)
        case .invalidAccessToken(nil):
            self.init(.invalidAccessToken, url: nil, detail: "There is no valid access token.")
        case .invalidConfig(let reason):
            self.init(.invalidConfig, url: nil, detail: "The item's configuration is invalid. \(reason)")
        case .network(let reason, _): self.init(.connectionFailed, url: nil, detail: reason)
        case .notFound: self.init(.mediaNotFound, url: nil)
        case .server(let status): self.init(.httpStatus, url: nil, httpStatus: status)
        }
    }
}

extension PlayerItem {
    init(_ media: MediaExternal) {
        self.init(
            url: media.url, subtitles: media.subtitles, preferredPeakBitRate: media.preferredPeakBitRate,
            metadata: media.metadata, startPosition: media.startPosition)
        (httpHeaders, userAgent, httpHeaderOrigins) = (media.httpHeaders, media.userAgent, media.httpHeaderOrigins)
        (retryPolicy, securityPolicy) = (media.retryPolicy, media.securityPolicy)
    }

    /// Throws if the config contains no playable source.
    init(_ config: OVPConfig, _ media: MediaOVP) throws(OVPError) {
        guard let url = config.mediaURL else { throw .invalidConfig(reason: "The config contains no playable source.") }
        let metadata = MediaMetadata(title: config.metadata?.title, artworkURL: config.posterURL)
        self.init(
            url: url, subtitles: config.externalSubtitles, preferredPeakBitRate: media.preferredPeakBitRate,
            metadata: media.metadata.completed(by: metadata), startPosition: media.startPosition)
        (httpHeaders, userAgent, httpHeaderOrigins) = (media.httpHeaders, media.userAgent, media.httpHeaderOrigins)
        (retryPolicy, securityPolicy) = (media.retryPolicy, media.securityPolicy)
    }
}
