import Foundation

extension FlowplayerDelegate {
    func receive(_ event: PlayerEvent, from player: any FlowplayerAPI) {
        switch event {
        case .media, .log: break
        case .playbackType(let type): self.player(player, didChangePlaybackType: type)
        case .duration(let duration): self.player(player, didChangeDuration: duration)
        case .tracks(let tracks):
            self.player(player, loadedTracks: tracks.audio)
            self.player(player, loadedTracks: tracks.subtitles)
        case .rate(let rate): self.player(player, didChangeRate: Float(rate))
        case .volume(let volume): self.player(player, didChangeVolume: Float(volume))
        case .mute(let isMuted): self.player(player, didChangeMute: isMuted)
        case .seek(let state, let position): self.player(player, didChangeSeek: state, to: position)
        case .position(let position): self.player(player, didChangePosition: position)
        case .error(let error): self.player(player, didFailWith: .playbackError(error))
        case .state(let state): self.player(player, didChangeState: state)
        case .playbackState(let state): self.player(player, didChangePlaybackState: state)
        }
    }
}

extension PlayerEvent {
    /// The notifications that tell this event.
    func notifications(media: (any Media)?) -> [(name: Notification.Name, object: Any)] {
        switch self {
        case .media: media.map { [(.flowplayerDidReceiveMediaItem, $0)] } ?? []
        case .log: []
        case .playbackType(let type): [(.flowplayerDidChangePlaybackType, type)]
        case .duration(let duration): [(.flowplayerDidChangeDuration, duration)]
        case .tracks(let tracks):
            [(.flowplayerDidLoadAudioTracks, tracks.audio), (.flowplayerDidLoadSubtitleTracks, tracks.subtitles)]
        case .rate(let rate): [(.flowplayerDidChangeRate, Float(rate))]
        case .volume(let volume): [(.flowplayerDidChangeVolume, Float(volume))]
        case .mute(let isMuted): [(.flowplayerDidChangeIsMuted, isMuted)]
        case .seek(let state, let position): [(.flowplayerDidChangeSeekState, (state, position))]
        case .position(let position): [(.flowplayerDidChangePosition, position)]
        case .error(let error): [(.flowplayerDidFailWithError, PlayerError.playbackError(error))]
        case .state(let state): [(.flowplayerDidChangeState, state)]
        case .playbackState(let state): [(.flowplayerDidChangePlaybackState, state)]
        }
    }
}
