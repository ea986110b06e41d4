import Foundation

/// Plays one medium at a time over a backend.
///
/// Commands return at once and take effect in the snapshot at once; what they bring about is told as events. Within
/// a callback, too, a command may be given: its events come after those that are being delivered. Dropping the last
/// reference closes everything.
@MainActor
public final class MediaPlayer {
    /// What the engine below can do.
    public let capabilities: BackendCapabilities

    private let backend: any PlaybackBackend
    private let clock: any PlaybackClock
    private var machine: PlaybackMachine
    private let broadcaster = EventBroadcaster<PlayerEvent>()
    private var observers: [(id: Int, handler: @MainActor (PlayerEvent, PlayerSnapshot) -> Void)] = []
    private var lastObserverID = 0
    private var outbox: [(event: PlayerEvent, snapshot: PlayerSnapshot)] = []
    private var isDelivering = false
    private var reception: Task<Void, Never>?

    /// - Parameters:
    ///   - backend: an engine for this player alone.
    ///   - clock: the clock that the backend's events are stamped with.
    public init(backend: any PlaybackBackend, clock: any PlaybackClock = ContinuousClock()) {
        self.backend = backend
        self.clock = clock
        capabilities = backend.capabilities
        machine = PlaybackMachine(rates: backend.capabilities.rates)
        let events = backend.events
        reception = Task { [weak self] in
            for await event in events {
                guard let self else { return }
                self.perform(.backend(event))
            }
        }
    }

    deinit {
        reception?.cancel()
        backend.send(.close(machine.snapshot.generation))
    }

    // MARK: State

    /// Everything about the player at this instant.
    public var snapshot: PlayerSnapshot { machine.snapshot }

    /// The playhead, as far as the engine's clock and the player's tell; `.zero` with nothing loaded.
    public var position: MediaTime {
        MediaTime(seconds: snapshot.playhead.position(at: clock.hostTime))
    }

    /// `nil` while it is not known, and for a stream without an end.
    public var duration: MediaTime? { snapshot.duration.map { MediaTime(seconds: $0) } }

    // MARK: Commands

    /// Replaces what is loaded.
    ///
    /// - Parameters:
    ///   - autoPlay: whether to play as soon as that is possible.
    ///   - startPosition: where to begin, in seconds.
    public func load(_ url: URL, autoPlay: Bool = false, startPosition: Double = 0) {
        perform(.load(url, autoPlay: autoPlay, startPosition: startPosition))
    }

    /// Loads the same medium again. `false` if none is loaded.
    @discardableResult
    public func reload(autoPlay: Bool = false) -> Bool {
        guard snapshot.item != nil else { return false }
        perform(.reload(autoPlay: autoPlay))
        return true
    }

    /// Plays, or does so once that is possible. After the end, from the beginning; after a failure, where it broke off.
    public func play() { perform(.play) }

    /// Stops where it is and stays there until `play`. Without effect after the end.
    public func pause() { perform(.pause) }

    /// Stops and unloads.
    public func stop() { perform(.stop) }

    /// Goes to a position in seconds, held to the medium's length. Of several at once, the last one counts.
    public func seek(_ seconds: Double) { perform(.seek(seconds)) }

    /// Whether `seek` can succeed now.
    public var canSeek: Bool { snapshot.isReady && snapshot.isSeekable || snapshot.phase == .opening }

    /// Media seconds a second, held to the rates of the backend. Setting 0 pauses and keeps the rate.
    public var rate: Double {
        get { snapshot.rate }
        set { perform(.setRate(newValue)) }
    }

    /// In `0...1`; other values are held to it.
    public var volume: Double {
        get { snapshot.volume }
        set { perform(.setVolume(newValue)) }
    }

    /// Leaves the volume as it is.
    public var isMuted: Bool {
        get { snapshot.isMuted }
        set { perform(.setMuted(newValue)) }
    }

    /// Holds playback for a reason of the environment, whatever the user wants.
    public func suppress(_ reason: SuppressionReason) { perform(.suppress(reason)) }

    /// Lets go: playback goes on if the user wants it and nothing else holds it.
    public func unsuppress(_ reason: SuppressionReason) { perform(.unsuppress(reason)) }

    /// Where pictures go. An output that the backend does not have (see `capabilities`) is told as a notice.
    public var videoOutput: VideoOutput = .none {
        didSet {
            backend.setVideoOutput(videoOutput)
            if let missing = capabilities.missing(for: videoOutput) { perform(.warn(missing)) }
        }
    }

    // MARK: Observation

    /// Every event from now on, in order; each access makes a stream of its own.
    public var events: AsyncStream<PlayerEvent> { broadcaster.makeStream() }

    /// Calls the handler with every event, before the streams have it, until the token is cancelled.
    ///
    /// - Parameter handler: called on the main actor with the event and the snapshot that it belongs to.
    @discardableResult
    public func observe(
        _ handler: @escaping @MainActor (PlayerEvent, PlayerSnapshot) -> Void
    ) -> ObservationToken {
        lastObserverID += 1
        let id = lastObserverID
        observers.append((id, handler))
        return ObservationToken { [weak self] in self?.observers.removeAll { $0.id == id } }
    }

    // MARK: The way of the data

    private func perform(_ command: PlayerCommand) {
        perform(.command(command, at: clock.hostTime))
    }

    private func perform(_ input: PlaybackMachine.Input) {
        let before = machine.snapshot
        let effects = machine.handle(input)
        let after = machine.snapshot
        for case .send(let command) in effects { backend.send(command) }
        for event in PlayerEvent.differences(from: before, to: after) { outbox.append((event, after)) }
        deliver()
    }

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !outbox.isEmpty {
            let (event, snapshot) = outbox.removeFirst()
            for observer in observers { observer.handler(event, snapshot) }
            broadcaster.send(event)
        }
    }
}
