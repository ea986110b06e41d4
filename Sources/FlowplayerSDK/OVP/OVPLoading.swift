import Foundation

/// Finds out what a `MediaOVP` stands for.
@MainActor
final class OVPLoading {
    private let media: MediaOVP
    /// What the video platform said, once it has.
    private(set) var config: OVPConfig?

    init(_ media: MediaOVP) { self.media = media }

    func item() async throws(PlaybackError) -> PlayerItem {
        let flowplayer = Flowplayer.current
        guard let client = flowplayer.ovpClient else {
            guard flowplayer.accessToken != nil else { throw PlaybackError(OVPError.invalidAccessToken(status: nil)) }
            throw PlaybackError(
                .invalidConfig, url: nil, detail: "There is no video platform to ask: set Flowplayer.current.ovpClient."
            )
        }
        let config: OVPConfig
        do {
            config = try await client.config(for: OVPRequest(media, accessToken: flowplayer.accessToken))
        } catch {
            throw PlaybackError(error)
        }
        guard let item = PlayerItem(config, preferredPeakBitRate: media.preferredPeakBitRate) else {
            throw PlaybackError(OVPError.invalidConfig(reason: "The configuration names no source that can be played."))
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

    /// `nil` if the configuration names nothing to play.
    init?(_ config: OVPConfig, preferredPeakBitRate: Double?) {
        guard let url = config.mediaURL else { return nil }
        self.init(
            url: url, subtitles: config.externalSubtitles, preferredPeakBitRate: preferredPeakBitRate,
            metadata: MediaMetadata(title: config.metadata?.title, artworkURL: config.posterURL))
    }
}
