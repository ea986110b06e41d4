import Dispatch
import Foundation
import Synchronization

/// Plays items over a backend, one at a time.
///
/// Commands return at once and take effect in the snapshot at once. Their outcome is sent as events. A command that is
/// given within a callback takes effect at once too; its events follow the pending ones.
///
/// `close` ends a player. A player that nobody references any more is closed too.
@preconcurrency @MainActor
public final class MediaPlayer {
    /// `nil` after `close`. Nobody else keeps it, and its release closes the engine.
    private var backend: (any PlaybackBackend)?
    package let clock: any PlaybackClock
    private var machine: PlaybackMachine
    /// The events and everything that has to keep its place among them.
    package let deliveries = DeliveryQueue()
    let listeners = EventListeners()
    let queueObservers = Observers<@MainActor () -> Void>()
    private(set) var newest: NewestFrame?
    /// The switch between the frames of this player and those of the player of its interstitials.
    var frameSwitch = FrameSwitch()
    var frameSource = FrameSwitch.Source.primary
    weak var interstitial: InterstitialPlayer?
    /// The resolvers of deferred items.
    var itemResolvers: [PlayerItem.ID: Resolver] = [:]
    /// The last deferred item that was loaded beside the queue.
    var deferredAlone: PlayerItem.ID?
    /// The requests for items and new addresses. Each one is cancelled when its generation is replaced.
    var searches: [Generation: Task<Void, Never>] = [:]

    /// Returns the item to play. Runs off the main actor. Cancelled if another item is loaded.
    public typealias Resolver = @Sendable () async throws(PlaybackError) -> PlayerItem

    /// - Parameters:
    ///   - items: a queue; its first item is loaded at once.
    ///   - backend: an engine for this player alone.
    ///   - clock: the clock of the backend's events.
    ///   - audioSession: the audio session of the player.
    public init(
        items: [PlayerItem] = [], backend: any PlaybackBackend, clock: any PlaybackClock = ContinuousClock(),
        audioSession: AudioSession = .sharedInstance()
    ) {
        self.backend = backend
        self.clock = clock
        machine = PlaybackMachine(capabilities: backend.capabilities)
        self.audioSession = audioSession
        let relay = BackendEventRelay { [weak self] in self?.perform(.backend($0)) }
        backend.start { relay.receive($0) }
        // The session may send commands.
        audioSession.add(self)
        Self.register(self)
        if !items.isEmpty { append(items) }
    }

    deinit {
        for search in searches.values { search.cancel() }
        let (replaced, current) = (machine.replaced, machine.snapshot.generation)
        backend?.send(.close(replaced ?? current))
    }

    // MARK: Closing

    /// `true` from the beginning of `close` on.
    public private(set) var isClosed = false

    /// Ends the player, and releases its engine with the threads, devices and windows.
    ///
    /// Sends the events of `removeAllItems`, and none afterwards: streams end, and observers are removed. Commands have no effect then. Call
    /// it if something may still have a reference to the player, such as a closure.
    public func close() {
        guard !isClosed else { return }
        // Commands in the callbacks of the last events have no effect. The interstitials cannot end their break any more either.
        isClosed = true
        for command in [PlayerCommand.queue(.removeAll), .unsuppress(.adBreak)] {
            handle(.command(command, at: clock.hostTime))
        }
        interstitial?.close()
        backend = nil
        audioSession.remove(self)
        Self.unregister(self)
        // A facade passes the end on.
        deliveries.add { [listeners, queueObservers, snapshot] in
            listeners.send(nil, snapshot)
            listeners.end()
            queueObservers.removeAll()
        }
    }

    // MARK: State

    /// The features of the engine. They change if another engine takes over, see ``PlaybackBackend/capabilities``.
    public var capabilities: BackendCapabilities { machine.capabilities }

    /// Everything about the player at this instant.
    public var snapshot: PlayerSnapshot { machine.snapshot }

    /// The position of the playhead, by the engine's clock and the player's; `.zero` if no item is loaded.
    public var position: MediaTime {
        MediaTime(seconds: snapshot.playhead.position(at: clock.hostTime))
    }

    /// `nil` while it is not known, and for a stream without an end.
    public var duration: MediaTime? { snapshot.duration.map { MediaTime(seconds: $0) } }

    /// Figures about the playback of the loaded item. An engine's figures are at most about a second old.
    public var statistics: PlaybackStatistics { snapshot.statistics }

    /// The parts of the item that the engine has received, in seconds. See ``PlayerSnapshot/bufferedRanges``.
    public var bufferedRanges: [ClosedRange<Double>] { snapshot.bufferedRanges }

    // MARK: Commands

    /// Replaces the loaded item.
    ///
    /// - Parameters:
    ///   - item: the item to play.
    ///   - autoPlay: `true` to play as soon as possible: at the current rate, or at `defaultRate` if it is 0.
    ///   - startPosition: the first position, in seconds. `nil`, the default: that of the item.
    public func load(_ item: PlayerItem, autoPlay: Bool = false, startPosition: Double? = nil) {
        perform(.load(item, autoPlay: autoPlay, startPosition: startPosition ?? item.startPosition))
    }

    /// Replaces the loaded item by the one at an address.
    public func load(_ url: URL, autoPlay: Bool = false, startPosition: Double? = nil) {
        load(PlayerItem(url: url), autoPlay: autoPlay, startPosition: startPosition)
    }

    /// Replaces the loaded item by one that has to be resolved first. The state is `load` meanwhile.
    ///
    /// - Parameters:
    ///   - autoPlay: `true` to play as soon as possible.
    ///   - startPosition: the first position, in seconds. 0, the default: that of the resolved item.
    ///   - resolver: returns the item, or throws the error with which the player fails. Called again by `reload`.
    /// - Returns: the number of the load, see `PlayerSnapshot.Item`.
    @discardableResult
    public func load(
        autoPlay: Bool = false, startPosition: Double = 0, resolvedBy resolver: @escaping Resolver
    ) -> Int {
        let item = deferredItem(resolvedBy: resolver)
        return perform(.load(item, autoPlay: autoPlay, startPosition: startPosition)).item?.number ?? 0
    }

    /// The loaded item; `nil` if there is none. A deferred item until it is resolved.
    public var currentItem: PlayerItem? { snapshot.item?.source }

    /// Replaces the current item, and plays the new one if the one before was wanted to play. The rest of a queue stays.
    /// `nil` unloads.
    public func replaceCurrentItem(with item: PlayerItem?) {
        guard let item else { return stop() }
        perform(.queue(.replaceCurrent(item)))
    }

    /// Loads the same item again. `false` if none is loaded.
    @discardableResult
    public func reload(autoPlay: Bool = false) -> Bool {
        guard snapshot.item != nil else { return false }
        perform(.reload(autoPlay: autoPlay))
        return true
    }

    /// Plays at `defaultRate`, as soon as possible.
    ///
    /// After the end, playback starts from the beginning. After a failure, it starts at the position of the failure, if the item can
    /// seek. An item that was not open yet starts where it was to start.
    public func play() { perform(.play) }

    /// Pauses until `play`. Without effect after the end.
    public func pause() { perform(.pause) }

    /// Stops and unloads.
    ///
    /// A queue keeps its items, and `play` starts it again. An item that was loaded alone has to be loaded again.
    public func stop() { perform(.stop) }

    /// Sends a notice to the observers.
    public func warn(_ notice: PlaybackNotice) { perform(.warn(notice)) }

    /// Media seconds a second, also while playback waits for data; 0 while it is paused or suppressed, and after its end.
    ///
    /// Setting a rate plays at that rate, as `play()` does otherwise. It is clamped to the rates of the backend. Setting 0
    /// pauses.
    public var rate: Float {
        get { Float(snapshot.rate) }
        set { perform(.setRate(newValue.decimal)) }
    }

    /// The rate of `play()`, in media seconds a second, clamped to the rates of the backend. 1 by default.
    ///
    /// Setting it does not change `rate`.
    public var defaultRate: Float {
        get { Float(snapshot.defaultRate) }
        set { perform(.setDefaultRate(newValue.decimal)) }
    }

    /// In `0...1`; other values are clamped.
    public var volume: Float {
        get { Float(snapshot.volume) }
        set { perform(.setVolume(newValue.decimal)) }
    }

    /// Leaves the volume as it is.
    public var isMuted: Bool {
        get { snapshot.isMuted }
        set { perform(.setMuted(newValue)) }
    }

    /// How much later subtitles are shown, in seconds, for subtitles that do not fit the audio; 0 by default.
    ///
    /// Negative values show them earlier, as far as the engine has read them. Values are clamped to `-600...600`. The delay holds for
    /// later items too. An engine without the feature `subtitleDelay` sends the notice `subtitleDelayUnavailable`.
    public var subtitleDelay: Double {
        get { snapshot.subtitleDelay }
        set { perform(.setSubtitleDelay(newValue)) }
    }

    /// Holds playback for a reason of the environment, even if the user wants to play. `play` overrides `interruption`.
    public func suppress(_ reason: SuppressionReason) { perform(.suppress(reason)) }

    /// Removes a suppression. Playback resumes if the user wants it and nothing else holds it.
    public func unsuppress(_ reason: SuppressionReason) { perform(.unsuppress(reason)) }

    /// The audio session; that of the process by default.
    public var audioSession: AudioSession {
        didSet {
            guard audioSession !== oldValue else { return }
            oldValue.remove(self)
            audioSession.add(self)
        }
    }

    /// The role of the audio for the audio server, from the next opening on. `nil`, the default: the role of the
    /// session.
    public var audioRole: AudioRole? {
        didSet { sessionRoleChanged() }
    }

    func sessionRoleChanged() { perform(.setRole(audioRole ?? audioSession.role)) }

    /// Applies the effect of the background to playback, until the next call.
    ///
    /// Views and layers call this automatically.
    ///
    /// - Parameters:
    ///   - action: the effect.
    ///   - resumes: `true` to resume automatically if the background no longer pauses.
    public func enterBackground(_ action: BackgroundAction, resumes: Bool = false) {
        perform(.enterBackground(action, resumes: resumes))
    }

    /// Returns to the foreground.
    ///
    /// - Parameter resumes: `true` to resume if the background had paused the player.
    public func leaveBackground(resumes: Bool = false) { perform(.leaveBackground(resumes: resumes)) }

    /// `false` to detach the video: it is neither decoded nor, if the stream separates it, downloaded. Audio continues
    /// without a gap.
    public var isVideoAttached: Bool {
        get { snapshot.isVideoAttached }
        set { perform(.attachVideo(newValue)) }
    }

    /// The destination of the video.
    ///
    /// You can set it at any time. The video of a loaded item appears in the new output, also if the item is paused.
    /// The audio continues. With `.none`, video that has audio is not decoded.
    ///
    /// An output that the backend lacks is reported as a notice. So is a change that waits for the next item, because
    /// the backend lacks `outputSwitching`. See `capabilities`.
    public var videoOutput: VideoOutput = .none {
        didSet {
            guard let backend else { return }
            backend.setVideoOutput(keepingNewestFrame(of: videoOutput))
            hasVideoOutput = videoOutput.isAvailable
            interstitial?.videoOutputChanged()
            if case .none = videoOutput { return }
            (missingOutput ?? missingSwitch).map(warn)
        }
    }

    private var hasVideoOutput = false

    /// `true` if the video is decoded, and has an output.
    public var isVideoVisible: Bool { snapshot.showsVideo && hasVideoOutput }

    /// The notice for an output that the engine lacks.
    private var missingOutput: PlaybackNotice? {
        switch videoOutput {
        case .window: capabilities.missing(.window, "This backend cannot open a window.")
        case .frames: capabilities.missing(.frames, "This backend delivers no frames.")
        case .none: nil
        }
    }

    /// The last frame that the sink has received of the loaded item; `nil` if there is none.
    package var newestFrame: VideoFrame? { newest?.value }

    private func keepingNewestFrame(of output: VideoOutput) -> VideoOutput {
        guard case .frames(let sink) = output else {
            newest = nil
            return output
        }
        let newest =
            newest.flatMap { $0.sink === sink ? $0 : nil }
            ?? NewestFrame(for: sink, through: frameSwitch, as: frameSource)
        self.newest = newest
        return .frames(newest)
    }

    /// The notice for an output that an open item does not use.
    private var missingSwitch: PlaybackNotice? {
        guard snapshot.item != nil else { return nil }
        return capabilities.missing(
            .outputSwitching, "This backend uses another video output from the next item on, not for the loaded one.")
    }

    /// Returns new addresses for items whose addresses expire, from the next opening on. With `nil`, the default, an item
    /// fails if a server refuses its address.
    public var urlProvider: (any MediaURLProvider)? {
        didSet { perform(.provideAddresses(urlProvider != nil)) }
    }

    /// `true` if an `InterstitialPlayer` may interrupt the items. Then their audio resumes without a gap, and is in stereo with
    /// libVLC. Holds from the next opening on. `false` by default.
    public var expectsInterstitials = false {
        didSet { perform(.expectInterstitials(expectsInterstitials)) }
    }

    /// `false` to open each item only when its turn comes, as with `PlayerItem.allowsPreloading`. For a plugin that plays something before
    /// the items. `true` by default.
    public var allowsPreloading = true {
        didSet { perform(.allowPreloading(allowsPreloading)) }
    }

    /// Returns the position to which a seek of the user or the host goes, in place of the requested one; `nil`, the default, for none.
    ///
    /// It receives positions in the item, in seconds. It is not called while the item is not ready. A plugin sets it after each load, so
    /// that a seek does not skip a break.
    public var adjustSeek: (@MainActor (Double) -> Double)?

    // MARK: Inputs and effects

    @discardableResult
    func perform(_ command: PlayerCommand) -> PlayerSnapshot {
        perform(.command(adjusted(command), at: clock.hostTime))
    }

    @discardableResult
    private func perform(_ input: PlaybackMachine.Input) -> PlayerSnapshot { isClosed ? snapshot : handle(input) }

    /// Performs an input and the commands that follow from it, then delivers the events.
    ///
    /// - Returns: the snapshot right after the input.
    @discardableResult
    private func handle(_ input: PlaybackMachine.Input) -> PlayerSnapshot {
        var next: [PlayerCommand] = []
        let snapshot = step(input, next: &next)
        while !next.isEmpty { step(.command(next.removeFirst(), at: clock.hostTime), next: &next) }
        deliveries.run()
        return snapshot
    }

    @discardableResult
    private func step(_ input: PlaybackMachine.Input, next: inout [PlayerCommand]) -> PlayerSnapshot {
        let (before, capabilities) = (machine.snapshot, machine.capabilities)
        let effects = machine.handle(input)
        if machine.capabilities != capabilities, let notice = missingOutput { next.append(.warn(notice)) }
        let after = machine.snapshot
        endSearches(of: after)
        if before.item?.number != after.item?.number {
            newest?.clear()
            forgetResolver(before: after)
        }
        for effect in effects {
            switch effect {
            case .send(let command): backend?.send(command)
            case .resolve(let generation): resolve(generation)
            case .readdress(let generation, let item, let error): readdress(generation, item, after: error)
            case .perform(let command): next.append(command)
            }
        }
        if before.queue != after.queue {
            forgetResolvers(of: before.queue, except: after.queue)
            deliveries.append { [queueObservers] in queueObservers.notify { $0() } }
        }
        let events = PlayerEvent.differences(from: before, to: after)
        for event in events {
            deliveries.append { [weak self] in
                self?.listeners.send(event, after)
                after.item?.source?.post(event, error: after.error)
            }
        }
        if events.isEmpty, after.hasSilentChange(since: before) {
            deliveries.append { [listeners] in listeners.send(nil, after) }
        }
        audioSession.follow(self, from: before, to: after)
        return after
    }
}

/// Brings the events of a backend to the main actor, in order.
///
/// An event that arrives on the main queue is handled before `receive` returns. Events from other threads are handled by
/// an operation of the main queue: within it, Foundation calls observers with `queue: .main` at once, and does not wait
/// for them. All events pass through one queue, so an event never overtakes an earlier one.
private final class BackendEventRelay: Sendable {
    private let pending = Mutex<ArraySlice<BackendEvent>>([])
    private let handler: @MainActor @Sendable (BackendEvent) -> Void

    init(_ handler: @escaping @MainActor @Sendable (BackendEvent) -> Void) { self.handler = handler }

    func receive(_ event: BackendEvent) {
        let isFirst = pending.withLock { pending in
            pending.append(event)
            return pending.count == 1
        }
        if DispatchQueue.isMain {
            MainActor.assumeIsolated { handlePending() }
        } else if isFirst {
            OperationQueue.main.addOperation { MainActor.assumeIsolated { self.handlePending() } }
        }
    }

    @MainActor
    private func handlePending() {
        while let event = pending.withLock({ $0.popFirst() }) { handler(event) }
    }
}

extension Float {
    /// The same decimal number, so that a volume of 0.3 is reported as 0.3.
    fileprivate var decimal: Double { Double(description) ?? Double(self) }
}

extension DispatchQueue {
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        main.setSpecific(key: key, value: true)
        return key
    }()

    /// `true` if the caller runs on the main queue, which executes the main actor.
    fileprivate static var isMain: Bool { getSpecific(key: mainKey) ?? false }
}
