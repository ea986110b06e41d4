import Foundation

/// The audio behaviour of a program, or of a part of it, towards other audio.
///
/// ```swift
/// let session = AudioSession.sharedInstance()
/// try session.setCategory(.playback, mode: .moviePlayback)
/// try session.setActive(true)
/// ```
///
/// Players belong to a session, by default to that of the process. An interruption pauses them. They resume afterwards
/// if they were playing before, and the user did not pause, stop or load something meanwhile. A user who plays during
/// the interruption overrides it.
///
/// Three things interrupt: the audio server, through the backend; another session of the process (`AudioFocus`); and
/// the host, with a source (`add(_:)`) or with `beginInterruption()`.
@preconcurrency @MainActor
public final class AudioSession {
    private static let shared = AudioSession()

    /// The session of the process.
    public static func sharedInstance() -> AudioSession { shared }

    /// The purpose of the program's audio; `playback` by default. With an ambient category, players pause in the
    /// background whatever their policy.
    public private(set) var category = Category.playback
    /// The kind of audio; `default` by default.
    public private(set) var mode = Mode.default
    /// How it mixes with the program's other sessions; by default it does not.
    public private(set) var options: CategoryOptions = []
    /// `true` if the program uses audio: it has called `setActive(true)`, or a player has started.
    public private(set) var isActive = false

    let notificationCenter: NotificationCenter
    private let focus: AudioFocus
    private var members: [Weak<MediaPlayer>] = []
    /// The interruptions of all players.
    private var causes: Set<InterruptionCause> = []
    /// The other session that is heard in place of this one.
    private(set) weak var interrupter: AudioSession?
    private var wasInterrupted = false
    private let sources = Observers<any InterruptionSource>()
    private var lastSource = 0

    private static let byHand = InterruptionCause(rawValue: "session")
    private static let byAnother = InterruptionCause(rawValue: "otherSession")

    /// A separate session, for tests and for programs with several kinds of audio.
    ///
    /// - Parameters:
    ///   - focus: the sessions that compete with it.
    ///   - notificationCenter: the center of the notifications.
    public init(focus: AudioFocus = .shared, notificationCenter: NotificationCenter = .default) {
        self.focus = focus
        self.notificationCenter = notificationCenter
    }

    isolated deinit { focus.deactivate(self, notifies: true) }

    // MARK: Category

    /// Sets the purpose of the program's audio. It never fails; it throws because hosts write `try`.
    ///
    /// - Parameters:
    ///   - category: the purpose.
    ///   - mode: the kind of audio.
    ///   - options: how the session mixes with the program's other sessions.
    public func setCategory(_ category: Category, mode: Mode = .default, options: CategoryOptions = []) throws {
        (self.category, self.mode, self.options) = (category, mode, options)
        for player in players { player.sessionRoleChanged() }
        focus.categoryChanged(self)
    }

    /// Sets the kind of audio within the category. It never fails; it throws because hosts write `try`.
    public func setMode(_ mode: Mode) throws { try setCategory(category, mode: mode, options: options) }

    // MARK: Activation

    /// The reason why a session cannot become active.
    public enum ActivationError: Error, Hashable, Sendable {
        /// The session is in the background, and another session of the program plays in the foreground.
        case cannotInterruptOthers
    }

    /// Activates or deactivates the session. An inactive session pauses its players.
    ///
    /// - Parameters:
    ///   - isActive: `true` interrupts the program's other sessions, according to `options`.
    ///   - options: applied to the interrupted sessions if it is `false`.
    /// - Throws: `ActivationError`. The session is still active, and plays when the other one is done.
    public func setActive(_ isActive: Bool, options: SetActiveOptions = []) throws {
        let wasActive = self.isActive
        self.isActive = isActive
        if isActive {
            guard focus.activate(self) else { throw ActivationError.cannotInterruptOthers }
        } else if wasActive {
            for player in players { player.pause() }
            focus.deactivate(self, notifies: options.contains(.notifyOthersOnDeactivation))
        }
    }

    /// `true` if all its players are in the background.
    var isBehind: Bool { !players.isEmpty && players.allSatisfy { $0.snapshot.background != nil } }

    /// `true` if one of its players plays, or is about to.
    var isPlaying: Bool { players.contains { $0.snapshot.isOpen && $0.snapshot.shouldPlay } }

    var ducksOthers: Bool { isActive && options.contains(.duckOthers) }

    var isDucked = false {
        didSet {
            guard isDucked != oldValue else { return }
            for player in players { player.perform(.duck(isDucked)) }
        }
    }

    // MARK: Interruptions

    /// `true` if one of its players is interrupted.
    public var isInterrupted: Bool {
        !causes.isEmpty || players.contains { $0.snapshot.interruptions.contains(.engine) }
    }

    /// Begins an interruption by the host, which pauses the session's players. Calling it twice is harmless.
    public func beginInterruption() { begin(Self.byHand) }

    /// Ends the interruption by the host.
    ///
    /// - Parameter shouldResume: `true` to resume the players that it paused.
    public func endInterruption(shouldResume: Bool = true) { end(Self.byHand, shouldResume: shouldResume) }

    /// Follows a source of interruptions until the token is cancelled, also if you release the token. Then its
    /// interruptions end.
    @discardableResult
    public func add(_ source: any InterruptionSource) -> ObservationToken {
        lastSource += 1
        let prefix = "source\(lastSource)."
        let changes = source.changes
        let task = Task { [weak self] in
            for await change in changes {
                switch change {
                case .began(let name): self?.begin(.init(rawValue: prefix + name))
                case .ended(let name, let shouldResume):
                    self?.end(.init(rawValue: prefix + name), shouldResume: shouldResume)
                }
            }
            let begun = self?.causes.filter { $0.rawValue.hasPrefix(prefix) } ?? []
            for cause in begun { self?.end(cause, shouldResume: true) }
        }
        return sources.addPermanently(source) { task.cancel() }
    }

    var isInterruptedByAnother: Bool { causes.contains(Self.byAnother) }

    func interrupt(by session: AudioSession) {
        interrupter = session
        begin(Self.byAnother)
    }

    func endInterruptionByAnother(shouldResume: Bool) {
        interrupter = nil
        end(Self.byAnother, shouldResume: shouldResume)
    }

    private func begin(_ cause: InterruptionCause) {
        guard causes.insert(cause).inserted else { return }
        for player in players { player.perform(.beginInterruption(cause)) }
        postInterruptionChange(shouldResume: true)
    }

    private func end(_ cause: InterruptionCause, shouldResume: Bool) {
        guard causes.remove(cause) != nil else { return }
        for player in players { player.perform(.endInterruption(cause, shouldResume: shouldResume)) }
        postInterruptionChange(shouldResume: shouldResume)
    }

    private func postInterruptionChange(shouldResume: Bool) {
        guard isInterrupted != wasInterrupted else { return }
        wasInterrupted.toggle()
        post(wasInterrupted ? .began : .ended, shouldResume ? .shouldResume : [])
    }

    // MARK: Players

    private var players: [MediaPlayer] { members.compactMap(\.value) }

    func add(_ player: MediaPlayer) {
        members.removeAll { $0.value == nil }
        members.append(Weak(player))
        for cause in causes { player.perform(.beginInterruption(cause)) }
        if isDucked { player.perform(.duck(true)) }
        player.sessionRoleChanged()
    }

    func remove(_ player: MediaPlayer) {
        members.removeAll { $0.value == nil || $0.value === player }
        for cause in causes { player.perform(.endInterruption(cause, shouldResume: true)) }
        if isDucked { player.perform(.duck(false)) }
        postInterruptionChange(shouldResume: true)
    }

    /// Handles a change of one of its players.
    func follow(_ player: MediaPlayer, from before: PlayerSnapshot, to after: PlayerSnapshot) {
        let begins = !(before.isOpen && before.shouldPlay) && after.isOpen && after.shouldPlay
        if begins {
            isActive = true
            // Also if the user has just played in spite of that.
            if !focus.activate(self) { player.perform(.beginInterruption(Self.byAnother)) }
        }
        if before.interruptions.contains(.engine) != after.interruptions.contains(.engine) {
            postInterruptionChange(shouldResume: after.wantsToPlay)
        }
        if before.route?.number != after.route?.number, let route = after.route { post(route.change) }
    }
}
