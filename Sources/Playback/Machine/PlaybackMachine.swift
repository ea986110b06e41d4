import Foundation

/// The rules of playback: handles commands and events, keeps the snapshot, and returns effects.
///
/// Pure: it has no clock and no engine, and never waits. Every pair of a state and an input is defined.
public struct PlaybackMachine: Sendable {
    /// Everything that happens to a player. `at` is the time by the player's clock.
    public enum Input: Codable, Hashable, Sendable {
        /// A command of the host, a remote control or the environment.
        case command(PlayerCommand, at: Duration)
        /// An event of the engine, with its own time.
        case backend(BackendEvent)
    }

    /// An action that an input requires.
    public enum Effect: Codable, Hashable, Sendable {
        /// Send this command to the engine.
        case send(BackendCommand)
        /// Resolve the deferred item. The answer is `resolve` or `failResolving` of this generation.
        case resolve(Generation)
        /// Request a new address for an item that a server refuses. The answer is `readdress` of this generation.
        case readdress(Generation, PlayerItem, after: PlaybackError)
        /// Perform this command next. Its events are a separate change.
        case perform(PlayerCommand)
    }

    /// The player as it is after all inputs so far.
    public internal(set) var snapshot = PlayerSnapshot()
    /// The features of the engine.
    package internal(set) var capabilities: BackendCapabilities
    /// The number of the seek that the engine performs.
    var seekUnderway: Int?
    var itemCount = 0
    /// `true` if the user has selected the audio track of the item. The preferred languages do not change it.
    var hasChosenAudio = false
    /// `true` if the user has selected the subtitle track of the item.
    var hasChosenSubtitle = false
    /// `true` if the item plays at its own speed.
    var hasFixedRate = false
    /// `true` if the engine has not reported yet where it has joined a live stream.
    var isJoiningLive = false
    /// `true` if the host provides new addresses.
    var canReaddress = false
    /// `true` if another player may play interstitials.
    var expectsInterstitials = false
    /// `false` if no item may be opened before its turn.
    var allowsPreloading = true
    /// The item that the engine has open, paused, while the next one is being resolved.
    var replaced: Generation?
    /// The newest generation, prepared ones included.
    var lastGeneration = Generation.none
    /// The newest notice before the input.
    var lastNotice = 0
    /// The time of the input.
    var now = Duration.zero
    /// The time of the last reported position.
    var lastPositionTime = Duration.zero
    /// The time since which the item is wanted to play and has not started.
    var startRequest: Duration?
    /// The time of the stall that is not over.
    var stallStart: Duration?
    var effects: [Effect] = []

    /// - Parameter capabilities: the features of the engine; by default, all.
    public init(capabilities: BackendCapabilities = .init(features: Set(BackendCapabilities.Feature.allCases))) {
        self.capabilities = capabilities
    }

    /// Takes one input. The effects are to be performed in their order.
    public mutating func handle(_ input: Input) -> [Effect] {
        effects = []
        lastNotice = snapshot.notices.last?.number ?? 0
        let state = snapshot.state
        switch input {
        case .command(let command, let time):
            now = time
            handle(command)
        case .backend(let event):
            now = event.hostTime
            handle(event)
        }
        preloadNext()
        measure(since: state)
        assert(snapshot.brokenRules.isEmpty, "\(input) breaks: \(snapshot.brokenRules)")
        assert(
            snapshot.state == state || state.successors.contains(snapshot.state), "\(snapshot.state) follows \(state)")
        return effects
    }
}

// MARK: - Parts of the snapshot that change together

extension PlaybackMachine {
    mutating func send(_ command: BackendCommand) { effects.append(.send(command)) }

    mutating func warn(_ code: String, _ message: String) {
        warn(PlaybackNotice(code: code, message: message))
    }

    mutating func warn(_ notice: PlaybackNotice) {
        let number = (snapshot.notices.last?.number ?? 0) + 1
        snapshot.notices.removeAll { $0.number <= lastNotice }
        snapshot.notices.append(.init(number: number, notice: notice))
    }

    mutating func warnIfMissing(_ feature: BackendCapabilities.Feature, _ message: String) {
        if let notice = capabilities.missing(feature, message) { warn(notice) }
    }

    /// Changes a property of the snapshot and sends the command for it, unless the value is the same.
    mutating func change<Value: Equatable>(
        _ property: WritableKeyPath<PlayerSnapshot, Value>, to value: Value, _ command: BackendCommand
    ) {
        guard snapshot[keyPath: property] != value else { return }
        snapshot[keyPath: property] = value
        send(command)
    }

    mutating func setDuration(_ duration: Double?) {
        snapshot.duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        snapshot.playhead.setLimit(snapshot.duration)
        snapshot.position = min(snapshot.position, snapshot.duration ?? .infinity)
    }

    mutating func setWindow(_ window: DVRWindow?) {
        snapshot.dvrWindow = window.flatMap { $0.end.isFinite && $0.start >= 0 && $0.end >= $0.start ? $0 : nil }
    }

    mutating func placePlayhead(at position: Double) {
        let place = position.isFinite ? position : 0
        snapshot.playhead = Playhead(
            position: max(0, min(place, snapshot.duration ?? .infinity)), hostTime: now, rate: snapshot.speed,
            limit: snapshot.duration)
        reportPosition()
    }

    mutating func stopPlayhead() {
        guard snapshot.playhead.isAdvancing else { return }
        snapshot.playhead.pause(at: now)
        reportPosition()
    }

    mutating func reportPosition() {
        lastPositionTime = now
        snapshot.position = snapshot.playhead.position(at: now)
    }
}
