import Foundation
import Playback

extension FlowplayerFacade {
    /// Reports that nothing shows the advertisements of an item.
    func reportMissingAdvertising(of media: any Media) {
        switch media {
        case let media as MediaExternal where media.adSchedule != nil:
            player.warn(.adsWithoutPlugin)
            player.report(.failed(.adLoadFailed))
        case is MediaDAI:
            player.warn(.streamWithoutPlugin)
            player.report(.failed(.adLoadFailed))
            player.report(.streamFailed(.adLoadFailed))
        default: break
        }
    }
}

extension AdEvent {
    /// The delegate calls and notifications of the event.
    @MainActor
    var reports: [HostReport<FlowplayerFacade>] {
        switch self {
        case .state(let state, let type):
            [
                HostReport(name: .flowplayerAdDidChangeState, value: (state, type)) {
                    $0.adDelegate?.player($0, didChangeAdState: state, for: type)
                }
            ]
        case .failed(let error, let type, let metadata, _):
            [
                HostReport(name: .flowplayerAdDidFail, value: error) {
                    $0.adDelegate?.player($0, didAdFailWith: error, for: type, with: metadata)
                }
            ]
        case .clickThrough(let url):
            [
                HostReport(name: .flowplayerAdDidRequestPage, value: url) {
                    $0.adDelegate?.player($0, didRequestPage: url)
                }
            ]
        case .streamState(let state):
            [
                HostReport(name: .flowplayerStreamDidChangeState, value: state) {
                    $0.daiDelegate?.player($0, didStreamChangeState: state)
                }
            ]
        case .streamFailed(let error):
            [
                HostReport(name: .flowplayerStreamDidFail, value: error) {
                    $0.daiDelegate?.player($0, didStreamFailWith: error)
                }
            ]
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
