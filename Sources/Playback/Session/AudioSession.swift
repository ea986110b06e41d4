import Foundation

/// How the sound of a program, or of a part of it, stands to that of others.
///
/// ```swift
/// let session = AudioSession.sharedInstance()
/// try session.setCategory(.playback, mode: .moviePlayback)
/// try session.setActive(true)
/// ```
///
/// Players belong to a session, by default to that of the process. While something more important sounds, their playback is held: it
/// goes on afterwards if it was playing before, and the user did not pause, stop or load something meanwhile. A user who plays
/// meanwhile is obeyed.
///
/// Three things interrupt: the sound server, which a backend tells its player; another session of the process (`AudioFocus`); and
/// what the host knows, as a source (`add(_:)`) or by hand (`beginInterruption()`).
@MainActor
public final class AudioSession {
    private static let shared = AudioSession()

    /// The one of this process.
    public static func sharedInstance() -> AudioSession { shared }

    /// What the program's sound is for; `playback` by default. With a category for side matters, players pause in the
    /// background whatever their policy.
    public private(set) var category = Category.playback
    /// What kind of sound it is; `default` by default.
    public private(set) var mode = Mode.default
    /// How it gets on with the program's other sessions; not at all by default.
    public private(set) var options: CategoryOptions = []
    /// Whether the program makes use of sound now: it has said so, or one of the players has begun to play.
    public private(set) var isActive = false

    let notificationCenter: NotificationCenter
    private let focus: AudioFocus
    private var members: [Weak<MediaPlayer>] = []
    /// What holds all players.
    private var causes: Set<InterruptionCause> = []
    /// The other session that is heard in place of this one.
    private(set) weak var interrupter: AudioSession?
    private var wasInterrupted = false
    private var lastSource = 0

    private static let byHand = InterruptionCause(rawValue: "session")
    private static let byAnother = InterruptionCause(rawValue: "otherSession")

    /// A session of its own, for tests and for programs with several kinds of sound.
    ///
    /// - Parameters:
    ///   - focus: the sessions among which it has to find its place.
    ///   - notificationCenter: where notifications are posted.
    public init(focus: AudioFocus = .shared, notificationCenter: NotificationCenter = .default) {
        self.focus = focus
        self.notificationCenter = notificationCenter
    }

    isolated deinit { focus.deactivate(self, notifies: true) }

    // MARK: What it is for

    /// Says what the program's sound is for. Never fails; it throws because hosts write `try`.
    ///
    /// - Parameters:
    ///   - category: what the sound is for.
    ///   - mode: what kind of sound it is.
    ///   - options: how it gets on with the program's other sessions.
    public func setCategory(_ category: Category, mode: Mode = .default, options: CategoryOptions = []) throws {
        (self.category, self.mode, self.options) = (category, mode, options)
        for player in players { player.sessionRoleChanged() }
        focus.categoryChanged(self)
    }

    /// Says what kind of sound it is, within the category. Never fails; it throws because hosts write `try`.
    public func setMode(_ mode: Mode) throws { try setCategory(category, mode: mode, options: options) }

    // MARK: Whether it sounds

    /// Why a session cannot become active.
    public enum ActivationError: Error, Hashable, Sendable {
        /// It is in the background, and another session of the program sounds in the foreground.
        case cannotInterruptOthers
    }

    /// Says whether the program makes use of sound. A session that does no more pauses its players.
    ///
    /// - Parameters:
    ///   - isActive: `true` interrupts the program's other sessions, as `options` has it.
    ///   - options: what becomes of those when it is `false`.
    /// - Throws: `ActivationError`; it is active all the same, and sounds when the other one has done.
    public func setActive(_ isActive: Bool, options: SetActiveOptions = []) throws {
        guard isActive else { return deactivate(options) }
        self.isActive = true
        guard focus.activate(self) else { throw ActivationError.cannotInterruptOthers }
    }

    private func deactivate(_ options: SetActiveOptions) {
        guard isActive else { return }
        isActive = false
        for player in players { player.pause() }
        focus.deactivate(self, notifies: options.contains(.notifyOthersOnDeactivation))
    }

    /// Whether all its players are in the background.
    var isBehind: Bool { !players.isEmpty && players.allSatisfy { $0.snapshot.background != nil } }

    /// Whether one of its players plays, or would.
    var sounds: Bool { players.contains { $0.snapshot.isOpen && $0.snapshot.shouldPlay } }

    var ducksOthers: Bool { isActive && options.contains(.duckOthers) }

    var isDucked = false {
        didSet {
            guard isDucked != oldValue else { return }
            for player in players { player.perform(.duck(isDucked)) }
        }
    }

    // MARK: Interruptions

    /// Whether something more important than one of its players sounds.
    public var isInterrupted: Bool {
        !causes.isEmpty || players.contains { $0.snapshot.interruptions.contains(.engine) }
    }

    /// Something more important sounds, as the host knows: holds the session's players. Saying it twice is harmless.
    public func beginInterruption() { begin(Self.byHand) }

    /// It sounds no more.
    ///
    /// - Parameter shouldResume: whether what it has stopped goes on by itself.
    public func endInterruption(shouldResume: Bool = true) { end(Self.byHand, shouldResume: shouldResume) }

    /// Believes a source until the token is cancelled; what it has begun ends with it.
    @discardableResult
    public func add(_ source: any InterruptionSource) -> ObservationToken {
        lastSource += 1
        let number = lastSource
        let changes = source.changes
        let task = Task { [weak self] in
            var begun: Set<InterruptionCause> = []
            for await change in changes {
                switch change {
                case .began(let name):
                    let cause = InterruptionCause(rawValue: "source\(number).\(name)")
                    begun.insert(cause)
                    self?.begin(cause)
                case .ended(let name, let shouldResume):
                    let cause = InterruptionCause(rawValue: "source\(number).\(name)")
                    begun.remove(cause)
                    self?.end(cause, shouldResume: shouldResume)
                }
            }
            for cause in begun { self?.end(cause, shouldResume: true) }
        }
        return ObservationToken { task.cancel() }
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
        tell(shouldResume: true)
    }

    private func end(_ cause: InterruptionCause, shouldResume: Bool) {
        guard causes.remove(cause) != nil else { return }
        for player in players { player.perform(.endInterruption(cause, shouldResume: shouldResume)) }
        tell(shouldResume: shouldResume)
    }

    private func tell(shouldResume: Bool) {
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
        tell(shouldResume: true)
    }

    /// What has become of one of its players.
    func follow(_ player: MediaPlayer, from before: PlayerSnapshot, to after: PlayerSnapshot) {
        let begins = !(before.isOpen && before.shouldPlay) && after.isOpen && after.shouldPlay
        if begins {
            isActive = true
            // Also if the user has just played in spite of that.
            if !focus.activate(self) { player.perform(.beginInterruption(Self.byAnother)) }
        }
        if before.interruptions.contains(.engine) != after.interruptions.contains(.engine) {
            tell(shouldResume: after.wantsToPlay)
        }
        if before.route?.number != after.route?.number, let route = after.route { post(route.change) }
    }
}
