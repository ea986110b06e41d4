import Playback

/// The session of a player that remote controls can control.
///
/// ```swift
/// let session = NowPlayingCenter.shared.attach(player)
/// session.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingInfo(title: "Morning show")
/// ```
///
/// One session is *active*: remote controls show it and send commands to it. The first session is active automatically.
/// When the active session ends, the one that was active before it becomes active again.
///
/// A session stays until `end()` or until its player is released.
@preconcurrency @MainActor
public final class NowPlayingSession {
    /// The player; `nil` after it was released.
    public private(set) weak var player: MediaPlayer?
    /// The host's queue, or the player if its queue has items; `nil` without a queue.
    public var queue: (any NowPlayingQueue)? { hostQueue ?? player.flatMap { $0.queue.items.isEmpty ? nil : $0 } }
    /// The information of the host about this player.
    public let nowPlayingInfoCenter: NowPlayingInfoCenter
    /// The handlers of the host for this player.
    public let remoteCommandCenter: RemoteCommandCenter

    /// The handlers of the player itself.
    let ownCommands: RemoteCommandCenter
    /// The item that a remote control has stopped. *Play* starts it again.
    var stoppedItem: PlayerItem?

    private weak var hostQueue: (any NowPlayingQueue)?
    private(set) weak var center: NowPlayingCenter?
    private var observations: [ObservationToken] = []

    init(player: MediaPlayer, queue: (any NowPlayingQueue)?, center: NowPlayingCenter) {
        self.player = player
        hostQueue = queue
        self.center = center
        nowPlayingInfoCenter = NowPlayingInfoCenter(clock: player.clock)
        remoteCommandCenter = RemoteCommandCenter()
        ownCommands = RemoteCommandCenter()
        nowPlayingInfoCenter.changed = { [weak center] in center?.refresh() }
        remoteCommandCenter.changed = { [weak center] in center?.refresh() }
        handleCommands()
        observe(player)
    }

    /// `true` if remote controls show and control this player.
    public var isActive: Bool { center?.activeSession === self }

    /// Makes this session the active one. Does nothing after the session has ended.
    public func becomeActive() { center?.activate(self) }

    /// Ends the session. The player continues to play.
    public func end() {
        for observation in observations { observation.cancel() }
        observations = []
        center?.remove(self)
    }

    // MARK: Events

    private func observe(_ player: MediaPlayer) {
        // The player releases its observers when it is released.
        let release = ReleaseObserver { [weak self] in self?.end() }
        observations.append(
            player.observeChanges { [weak self] event, _ in
                withExtendedLifetime(release) {}
                if let event { self?.receive(event) } else { self?.centerNeedsRefresh() }
            })
        let queue: any NowPlayingQueue = hostQueue ?? player
        observations.append(queue.observeQueue { [weak self] in self?.center?.refresh() })
    }

    /// A property without an event has changed, such as the intent during an advertisement.
    private func centerNeedsRefresh() { if isActive { center?.refresh() } }

    private func receive(_ event: PlayerEvent) {
        if case .media = event { stoppedItem = nil }
        guard isActive else { return }
        switch event {
        case .position: center?.refreshPosition()
        case .seek(.seeked, _): center?.refresh(hasSeeked: true)
        default: center?.refresh()
        }
    }
}

/// Calls a closure when the last reference to it is released.
private final class ReleaseObserver: Sendable {
    private let released: @MainActor @Sendable () -> Void

    init(_ released: @escaping @MainActor @Sendable () -> Void) { self.released = released }

    deinit {
        Task { @MainActor [released] in released() }
    }
}
