import Foundation
import Playback

extension FlowplayerFacade {
    /// Reports that nothing shows the advertisements of an item.
    func reportMissingAdvertising(of media: any Media) {
        switch media {
        case let media as MediaExternal where media.adSchedule != nil: reportMissingPlugin()
        case let media as MediaDAI where sessionRequest(for: media) == nil:
            player.warn(.streamWithoutPlugin)
            player.report(.failed(.adLoadFailed))
            player.report(.streamFailed(.adLoadFailed))
        default: break
        }
    }

    func reportMissingAdvertising(of config: OVPConfig?) {
        if config?.ima?.ads?.isEmpty == false { reportMissingPlugin() }
    }

    private func reportMissingPlugin() {
        guard !plugins.all.contains(where: \.playsAds) else { return }
        player.warn(.adsWithoutPlugin)
        player.report(.failed(.adLoadFailed))
    }
}

extension FlowplayerFacade {
    private func sessionRequest(for media: MediaDAI) -> DAISessionRequest? {
        plugins.all.compactMap { $0.sessionRequest(for: media) }.first
    }

    /// Starts a session of a stream, and returns the stream. If that fails, it returns the backup stream.
    func startSession(of media: MediaDAI) async throws(PlaybackError) -> PlayerItem {
        var failure = PlaybackError(.pluginMissing, url: nil)
        if let request = sessionRequest(for: media) {
            do throws(PlaybackError) {
                return PlayerItem(media, at: try await request())
            } catch {
                failure = error
                let adError: AdError = error.code == .addressForbidden ? .invalidAdRequest : .adLoadFailed
                if !Task.isCancelled { player.report(.streamFailed(adError)) }
            }
        }
        guard let url = media.stream.backupStream else { throw failure }
        return PlayerItem(media, at: url)
    }
}

extension PlayerItem {
    fileprivate init(_ media: MediaDAI, at url: URL) {
        self.init(url: url, preferredPeakBitRate: media.preferredPeakBitRate, startPosition: media.startPosition)
        (retryPolicy, securityPolicy) = (media.retryPolicy, media.securityPolicy)
    }
}

extension MediaDAI {
    /// The first position, in seconds.
    var startPosition: Double { (stream as? DAIStreamVOD)?.bookmark ?? 0 }
}

extension AdEvent {
    /// The delegate call and the notification of the event.
    @MainActor
    var report: HostReport<FlowplayerFacade> {
        switch self {
        case .state(let state, let type):
            HostReport(name: .flowplayerAdDidChangeState, value: (state, type)) {
                $0.adDelegate?.player($0, didChangeAdState: state, for: type)
            }
        case .failed(let error, let type, let metadata, _):
            HostReport(name: .flowplayerAdDidFail, value: error) {
                $0.adDelegate?.player($0, didAdFailWith: error, for: type, with: metadata)
            }
        case .clickThrough(let url):
            HostReport(name: .flowplayerAdDidRequestPage, value: url) {
                $0.adDelegate?.player($0, didRequestPage: url)
            }
        case .streamState(let state):
            HostReport(name: .flowplayerStreamDidChangeState, value: state) {
                $0.daiDelegate?.player($0, didStreamChangeState: state)
            }
        case .streamFailed(let error):
            HostReport(name: .flowplayerStreamDidFail, value: error) {
                $0.daiDelegate?.player($0, didStreamFailWith: error)
            }
        }
    }
}

extension PlaybackNotice {
    static let adsWithoutPlugin = PlaybackNotice(
        code: "adsUnavailable",
        message: "No plugin for advertisements is attached: the content plays without its advertisements.")
    static let streamWithoutPlugin = PlaybackNotice(
        code: "streamUnavailable",
        message: "No plugin for streams with advertisements is attached: only a fallback address can be played.")
}
