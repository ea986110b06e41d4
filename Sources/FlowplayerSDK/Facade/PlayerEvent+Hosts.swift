import Foundation
import Playback

/// One value of an event for the host: a call of a delegate and a notification. There is never one without the other.
@MainActor
struct HostReport<Host> {
    let name: Notification.Name
    let value: Any?
    let call: @MainActor (Host) -> Void
}

extension HostReport<FlowplayerFacade> {
    /// A report to the delegate of the player.
    init<Value>(
        _ name: Notification.Name, _ value: Value,
        _ call: @escaping @MainActor (any FlowplayerDelegate, any FlowplayerAPI, Value) -> Void
    ) {
        self.init(name: name, value: value) { player in player.delegate.map { call($0, player, value) } }
    }
}

extension PlayerEvent {
    /// The table of the delegate calls and notifications of each event.
    @MainActor
    func reports(of media: (any Media)?, _ config: OVPConfig?) -> [HostReport<FlowplayerFacade>] {
        switch self {
        case .media(let url):
            // The config of a preloaded item came before its turn.
            mediaReports(media) + (url == nil ? [] : configReports(config))
        case .item(let transition):
            [HostReport(.flowplayerDidChangeItem, transition) { $0.player($1, didChangeItem: $2) }]
        case .resolved: configReports(config)
        case .playbackType(let type):
            [HostReport(.flowplayerDidChangePlaybackType, type) { $0.player($1, didChangePlaybackType: $2) }]
        case .duration(let duration):
            [HostReport(.flowplayerDidChangeDuration, duration) { $0.player($1, didChangeDuration: $2) }]
        case .dvrWindow(let window):
            [HostReport(.flowplayerDidChangeDVRWindow, window) { $0.player($1, didChangeDVRWindow: $2) }]
        case .metadata(let metadata):
            [HostReport(.flowplayerDidReceiveMetadata, metadata) { $0.player($1, didReceiveMetadata: $2) }]
        case .tracks(let tracks):
            [
                HostReport(.flowplayerDidLoadAudioTracks, tracks.audio) { $0.player($1, loadedTracks: $2) },
                HostReport(.flowplayerDidLoadSubtitleTracks, tracks.subtitles) { $0.player($1, loadedTracks: $2) },
            ]
        case .selectedAudio(let track):
            track.map { [HostReport(.flowplayerDidSelectAudioTrack, $0) { $0.player($1, selectedTrack: $2) }] } ?? []
        case .selectedSubtitle(let track):
            [HostReport(.flowplayerDidSelectSubtitleTrack, track ?? .off) { $0.player($1, selectedTrack: $2) }]
        case .quality(let quality):
            [HostReport(.flowplayerDidChangeQuality, quality) { $0.player($1, didChangeQuality: $2) }]
        case .rate(let rate): [HostReport(.flowplayerDidChangeRate, Float(rate)) { $0.player($1, didChangeRate: $2) }]
        case .volume(let volume):
            [HostReport(.flowplayerDidChangeVolume, Float(volume)) { $0.player($1, didChangeVolume: $2) }]
        case .mute(let isMuted): [HostReport(.flowplayerDidChangeIsMuted, isMuted) { $0.player($1, didChangeMute: $2) }]
        case .seek(let state, let position):
            [
                HostReport(.flowplayerDidChangeSeekState, (state, position)) {
                    $0.player($1, didChangeSeek: $2.0, to: $2.1)
                }
            ]
        case .buffer(let state):
            [HostReport(.flowplayerDidChangeBufferState, state) { $0.player($1, didChangeBufferState: $2) }]
        case .position(let position):
            [HostReport(.flowplayerDidChangePosition, position) { $0.player($1, didChangePosition: $2) }]
        case .error(let error):
            [HostReport(.flowplayerDidFailWithError, PlayerError(error)) { $0.player($1, didFailWith: $2) }]
        case .state(let state): [HostReport(.flowplayerDidChangeState, state) { $0.player($1, didChangeState: $2) }]
        case .playbackState(let state):
            [HostReport(.flowplayerDidChangePlaybackState, state) { $0.player($1, didChangePlaybackState: $2) }]
        case .ad(let event): [event.report]
        case .interruption, .route, .log, .chapter, .missed: []
        }
    }
}

@MainActor
private func mediaReports(_ media: (any Media)?) -> [HostReport<FlowplayerFacade>] {
    media.map { [HostReport(.flowplayerDidReceiveMediaItem, $0) { $0.player($1, didReceiveMediaItem: $2) }] } ?? []
}

@MainActor
private func configReports(_ config: OVPConfig?) -> [HostReport<FlowplayerFacade>] {
    config.map { [HostReport(.flowplayerDidReceiveConfig, $0) { $0.player($1, didReceiveConfig: $2) }] } ?? []
}
