import DBus
import Foundation
import Logging
import Playback

/// Connects players to remote controls: media keys, headsets and the panel of a desktop.
///
/// ```swift
/// NowPlayingCenter.shared.attach(player)
/// ```
///
/// The center implements MPRIS 2 on the session bus and needs the trait `Systemd`. The program has a name on the bus while
/// a player is attached or `NowPlayingInfoCenter` has information. Without a bus, playback works, the center reports the
/// problem once, and it reconnects when the bus is available.
@preconcurrency @MainActor
public final class NowPlayingCenter {
    /// The center of the process.
    public static let shared = NowPlayingCenter()

    /// The names of the program. A new `name` is used the next time that the program connects to the bus.
    public var identity: NowPlayingIdentity { didSet { refresh() } }

    /// The information of the host about all players.
    public let nowPlayingInfoCenter: NowPlayingInfoCenter
    /// The handlers of the host for all players.
    public let remoteCommandCenter: RemoteCommandCenter

    /// Shows the program's window; `nil` if controls cannot request it.
    public var raiseHandler: (@MainActor () -> Void)? { didSet { refresh() } }

    /// Ends the program; `nil` if controls cannot request it.
    public var quitHandler: (@MainActor () -> Void)? { didSet { refresh() } }

    /// Plays a URL with one of the schemes of `identity`; `nil` if controls cannot request it.
    public var openHandler: (@MainActor (URL) -> RemoteCommandHandlerStatus)?

    /// The program's name on the bus; `nil` while it has none.
    public internal(set) var busName: String?

    /// The last session is active.
    private var sessions: [NowPlayingSession] = []
    let environment: [String: String]
    let report: @Sendable (String) -> Void
    private var service: MPRISService?

    /// Creates another center than `shared`.
    ///
    /// - Parameters:
    ///   - identity: the names of the program.
    ///   - environment: has the address of the bus: `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR`. The environment of the
    ///     process by default.
    ///   - problem: called on the main actor with a message when the bus becomes unavailable or available. By default,
    ///     the message is logged.
    public init(
        identity: NowPlayingIdentity = NowPlayingIdentity(),
        environment: [String: String] = ProcessInfo.processInfo.environment,
        problem: (@Sendable (String) -> Void)? = nil
    ) {
        self.identity = identity
        self.environment = environment
        report = problem ?? { Logger(label: "flowplayer").notice("\($0)") }
        nowPlayingInfoCenter = NowPlayingInfoCenter(clock: ContinuousClock())
        remoteCommandCenter = RemoteCommandCenter()
        nowPlayingInfoCenter.changed = { [weak self] in self?.refresh() }
        remoteCommandCenter.changed = { [weak self] in self?.refresh() }
    }

    isolated deinit { service?.close() }

    // MARK: Players

    /// Attaches a player to the remote controls until it is released.
    ///
    /// - Parameters:
    ///   - player: the player. A player that is already attached keeps its session.
    ///   - queue: the queue of the player, not retained. By default the player itself, if its queue has items.
    @discardableResult
    public func attach(_ player: MediaPlayer, queue: (any NowPlayingQueue)? = nil) -> NowPlayingSession {
        if let session = sessions.first(where: { $0.player === player }) { return session }
        let session = NowPlayingSession(player: player, queue: queue, center: self)
        sessions.insert(session, at: 0)
        refresh()
        return session
    }

    /// The session that remote controls show and control; `nil` if no player is attached.
    public var activeSession: NowPlayingSession? { sessions.last }

    func activate(_ session: NowPlayingSession) {
        guard let index = sessions.firstIndex(where: { $0 === session }) else { return }
        sessions.append(sessions.remove(at: index))
        refresh()
    }

    func remove(_ session: NowPlayingSession) {
        sessions.removeAll { $0 === session }
        refresh()
    }

    // MARK: Information

    private var infoCenters: [NowPlayingInfoCenter] {
        [nowPlayingInfoCenter, activeSession?.nowPlayingInfoCenter].compactMap(\.self)
    }

    /// The information of the host, completed by that of the player.
    var info: NowPlayingInfo {
        (infoCenters.map(\.nowPlayingInfo) + [activeSession?.ownInfo]).compactMap(\.self)
            .reduce(NowPlayingInfo()) { $0.completed(by: $1) }
    }

    var playbackState: NowPlayingPlaybackState {
        if let state = infoCenters.map(\.playbackState).first(where: { $0 != .unknown }) { return state }
        if let snapshot = activeSession?.player?.snapshot { return NowPlayingPlaybackState(snapshot) }
        guard let rate = nowPlayingInfoCenter.nowPlayingInfo?.playbackRate else { return .stopped }
        return rate == 0 ? .paused : .playing
    }

    /// The position in seconds.
    var position: Double {
        let rate = playbackState == .playing ? rate : 0
        return infoCenters.compactMap { $0.elapsedTime(rate: rate) }.first
            ?? activeSession?.player?.position.seconds ?? 0
    }

    /// The rate during playback. While paused, the rate of *play*.
    var rate: Double {
        if let rate = info.playbackRate, rate > 0 { rate } else { activeSession?.player?.snapshot.defaultRate ?? 1 }
    }

    /// `true` while the playhead waits for data or a seek. The position is sent afterwards.
    var isWaiting: Bool {
        guard let snapshot = activeSession?.player?.snapshot else { return false }
        let lacksData = playbackState == .playing && [.load, .buffer].contains(snapshot.state)
        let isHeld = playbackState == .playing && !snapshot.suppression.isEmpty
        return lacksData || isHeld || snapshot.seek.state == .seeking
    }

    /// The time of the player's clock.
    var hostTime: Duration { (activeSession?.player?.clock ?? ContinuousClock()).hostTime }

    // MARK: Commands

    private var commandCenters: [RemoteCommandCenter] {
        [remoteCommandCenter, activeSession?.remoteCommandCenter, activeSession?.ownCommands].compactMap(\.self)
    }

    /// The command with the handlers: those of the host for all players, else those for the active player, else the
    /// player's own. `nil` if there is no handler or the command is disabled.
    func handler<Command: RemoteCommand<Event>, Event>(of command: (RemoteCommandCenter) -> Command) -> Command? {
        let commands = commandCenters.map(command)
        guard commands.allSatisfy(\.isEnabled) else { return nil }
        return commands.first(where: \.hasTargets)
    }

    /// Returns `true` if a handler can perform the command now.
    func can<Event>(_ command: (RemoteCommandCenter) -> RemoteCommand<Event>) -> Bool {
        handler(of: command)?.isPossible() == true
    }

    /// - Returns: `nil` if no handler can perform the command now.
    func perform<Event>(_ event: Event, _ command: (RemoteCommandCenter) -> RemoteCommand<Event>)
        -> RemoteCommandHandlerStatus?
    {
        guard let handler = handler(of: command), handler.isPossible() else { return nil }
        return handler.perform(event)
    }

    /// Performs the host's own handler, else *pause* during playback, else *play*.
    func togglePlayPause() -> RemoteCommandHandlerStatus? {
        perform(RemoteCommandEvent(), \.togglePlayPauseCommand)
            ?? perform(RemoteCommandEvent(), playbackState == .playing ? \.pauseCommand : \.playCommand)
    }

    // MARK: MPRIS

    private var isNeeded: Bool { !sessions.isEmpty || nowPlayingInfoCenter.nowPlayingInfo != nil }

    /// Shows the current state after a possible change.
    func refresh(hasSeeked: Bool = false) {
        if isNeeded, service == nil, DBusConnection.isAvailable { service = MPRISService(center: self) }
        if !isNeeded {
            service?.close()
            service = nil
            busName = nil
        }
        service?.refresh(hasSeeked: hasSeeked)
    }

    func refreshPosition() { service?.refreshPosition() }
}
