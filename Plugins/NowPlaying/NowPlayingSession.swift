import Playback

/// A player that can be controlled from elsewhere.
///
/// ```swift
/// let session = NowPlayingCenter.shared.attach(player)
/// session.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingInfo(title: "Morning show")
/// ```
///
/// Of several, one is *active*: it is the one that is shown and that commands go to. The first one is so by itself. When the
/// active one ends, the one that was active before it is so again.
///
/// Dropping it changes nothing. It ends with its player, or by `end()`.
@MainActor
public final class NowPlayingSession {
    /// `nil` once it is gone.
    public private(set) weak var player: MediaPlayer?
    /// The host's queue, or the player if its queue has items; `nil` without a queue.
    public var queue: (any NowPlayingQueue)? { hostQueue ?? player.flatMap { $0.queue.items.isEmpty ? nil : $0 } }
    /// What is shown of this player in place of what it says of itself.
    public let nowPlayingInfoCenter: NowPlayingInfoCenter
    /// Who does what this player is asked for, in place of what it would do by itself.
    public let remoteCommandCenter: RemoteCommandCenter

    /// What the player does by itself.
    let ownCommands: RemoteCommandCenter
    /// What a remote control has stopped, so that *play* begins it again.
    var stoppedItem: PlayerItem?

    private weak var hostQueue: (any NowPlayingQueue)?
    private weak var center: NowPlayingCenter?
    private var observations: [ObservationToken] = []

    init(player: MediaPlayer, queue: (any NowPlayingQueue)?, center: NowPlayingCenter) {
        self.player = player
        hostQueue = queue
        self.center = center
        let clock = player.clock
        nowPlayingInfoCenter = NowPlayingInfoCenter { clock.hostTime }
        let changed = { @MainActor [weak center] in center?.refresh() ?? () }
        remoteCommandCenter = RemoteCommandCenter(changed: changed)
        ownCommands = RemoteCommandCenter {}
        nowPlayingInfoCenter.changed = changed
        handleCommands()
        observe(player)
    }

    /// Whether this is the one that is shown and controlled.
    public var isActive: Bool { center?.activeSession === self }

    /// Makes this the one that is shown and controlled. Without effect once it has ended.
    public func becomeActive() { center?.activate(self) }

    /// Lets go of the player: it plays on, and is not controlled from elsewhere any more.
    public func end() {
        for observation in observations { observation.cancel() }
        observations = []
        center?.remove(self)
    }

    // MARK: What happens

    private func observe(_ player: MediaPlayer) {
        // Nothing tells that a player is gone but what goes with it.
        let farewell = Farewell { [weak self] in self?.end() }
        observations.append(
            player.observe { [weak self] event, _ in
                withExtendedLifetime(farewell) {}
                self?.heard(event)
            })
        let queue: any NowPlayingQueue = hostQueue ?? player
        observations.append(queue.observeQueue { [weak self] in self?.center?.refresh() })
    }

    private func heard(_ event: PlayerEvent) {
        if case .media = event { stoppedItem = nil }
        guard isActive else { return }
        switch event {
        case .position: center?.refreshPosition()
        case .seek(.seeked, _): center?.refresh(hasJumped: true)
        default: center?.refresh()
        }
    }
}

/// Says when the last one who has it has let go of it.
private final class Farewell: Sendable {
    private let said: @MainActor @Sendable () -> Void

    init(_ said: @escaping @MainActor @Sendable () -> Void) { self.said = said }

    deinit {
        Task { @MainActor [said] in said() }
    }
}
