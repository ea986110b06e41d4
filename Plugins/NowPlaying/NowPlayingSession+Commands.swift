import Playback

// The handlers of the player itself.
extension NowPlayingSession {
    func handleCommands() {
        handle(ownCommands.playCommand, if: \.canPlay) { session, player, _ in session.play(player) }
        handle(ownCommands.pauseCommand, if: \.canPlay) { _, player, _ in player.pause() }
        handle(ownCommands.stopCommand, if: \.hasItem) { session, player, _ in session.stop(player) }
        handle(ownCommands.nextTrackCommand, if: \.canGoToNext) { session, _, _ in session.queue?.goToNextItem() }
        handle(ownCommands.previousTrackCommand, if: \.canGoBack) { session, _, _ in session.queue?.goToPreviousItem() }
        handle(ownCommands.skipForwardCommand, if: \.canSeek) { _, player, event in
            player.skip(by: event.interval)
        }
        handle(ownCommands.skipBackwardCommand, if: \.canSeek) { _, player, event in
            player.skip(by: -event.interval)
        }
        handle(ownCommands.changePlaybackPositionCommand, if: \.canSeek) { _, player, event in
            player.seek(to: event.positionTime)
        }
        handle(ownCommands.changePlaybackRateCommand) { session, player, event in
            session.setRate(Float(event.playbackRate), of: player)
        }
        if let rates = player?.capabilities.rates {
            ownCommands.changePlaybackRateCommand.supportedPlaybackRates = [rates.lowerBound, rates.upperBound]
        }
        handle(ownCommands.changeRepeatModeCommand, if: \.hasQueue) { session, _, event in
            session.queue?.repeatMode = event.repeatMode
        }
        handle(ownCommands.changeShuffleModeCommand, if: \.hasQueue) { session, _, event in
            session.queue?.isShuffled = event.isShuffled
        }
        handle(ownCommands.changeVolumeCommand) { _, player, event in
            player.volume = Float(event.volume)
            if event.volume > 0 { player.isMuted = false }
        }
    }

    private func handle<Event>(
        _ command: RemoteCommand<Event>,
        if isPossible: KeyPath<NowPlayingSession, Bool> = \.hasPlayer,
        by action: @escaping @MainActor (NowPlayingSession, MediaPlayer, Event) -> Void
    ) {
        command.isPossible = { [weak self] in self?[keyPath: isPossible] ?? false }
        command.addTarget { [weak self] event in
            guard let self, let player else { return .noSuchContent }
            action(self, player, event)
            return .success
        }
    }

    // MARK: Availability

    private var hasPlayer: Bool { player != nil }
    private var hasItem: Bool { player?.snapshot.item != nil }
    private var canPlay: Bool { hasItem || hasPlayer && stoppedItem != nil }
    private var canSeek: Bool { player?.canSeek == true && player?.advertisement == nil }
    private var hasQueue: Bool { player != nil && queue != nil }
    private var canGoToNext: Bool { player != nil && queue?.canGoToNextItem == true }
    private var canGoBack: Bool { player != nil && queue?.canGoToPreviousItem == true }

    /// Sets the rate for now and for the next *play*. A paused player stays paused.
    private func setRate(_ rate: Float, of player: MediaPlayer) {
        player.defaultRate = rate
        if player.rate > 0 { player.rate = rate }
        center?.refresh()
    }

    // MARK: Playing after stopping

    private func stop(_ player: MediaPlayer) {
        let item = player.currentItem
        player.stop()
        stoppedItem = item
    }

    private func play(_ player: MediaPlayer) {
        guard let item = stoppedItem, !hasItem else {
            // A player that plays keeps its rate.
            if player.rate == 0 { player.play() }
            return
        }
        if let queue, let index = queue.nowPlayingItems.firstIndex(where: { $0.id == item.id }) {
            queue.jump(toItemAt: index)
            player.play()
        } else {
            player.load(item, autoPlay: true)
        }
    }
}
