/// Plays items in place of those of another player, the primary one. Advertisements are such items.
///
/// Set `expectsInterstitials` of the primary player before its item is loaded.
///
/// The items are prepared while the primary player plays. Between `begin` and `end`, the primary player is held by the suppression
/// `adBreak`, and this player plays whenever the user wants playback and nothing else holds it. The video appears in the output of the
/// primary player. Volume, mute, role, audio session and background are those of the primary player too.
///
/// With frames as the output, the view keeps the last frame of one player until the first frame of the other. In the engine's own
/// window, the items open another window.
@preconcurrency @MainActor
public final class InterstitialPlayer {
    /// The player whose item is held.
    public let primary: MediaPlayer
    /// The player of the items. Load them into its queue, without `autoPlay`.
    public let player: MediaPlayer
    /// `true` between `begin` and `end`.
    public private(set) var isPresenting = false

    private var observations: [ObservationToken] = []

    /// - Parameters:
    ///   - primary: the player whose item is held.
    ///   - backend: an engine for the items alone. It should be of the kind of the primary player.
    public init(for primary: MediaPlayer, backend: any PlaybackBackend) {
        self.primary = primary
        player = MediaPlayer(backend: backend, clock: primary.clock, audioSession: primary.audioSession)
        (player.frameSwitch, player.frameSource) = (primary.frameSwitch, .interstitial)
        primary.interstitial = self
        observations = [
            primary.observeChanges { [weak self] _, _ in self?.follow() },
            player.observe { [weak self] event, _ in
                if case .route(let change) = event { self?.routeChanged(change) }
            },
        ]
        videoOutputChanged()
        follow()
    }

    isolated deinit { close() }

    /// Ends the interstitials, and closes `player`. Also done when the primary player is closed.
    public func close() {
        observations = []
        end()
        player.close()
    }

    /// Holds the primary player, and plays the items. Without effect after `close`.
    public func begin() {
        guard !isPresenting, !player.isClosed else { return }
        isPresenting = true
        videoOutputChanged()
        primary.frameSwitch.show(.interstitial, beginningWith: player.newest)
        // The host may end it in a callback.
        primary.suppress(.adBreak)
        follow()
    }

    /// Removes the items. The primary player resumes where it was, if the user wants it.
    public func end() {
        player.removeAllItems()
        guard isPresenting else { return }
        isPresenting = false
        primary.frameSwitch.show(.primary, beginningWith: primary.newest)
        primary.unsuppress(.adBreak)
        videoOutputChanged()
    }

    /// A window would open as soon as the items are prepared.
    func videoOutputChanged() {
        if case .window = primary.videoOutput, !isPresenting {
            player.videoOutput = .none
        } else {
            player.videoOutput = primary.videoOutput
        }
    }

    /// Takes over the state of the primary player.
    private func follow() {
        let (snapshot, own) = (primary.snapshot, player.snapshot)
        if own.volume != snapshot.volume { player.perform(.setVolume(snapshot.volume)) }
        if own.isMuted != snapshot.isMuted { player.isMuted = snapshot.isMuted }
        if player.audioRole != primary.audioRole { player.audioRole = primary.audioRole }
        if player.audioSession !== primary.audioSession { player.audioSession = primary.audioSession }
        if own.background != snapshot.background {
            player.perform(
                snapshot.background.map { .enterBackground($0, resumes: true) } ?? .leaveBackground(resumes: true))
        }
        if own.showsVideo != snapshot.showsVideo { player.isVideoAttached = snapshot.isVideoAttached }
        guard own.isOpen else { return }
        let isWanted = isPresenting && snapshot.isPlaybackWanted
        guard isWanted != own.wantsToPlay else { return }
        if isWanted { player.play() } else { player.pause() }
    }

    /// Pauses the primary player. Otherwise `follow` would resume the interstitials.
    private func routeChanged(_ change: AudioRouteChange) {
        if isPresenting, change.reason == .oldDeviceUnavailable { primary.pause() }
    }
}
