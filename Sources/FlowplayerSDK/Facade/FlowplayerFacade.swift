import Foundation
import Logging
import Playback

/// The common part of players with and without a view. Make a `FlowplayerView` or a `FlowplayerManager`.
@preconcurrency @MainActor
public class FlowplayerFacade: FlowplayerAPI {
    public var id = UUID().uuidString
    public weak var delegate: (any FlowplayerDelegate)?
    /// The delegate for advertisements. Not retained by the player.
    public weak var adDelegate: (any FlowplayerAdDelegate)?
    /// The delegate for streams into which a server inserts advertisements. Not retained by the player.
    public weak var daiDelegate: (any FlowplayerDAIDelegate)?
    public var autoPlay = false

    public private(set) var media: (any Media)?
    public private(set) var mediaHistoryList: [any Media] = []

    /// The player that receives the commands, also while the host has detached its video.
    private(set) var player: MediaPlayer
    /// `false` while the host has detached the player.
    private(set) var isAttached = true
    package let notificationCenter: NotificationCenter
    private let logger = Logger(label: "flowplayer")
    public private(set) var stateList: [PlayerState]
    public private(set) var playbackStateList: [PlaybackState]
    /// The observers and streams of this facade. They stay when the player is replaced.
    private let listeners = EventListeners()
    let plugins = Observers<any PlayerPlugin>()
    /// The player whose events are observed. It differs from `player` until the events before a replacement are delivered.
    private var observedPlayer: MediaPlayer
    private var observation: ObservationToken?
    /// The media of items, by the identity of the item.
    private var knownMedia: [PlayerItem.ID: any Media] = [:]
    /// The item of `media`.
    private var mediaItem: PlayerItem.ID?
    /// The number of a load. The `media` events of this one and of earlier ones do not change `media`.
    private var mediaLoad = 0
    /// The configs that the video platform has returned, by the identity of the item.
    private var configs: [PlayerItem.ID: OVPConfig] = [:]

    private static let historyLimit = 100

    init(player: MediaPlayer, notificationCenter: NotificationCenter) {
        self.player = player
        observedPlayer = player
        self.notificationCenter = notificationCenter
        stateList = [player.snapshot.state]
        playbackStateList = [player.snapshot.playbackState]
        takeMedia(of: player.snapshot)
        observePlayer()
    }

    // A player that the host keeps continues without this facade.
    isolated deinit {
        observation?.cancel()
    }

    /// Ends the player, and releases its engine with the threads, devices and windows.
    ///
    /// Unloads the media, and reports that. Nothing is reported afterwards, and calls have no effect. A player that several views
    /// show is closed for all of them.
    public func close() { player.close() }

    // MARK: State

    public var state: PlayerState { player.snapshot.state }
    public var playbackState: PlaybackState { player.snapshot.playbackState }
    public var isReady: Bool { player.snapshot.isReady }
    public var sourceURL: URL? { player.snapshot.item?.url }
    public var ovpConfig: OVPConfig? { config(for: player.snapshot) }
    public var playbackType: PlaybackType { player.snapshot.playbackType }
    public var dvrWindow: DVRWindow? { player.snapshot.dvrWindow }
    public var duration: MediaTime? { player.duration }
    public var position: MediaTime? { player.snapshot.item.map { _ in player.position } }
    public var bufferState: PlaybackBufferState { player.snapshot.bufferState }
    public var bufferLoadedPercentage: Double { player.snapshot.bufferLevel.percentage }
    public var quality: PlayerQuality? { player.snapshot.quality }
    public var preferredPeakBitRate: Double? { media?.preferredPeakBitRate }
    public var audioList: [AudioTrack] { player.snapshot.tracks?.audio ?? [] }
    public var subtitleList: [SubtitleTrack] { player.snapshot.tracks?.subtitles ?? [] }
    public var currentAudio: AudioTrack? { player.snapshot.currentAudio }
    public var currentSubtitle: SubtitleTrack? { player.snapshot.currentSubtitle }

    public var rate: Float {
        get { player.rate }
        set { player.rate = newValue }
    }

    public var volume: Float {
        get { player.volume }
        set { player.volume = newValue }
    }

    public var isMuted: Bool {
        get { player.isMuted }
        set { player.isMuted = newValue }
    }

    // MARK: The player below

    public var avPlayer: MediaPlayer? {
        get { isAttached ? player : nil }
        set {
            isAttached = newValue != nil
            if let newValue, newValue !== player { replacePlayer(with: newValue) }
        }
    }

    private func replacePlayer(with successor: MediaPlayer) {
        retire(media)
        takeMedia(of: successor.snapshot)
        configs = [:]
        player = successor
        // The pending events of both players come first.
        observedPlayer.deliveries.add { [weak self] in
            successor.deliveries.add { self?.observeSuccessor() }
        }
    }

    /// Delivers the end of the old player's item and the state of the new player.
    private func observeSuccessor() {
        guard player !== observedPlayer else { return }
        let before = observedPlayer.snapshot
        let (unloaded, after) = (before.unloaded, player.snapshot)
        observedPlayer = player
        observePlayer()
        for event in PlayerEvent.differences(from: before, to: unloaded) { deliver(event, unloaded) }
        for event in PlayerEvent.replacement(of: unloaded, by: after) { deliver(event, after) }
    }

    private func observePlayer() {
        observation?.cancel()
        observation = player.observeChanges(first: true) { [weak self] event, snapshot in
            guard let self else { return }
            if let event { return deliver(event, snapshot) }
            listeners.send(nil, snapshot)
            if observedPlayer.isClosed { listeners.end() }
        }
    }

    // MARK: Commands

    public func load(_ media: any Media) async throws {
        try Task.checkCancellation()
        replaceMedia(with: media)
        let (player, number) = (player, player.snapshot.item?.number)
        do {
            try await player.waitUntilReady()
        } catch {
            let isCurrent = player === self.player && player.snapshot.item?.number == number
            if Task.isCancelled, isCurrent, player.snapshot.phase == .opening { stop() }
            throw error
        }
    }

    public func load(external media: MediaExternal) { replaceMedia(with: media) }

    /// Replaces the loaded item, and starts at a position.
    ///
    /// - Parameters:
    ///   - media: the item to play.
    ///   - startPosition: the first position, in seconds, in place of the item's own.
    public func load(external media: MediaExternal, startPosition: Double) {
        replaceMedia(with: media, startPosition: startPosition)
    }

    public func load(ovp media: MediaOVP) { replaceMedia(with: media) }

    /// Replaces the loaded item by a stream into which a server inserts advertisements. An addition to the original
    /// interface.
    ///
    /// A plugin starts the session of the stream. If it fails, or if there is no such plugin, the stream's `backupStream` is played
    /// instead. Without one, loading fails with the error of the session, or with `pluginMissing`.
    public func load(dai media: MediaDAI) { replaceMedia(with: media) }

    public func load(queue media: [any Media]) {
        player.load(media.map { item(for: $0) }, autoPlay: autoPlay)
        forgetUnusedMedia()
    }

    public func append(_ media: [any Media]) {
        let hadItem = player.snapshot.item != nil
        player.append(media.map { item(for: $0) })
        forgetUnusedMedia()
        if !hadItem, autoPlay { play() }
    }

    private func item(for media: any Media) -> PlayerItem {
        let item =
            if let media = media as? MediaExternal {
                PlayerItem(media)
            } else {
                player.deferredItem(
                    metadata: (media as? MediaOVP)?.metadata ?? .init(), resolvedBy: resolver(for: media))
            }
        knownMedia[item.id] = media
        return item
    }

    /// The media of the loaded item. An item that the host has loaded into the player below gets media of its address.
    private func media(of snapshot: PlayerSnapshot) -> (any Media)? {
        guard let item = snapshot.item?.source else { return nil }
        if let known = knownMedia[item.id] { return known }
        guard let media = snapshot.item?.url.map({ MediaExternal(url: $0) }) else { return nil }
        knownMedia[item.id] = media
        forgetUnusedMedia()
        return media
    }

    private func takeMedia(of snapshot: PlayerSnapshot) {
        (media, mediaItem) = (media(of: snapshot), snapshot.item?.source?.id)
        mediaLoad = snapshot.item?.number ?? 0
    }

    /// Not with each change, because a queue may have thousands of items.
    private func forgetUnusedMedia() {
        guard knownMedia.count > 2 * player.queue.items.count + 100 else { return }
        let kept = Set(player.queue.items.map(\.id) + [player.currentItem?.id].compactMap(\.self))
        knownMedia = knownMedia.filter { kept.contains($0.key) }
    }

    public var queue: QueuePlayer? { player }

    @discardableResult public func reload() -> Bool {
        let isReloaded = player.reload(autoPlay: autoPlay)
        if isReloaded, let media { reportMissingAdvertising(of: media) }
        return isReloaded
    }

    private func replaceMedia(with media: any Media, startPosition: Double? = nil) {
        let item = item(for: media)
        setMedia(media, of: item.id)
        let start = startPosition ?? (media as? MediaOVP)?.startPosition ?? (media as? MediaDAI)?.startPosition
        player.load(item, autoPlay: autoPlay, startPosition: start)
        forgetUnusedMedia()
        reportMissingAdvertising(of: media)
    }

    /// Changes `media` before the events of the load. Pending events of earlier loads do not change it back.
    private func setMedia(_ media: (any Media)?, of item: PlayerItem.ID?) {
        retire(self.media)
        (self.media, mediaItem) = (media, item)
        mediaLoad = player.snapshot.item?.number ?? mediaLoad
    }

    // Final, as other functions whose types a `@preconcurrency` class renames: Swift 6.3 does not link it otherwise.
    private final func resolver(for media: any Media) -> MediaPlayer.Resolver {
        { [weak self] () async throws(PlaybackError) in
            if let media = media as? MediaOVP {
                let (item, config) = try await Flowplayer.current.load(media)
                await self?.keep(config, of: media)
                return item
            }
            guard let media = media as? MediaDAI, let self else { throw PlaybackError(.pluginMissing, url: nil) }
            return try await startSession(of: media)
        }
    }

    /// Keeps the config of an item that is loaded next, beside that of the current item.
    private func keep(_ config: OVPConfig, of media: MediaOVP) {
        // Another load may have replaced the item.
        if Task.isCancelled { return }
        configs = configs.filter { $0.key == player.currentItem?.id }
        // The item gets the identity of the deferred one.
        for (id, other) in knownMedia where other.sessionID == media.sessionID { configs[id] = config }
    }

    public func skipAd() { plugins.notify { $0.skipAd() } }
    public func clickAd() { plugins.notify { $0.clickAd() } }

    public func play() { player.play() }
    public func pause() { player.pause() }
    public func seek(_ seconds: Double) { player.seek(to: seconds) }
    public func selectTrack(audio id: Int) { player.selectAudio(id: id) }
    public func selectTrack(subtitle id: Int) { player.selectSubtitle(id: id) }

    public func stop() {
        setMedia(nil, of: nil)
        player.stop()
    }

    /// Forgets the media of a queue that has lost its last item.
    private func forgetUnloadedMedia() {
        if player.snapshot.item == nil { setMedia(nil, of: nil) }
    }

    private func retire(_ media: (any Media)?) {
        guard let media else { return }
        mediaHistoryList = [media] + mediaHistoryList.prefix(Self.historyLimit - 1)
    }

    // MARK: Observation

    public func events(startsWithCurrent: Bool, bufferLimit: Int) -> AsyncStream<PlayerEvent> {
        let current = startsWithCurrent ? player.snapshot : nil
        return listeners.makeStream(limit: bufferLimit, current: current, after: observedPlayer.deliveries)
    }

    // Generic functions of a `@preconcurrency` class are final: Swift 6.3 names their vtable entries differently in each
    // file, and the program does not link.
    public final func values<Value: Equatable & Sendable>(
        of property: KeyPath<PlayerSnapshot, Value>
    ) -> AsyncStream<Value> {
        listeners.makeStream(of: property, current: player.snapshot, after: observedPlayer.deliveries)
    }

    public final func observe<Value: Equatable>(
        _ property: KeyPath<PlayerSnapshot, Value>, startsWithCurrent: Bool,
        handler: @escaping @MainActor (any FlowplayerAPI, Value) -> Void
    ) -> ObservationToken {
        let reportingEvent = PlayerEvent.name(reporting: property)
        var last = player.snapshot[keyPath: property]
        // With the current value, the events after all pending ones count.
        var isActive = !startsWithCurrent
        let token = listeners.observers.add { [weak self] event, snapshot in
            guard isActive else { return }
            let value = snapshot[keyPath: property]
            let isNew = reportingEvent.map { $0 == event?.name } ?? (value != last)
            last = value
            if isNew, let self { handler(self, value) }
        }
        if startsWithCurrent {
            afterEvents { isActive = true }
            handler(self, last)
        }
        return token
    }

    @discardableResult public func attach(_ plugin: any PlayerPlugin) -> ObservationToken {
        if let notice = plugin.refusal(of: self) {
            player.warn(notice)
            return ObservationToken {}
        }
        let token = plugins.addPermanently(plugin) { plugin.detach() }
        plugin.attach(to: self)
        return token
    }

    // MARK: Delivery

    /// Calls the action once all pending events are delivered.
    func afterEvents(_ action: @escaping @MainActor () -> Void) { observedPlayer.deliveries.add(action) }

    private func deliver(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        switch event {
        case .state(let state): stateList = [state] + stateList.prefix(Self.historyLimit - 1)
        case .playbackState(let state):
            playbackStateList = [state] + playbackStateList.prefix(Self.historyLimit - 1)
        // The config of a preloaded item came before its turn.
        case .resolved, .media(.some): reportMissingAdvertising(of: config(for: snapshot))
        // It is resolved again.
        case .media(nil): configs = configs.filter { $0.key != snapshot.item?.source?.id }
        default: break
        }
        if event == .state(.idle) { forgetUnloadedMedia() }
        event.write(to: logger, player: id)
        let reports = event.reports(of: reportedMedia(by: event, snapshot), config(for: snapshot))
        for report in reports { report.call(self) }
        for report in reports { post(report.name, report.value, about: snapshot.item?.source) }
        listeners.send(event, snapshot)
        plugins.notify { $0.player(self, didEmit: event, snapshot: snapshot) }
    }

    private func config(for snapshot: PlayerSnapshot) -> OVPConfig? {
        snapshot.item?.source.flatMap { configs[$0.id] }
    }

    /// The media that a `media` event reports. It is the current one from now on, unless that belongs to a later load.
    private func reportedMedia(by event: PlayerEvent, _ snapshot: PlayerSnapshot) -> (any Media)? {
        guard case .media = event, let item = snapshot.item, let loaded = media(of: snapshot) else { return nil }
        guard observedPlayer === player, item.number > mediaLoad else { return loaded }
        mediaLoad = item.number
        // A repeated or reloaded item is no other one.
        if item.source?.id != mediaItem {
            retire(media)
            (media, mediaItem) = (loaded, item.source?.id)
        }
        return loaded
    }

    func post(_ name: Notification.Name, _ object: Any?, about item: PlayerItem? = nil) {
        // Not `[FlowplayerNotificationKey: Any]`, whose conversion takes half the time of a post.
        typealias Key = FlowplayerNotificationKey
        var info: [AnyHashable: Any] = [Key.playerID: id, Key.player: self]
        info[Key.item] = item
        notificationCenter.postWatched(name: name, object: object, userInfo: info)
    }
}
