import Playback

/// What a player does by itself with the commands that it is given.
extension NowPlayingSession {
    func handleCommands() {
        handle(ownCommands.playCommand, if: { $0.canPlay }) { session, player, _ in session.play(player) }
        handle(ownCommands.pauseCommand, if: { $0.canPlay }) { _, player, _ in player.pause() }
        handle(ownCommands.togglePlayPauseCommand, if: { $0.canPlay }) { session, player, _ in
            if NowPlayingPlaybackState(player.snapshot) == .playing { player.pause() } else { session.play(player) }
        }
        handle(ownCommands.stopCommand, if: { $0.hasItem }) { session, player, _ in session.stop(player) }
        handle(ownCommands.nextTrackCommand, if: { $0.queue?.canGoToNextItem == true }) { session, _, _ in
            session.queue?.goToNextItem()
        }
        handle(ownCommands.previousTrackCommand, if: { $0.queue?.canGoToPreviousItem == true }) { session, _, _ in
            session.queue?.goToPreviousItem()
        }
        handle(ownCommands.skipForwardCommand, if: { $0.canSeek }) { _, player, event in
            player.seek(player.position.seconds + event.interval)
        }
        handle(ownCommands.skipBackwardCommand, if: { $0.canSeek }) { _, player, event in
            player.seek(player.position.seconds - event.interval)
        }
        handle(ownCommands.changePlaybackPositionCommand, if: { $0.canSeek }) { _, player, event in
            player.seek(event.positionTime)
        }
        handle(ownCommands.changePlaybackRateCommand) { _, player, event in player.rate = event.playbackRate }
        if let rates = player?.capabilities.rates {
            ownCommands.changePlaybackRateCommand.supportedPlaybackRates = [rates.lowerBound, rates.upperBound]
        }
        handle(ownCommands.changeRepeatModeCommand, if: { $0.queue != nil }) { session, _, event in
            session.queue?.repeatMode = event.repeatMode
        }
        handle(ownCommands.changeShuffleModeCommand, if: { $0.queue != nil }) { session, _, event in
            session.queue?.isShuffled = event.isShuffled
        }
        handle(ownCommands.changeVolumeCommand) { _, player, event in
            player.volume = event.volume
            if event.volume > 0 { player.isMuted = false }
        }
    }

    private func handle<Event>(
        _ command: RemoteCommand<Event>,
        if isPossible: @escaping @MainActor (NowPlayingSession) -> Bool = { _ in true },
        by action: @escaping @MainActor (NowPlayingSession, MediaPlayer, Event) -> Void
    ) {
        command.isPossible = { [weak self] in self.map { $0.player != nil && isPossible($0) } ?? false }
        command.addTarget { [weak self] event in
            guard let self, let player else { return .noSuchContent }
            action(self, player, event)
            return .success
        }
    }

    // MARK: What is possible

    private var hasItem: Bool { player?.snapshot.item != nil }
    private var canPlay: Bool { hasItem || stoppedItem != nil }
    private var canSeek: Bool { player?.canSeek == true }

    // MARK: Playing after stopping

    private func stop(_ player: MediaPlayer) {
        let item = player.currentItem
        player.stop()
        stoppedItem = item
    }

    private func play(_ player: MediaPlayer) {
        guard let item = stoppedItem, !hasItem else { return player.play() }
        if let queue, let index = queue.nowPlayingItems.firstIndex(where: { $0.id == item.id }) {
            queue.jump(toItemAt: index)
            player.play()
        } else {
            player.load(item, autoPlay: true)
        }
    }
}
