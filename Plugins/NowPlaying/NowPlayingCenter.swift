import Foundation
import Logging
import Playback

/// Where players are shown and controlled from elsewhere: by the keys of a keyboard, a headset, the panel of a desktop.
///
/// ```swift
/// NowPlayingCenter.shared.attach(player)
/// ```
///
/// On Linux that is MPRIS 2, over the bus of the user's session, if the trait `Systemd` is on. The program is on the bus
/// while a player is attached, or the host says what it plays (`NowPlayingInfoCenter`). A bus that is not there, or that goes
/// away, is no error for playback: it is told once, and looked for.
@MainActor
public final class NowPlayingCenter {
    /// That of the process.
    public static let shared = NowPlayingCenter()

    /// What the program is called. A `name` that changes counts from the next time that the program comes to the bus.
    public var identity: NowPlayingIdentity {
        didSet { refresh() }
    }

    /// What is shown in place of what players say of themselves.
    public let nowPlayingInfoCenter: NowPlayingInfoCenter
    /// Who does what is asked for, in place of what players do by themselves.
    public let remoteCommandCenter: RemoteCommandCenter

    /// Shows the program's window. `nil`: it cannot be asked for that.
    public var raiseHandler: (@MainActor () -> Void)? {
        didSet { refresh() }
    }

    /// Ends the program. `nil`: it cannot be asked for that.
    public var quitHandler: (@MainActor () -> Void)? {
        didSet { refresh() }
    }

    /// Plays what is at an address with one of the schemes of `identity`. `nil`: it cannot be asked for that.
    public var openHandler: (@MainActor (URL) -> RemoteCommandHandlerStatus)?

    /// By which name others find the program on the bus; `nil` while they do not.
    public internal(set) var busName: String?

    /// The last one is active.
    private var sessions: [NowPlayingSession] = []
    let environment: [String: String]
    let report: @Sendable (String) -> Void
    #if Systemd
    private var service: MPRISService?
    #endif

    /// Another one than that of the process.
    ///
    /// - Parameters:
    ///   - identity: what the program is called.
    ///   - environment: where the bus is looked for: `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR`. That of this process by
    ///     default.
    ///   - problem: told, on the main actor, what is not possible, and when it is again; by default a line of the log
    ///     `flowplayer`.
    public init(
        identity: NowPlayingIdentity = NowPlayingIdentity(),
        environment: [String: String] = ProcessInfo.processInfo.environment,
        problem: (@Sendable (String) -> Void)? = nil
    ) {
        self.identity = identity
        self.environment = environment
        report = problem ?? { Logger(label: "flowplayer").notice("\($0)") }
        let clock = ContinuousClock()
        nowPlayingInfoCenter = NowPlayingInfoCenter { clock.hostTime }
        let owner = Owner()
        remoteCommandCenter = RemoteCommandCenter { owner.center?.refresh() }
        nowPlayingInfoCenter.changed = { owner.center?.refresh() }
        owner.center = self
    }

    /// For closures that are made before it.
    @MainActor private final class Owner {
        weak var center: NowPlayingCenter?
    }

    // MARK: Players

    /// Lets a player be shown and controlled from elsewhere, for as long as it lives.
    ///
    /// - Parameters:
    ///   - player: one that is attached already keeps its session.
    ///   - queue: what the player plays one after another. Not kept alive. By default the player itself, if its queue has items.
    @discardableResult
    public func attach(_ player: MediaPlayer, queue: (any NowPlayingQueue)? = nil) -> NowPlayingSession {
        if let session = sessions.first(where: { $0.player === player }) { return session }
        let session = NowPlayingSession(player: player, queue: queue, center: self)
        sessions.insert(session, at: 0)
        refresh()
        return session
    }

    /// The one that is shown and controlled; `nil` if no player is attached.
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

    // MARK: What is shown

    private var infoCenters: [NowPlayingInfoCenter] {
        [nowPlayingInfoCenter, activeSession?.nowPlayingInfoCenter].compactMap(\.self)
    }

    /// What the host says, completed by what the player says.
    var info: NowPlayingInfo {
        (infoCenters.map { $0.nowPlayingInfo ?? NowPlayingInfo() } + [activeSession?.ownInfo ?? NowPlayingInfo()])
            .reduce(NowPlayingInfo()) { $0.completed(by: $1) }
    }

    var playbackState: NowPlayingPlaybackState {
        if let said = infoCenters.map(\.playbackState).first(where: { $0 != .unknown }) { return said }
        if let snapshot = activeSession?.player?.snapshot { return NowPlayingPlaybackState(snapshot) }
        guard let rate = nowPlayingInfoCenter.nowPlayingInfo?.playbackRate else { return .stopped }
        return rate == 0 ? .paused : .playing
    }

    /// Seconds into the medium.
    var position: Double {
        let rate = playbackState == .playing ? activeSession?.player?.rate ?? 1 : 0
        return infoCenters.lazy.compactMap { $0.elapsedTime(rate: rate) }.first
            ?? activeSession?.player?.position.seconds ?? 0
    }

    /// Media seconds a second, while it plays.
    var rate: Double {
        if let rate = info.playbackRate, rate > 0 { rate } else { activeSession?.player?.rate ?? 1 }
    }

    /// Whether the playhead is not where it is shown, and will be told when it is: it stands until data come, or seeks.
    var isWaiting: Bool {
        guard let snapshot = activeSession?.player?.snapshot else { return false }
        let lacksData = playbackState == .playing && [.load, .buffer].contains(snapshot.state)
        return lacksData || snapshot.seek.state == .seeking
    }

    /// The time by which the position moves.
    var hostTime: Duration { (activeSession?.player?.clock ?? ContinuousClock()).hostTime }

    /// Whether the host has said another position since this was asked last.
    func takePositionIsNew() -> Bool { infoCenters.map { $0.takeElapsedTimeIsNew() }.contains(true) }

    // MARK: What is asked for

    private var commandCenters: [RemoteCommandCenter] {
        [remoteCommandCenter, activeSession?.remoteCommandCenter, activeSession?.ownCommands].compactMap(\.self)
    }

    /// Who would handle a command: the host's targets for all players, else those for this one, else the player. `nil` if
    /// nobody does, or it is not enabled.
    func handler<Command: RemoteCommand<Event>, Event>(of command: (RemoteCommandCenter) -> Command) -> Command? {
        let commands = commandCenters.map(command)
        guard commands.allSatisfy(\.isEnabled) else { return nil }
        return commands.first(where: \.hasTargets)
    }

    /// Whether a command has somebody who can do it now.
    func can<Event>(_ command: (RemoteCommandCenter) -> RemoteCommand<Event>) -> Bool {
        handler(of: command)?.isPossible() == true
    }

    /// - Returns: `nil` if nobody can do it now.
    func perform<Event>(_ event: Event, _ command: (RemoteCommandCenter) -> RemoteCommand<Event>)
        -> RemoteCommandHandlerStatus?
    {
        guard let handler = handler(of: command), handler.isPossible() else { return nil }
        return handler.perform(event)
    }

    /// A target of the host for this, else *pause* if it plays, else *play*.
    func togglePlayPause() -> RemoteCommandHandlerStatus? {
        perform(RemoteCommandEvent()) { $0.togglePlayPauseCommand }
            ?? perform(RemoteCommandEvent()) { playbackState == .playing ? $0.pauseCommand : $0.playCommand }
    }

    // MARK: The desktop

    private var isNeeded: Bool { !sessions.isEmpty || nowPlayingInfoCenter.nowPlayingInfo != nil }

    /// Something may be otherwise.
    func refresh(hasJumped: Bool = false) {
        #if Systemd
        if isNeeded, service == nil { service = MPRISService(center: self) }
        if !isNeeded {
            service?.end()
            service = nil
            busName = nil
        }
        service?.refresh(hasJumped: hasJumped)
        #endif
    }

    func refreshPosition() {
        #if Systemd
        service?.refreshPosition()
        #endif
    }
}
