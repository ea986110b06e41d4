import Foundation

/// What hosts are told with an event that the player below does not know.
struct EventContext {
    let media: (any Media)?
    let config: OVPConfig?
}

extension FlowplayerDelegate {
    func receive(_ event: PlayerEvent, _ context: EventContext, from player: any FlowplayerAPI) {
        switch event {
        case .item(let transition): self.player(player, didChangeItem: transition)
        case .resolved:
            if let config = context.config { self.player(player, didReceiveConfig: config) }
        case .playbackType(let type): self.player(player, didChangePlaybackType: type)
        case .duration(let duration): self.player(player, didChangeDuration: duration)
        case .dvrWindow(let window): self.player(player, didChangeDVRWindow: window)
        case .metadata(let metadata): self.player(player, didReceiveMetadata: metadata)
        case .tracks(let tracks):
            self.player(player, loadedTracks: tracks.audio)
            self.player(player, loadedTracks: tracks.subtitles)
        case .selectedAudio(let track):
            if let track { self.player(player, selectedTrack: track) }
        case .selectedSubtitle(let track): self.player(player, selectedTrack: track ?? .off)
        case .quality(let quality): self.player(player, didChangeQuality: quality)
        case .rate(let rate): self.player(player, didChangeRate: Float(rate))
        case .volume(let volume): self.player(player, didChangeVolume: Float(volume))
        case .mute(let isMuted): self.player(player, didChangeMute: isMuted)
        case .seek(let state, let position): self.player(player, didChangeSeek: state, to: position)
        case .buffer(let state): self.player(player, didChangeBufferState: state)
        case .position(let position): self.player(player, didChangePosition: position)
        case .error(let error): self.player(player, didFailWith: PlayerError(error))
        case .state(let state): self.player(player, didChangeState: state)
        case .playbackState(let state): self.player(player, didChangePlaybackState: state)
        case .media, .interruption, .route, .log, .missed: break
        }
    }
}

extension PlayerEvent {
    /// The notifications that tell this event.
    func notifications(_ context: EventContext) -> [(name: Notification.Name, object: Any)] {
        switch self {
        case .media: context.media.map { [(.flowplayerDidReceiveMediaItem, $0)] } ?? []
        case .item(let transition): [(.flowplayerDidChangeItem, transition)]
        case .resolved: context.config.map { [(.flowplayerDidReceiveConfig, $0)] } ?? []
        case .playbackType(let type): [(.flowplayerDidChangePlaybackType, type)]
        case .duration(let duration): [(.flowplayerDidChangeDuration, duration)]
        case .dvrWindow(let window): [(.flowplayerDidChangeDVRWindow, window)]
        case .metadata(let metadata): [(.flowplayerDidReceiveMetadata, metadata)]
        case .tracks(let tracks):
            [(.flowplayerDidLoadAudioTracks, tracks.audio), (.flowplayerDidLoadSubtitleTracks, tracks.subtitles)]
        case .selectedAudio(let track): track.map { [(.flowplayerDidSelectAudioTrack, $0)] } ?? []
        case .selectedSubtitle(let track): [(.flowplayerDidSelectSubtitleTrack, track ?? .off)]
        case .quality(let quality): [(.flowplayerDidChangeQuality, quality)]
        case .rate(let rate): [(.flowplayerDidChangeRate, Float(rate))]
        case .volume(let volume): [(.flowplayerDidChangeVolume, Float(volume))]
        case .mute(let isMuted): [(.flowplayerDidChangeIsMuted, isMuted)]
        case .seek(let state, let position): [(.flowplayerDidChangeSeekState, (state, position))]
        case .buffer(let state): [(.flowplayerDidChangeBufferState, state)]
        case .position(let position): [(.flowplayerDidChangePosition, position)]
        case .error(let error): [(.flowplayerDidFailWithError, PlayerError(error))]
        case .state(let state): [(.flowplayerDidChangeState, state)]
        case .playbackState(let state): [(.flowplayerDidChangePlaybackState, state)]
        case .log(.adsWithoutPlugin), .log(.streamWithoutPlugin): [(.flowplayerAdDidFail, AdError.adLoadFailed)]
        case .interruption, .route, .log, .missed: []
        }
    }
}

// MARK: - Advertisements, for which no plugin comes with the SDK

extension PlaybackNotice {
    static let adsWithoutPlugin = PlaybackNotice(
        code: "adsUnavailable",
        message: "No plugin for advertisements is registered: the content plays without its advertisements.")
    static let streamWithoutPlugin = PlaybackNotice(
        code: "streamUnavailable",
        message: "No plugin for streams with advertisements is registered: only a fallback address can be played."
    )
}

extension FlowplayerAdDelegate {
    func receive(_ event: PlayerEvent, from player: any FlowplayerAPI) {
        if case .log(.adsWithoutPlugin) = event { self.player(player, didAdFailWith: .adLoadFailed) }
    }
}

extension FlowplayerDAIDelegate {
    func receive(_ event: PlayerEvent, from player: any FlowplayerAPI) {
        guard case .log(.streamWithoutPlugin) = event else { return }
        self.player(player, didStreamFailWith: PlaybackError(.pluginMissing, url: nil))
    }
}
