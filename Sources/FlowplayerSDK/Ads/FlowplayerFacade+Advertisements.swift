import Foundation
import Playback

// No plugin for advertisements comes with the SDK. A host can attach its own, which reports its events here.
extension FlowplayerFacade {
    /// An event of advertisements. Later versions may add cases.
    @nonexhaustive
    public enum AdEvent: Sendable {
        /// The state of an advertisement changed.
        case state(AdState, AdType)
        /// No advertisement could be shown. The metadata is `nil` if no advertisement was loaded.
        case failed(AdError, AdType = .unknown, IMAMetadata? = nil)
        /// The state of a stream with inserted advertisements changed.
        case streamState(DAIStateStream)
        /// A stream with inserted advertisements could not be loaded.
        case streamFailed(AdError)
    }

    /// Reports an event of advertisements to `adDelegate` or `daiDelegate`, and as a notification.
    ///
    /// For a plugin that shows advertisements. The event is sent after all pending events of the player. The player does not
    /// change.
    ///
    /// - Parameter event: the event.
    public func report(_ event: AdEvent) {
        let report = event.report
        afterEvents { [weak self] in
            guard let self else { return }
            report.call(self)
            post(report.name, report.value)
        }
    }
}

extension FlowplayerFacade.AdEvent {
    /// The delegate call and the notification of the event.
    @MainActor
    var report: HostReport<FlowplayerFacade> {
        switch self {
        case .state(let state, let type):
            HostReport(name: .flowplayerAdDidChangeState, value: (state, type)) {
                $0.adDelegate?.player($0, didChangeAdState: state, for: type)
            }
        case .failed(let error, let type, let metadata):
            HostReport(name: .flowplayerAdDidFail, value: error) {
                $0.adDelegate?.player($0, didAdFailWith: error, for: type, with: metadata)
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
        message: "No plugin for advertisements is registered: the content plays without its advertisements.")
    static let streamWithoutPlugin = PlaybackNotice(
        code: "streamUnavailable",
        message: "No plugin for streams with advertisements is registered: only a fallback address can be played.")
}
