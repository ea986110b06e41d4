import Foundation
import Playback

extension Flowplayer {
    /// Loads the config of an item and creates its player item.
    func load(_ media: MediaOVP) async throws(PlaybackError) -> (PlayerItem, OVPConfig) {
        guard let client = ovpClient ?? platformURL.map({ HTTPOVPClient(baseURL: $0) }) else {
            if accessToken == nil { throw PlaybackError(OVPError.invalidAccessToken(status: nil)) }
            throw PlaybackError(.platformMissing, url: nil)
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
        case .server(let status):
            let event = status >= 500 ? "reported an error" : "refused the request"
            let detail = "The video platform \(event) (HTTP \(status))."
            self.init(.httpStatus, url: nil, httpStatus: status, detail: detail)
        }
    }
}

/// The settings of an item that a host can set on every kind of media.
protocol ItemSettings: Media {
    var maximumResolution: VideoSize? { get }
    var startPosition: Double { get }
    var httpHeaders: [String: String] { get }
    var userAgent: String? { get }
    var httpHeaderOrigins: [URL] { get }
    var retryPolicy: RetryPolicy { get }
    var securityPolicy: MediaSecurityPolicy { get }
}

extension MediaExternal: ItemSettings {}
extension MediaOVP: ItemSettings {}

extension PlayerItem {
    init(_ media: MediaExternal) {
        self.init(media, url: media.url, subtitles: media.subtitles, metadata: media.metadata)
        // Its first advertisement plays before it.
        allowsPreloading = media.adSchedule == nil
    }

    /// Throws if the config contains no playable source.
    init(_ config: OVPConfig, _ media: MediaOVP) throws(OVPError) {
        guard let url = config.mediaURL else { throw .invalidConfig(reason: "The config contains no playable source.") }
        let metadata = MediaMetadata(title: config.metadata?.title, artworkURL: config.posterURL)
        self.init(
            media, url: url, subtitles: config.externalSubtitles, metadata: media.metadata.completed(by: metadata))
        allowsPreloading = config.ima?.ads?.isEmpty != false
    }

    private init(
        _ settings: some ItemSettings, url: URL, subtitles: [ExternalSubtitle], metadata: MediaMetadata
    ) {
        self.init(
            url: url, subtitles: subtitles, preferredPeakBitRate: settings.preferredPeakBitRate, metadata: metadata,
            startPosition: settings.startPosition)
        maximumResolution = settings.maximumResolution
        httpHeaders = settings.httpHeaders
        userAgent = settings.userAgent
        httpHeaderOrigins = settings.httpHeaderOrigins
        retryPolicy = settings.retryPolicy
        securityPolicy = settings.securityPolicy
    }
}
