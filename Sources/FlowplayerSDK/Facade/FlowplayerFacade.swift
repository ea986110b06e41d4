import Foundation

/// What a player with a view and one without have in common. Make a `FlowplayerView` or a `FlowplayerManager`.
@MainActor
public class FlowplayerFacade: FlowplayerAPI {
    public var id = UUID().uuidString
    public weak var delegate: (any FlowplayerDelegate)?
    /// Is told of advertisements. Not kept alive by the player.
    public weak var adDelegate: (any FlowplayerAdDelegate)?
    /// Is told of streams into which a server puts advertisements. Not kept alive by the player.
    public weak var daiDelegate: (any FlowplayerDAIDelegate)?
    public var autoPlay = false

    public private(set) var media: (any Media)?
    public private(set) var mediaHistoryList: [any Media] = []

    /// The player that the commands reach, whether the host has taken its picture away or not.
    private(set) var player: MediaPlayer
    /// Whether the host has left the player in its place.
    private(set) var isAttached = true
    let notificationCenter: NotificationCenter
    private let outbox = Outbox()
    private let log = PlayerLog()
    private let broadcaster: EventBroadcaster
    private var states: StateHistory<PlayerState>
    private var playbackStates: StateHistory<PlaybackState>
    private var observers: [(id: Int, joinsAfter: Int, handler: @MainActor (PlayerEvent, any FlowplayerAPI) -> Void)] =
        []
    private var plugins: [(id: Int, plugin: any PlayerPlugin)] = []
    private var lastRegistration = 0
    private var observation: ObservationToken?
    /// Media whose events have not been told yet, the oldest first.
    private var announced: [any Media] = []
    /// What the host has put into the queue, by the identity of the item.
    private var queued: [PlayerItem.ID: MediaExternal] = [:]
    /// How many openings the players had that were here before.
    private var earlierOpenings = 0
    /// What is asked of the video platform, by the number of the item.
    private var loadings: [Int: OVPLoading] = [:]

    private static let historyLimit = 100

    init(player: MediaPlayer, notificationCenter: NotificationCenter) {
        self.player = player
        broadcaster = EventBroadcaster(clock: player.clock)
        self.notificationCenter = notificationCenter
        states = StateHistory(player.snapshot.state)
        playbackStates = StateHistory(player.snapshot.playbackState)
        media = player.snapshot.item?.url.map { MediaExternal(url: $0) }
        follow(player)
    }

    // A player that the host keeps goes on without this facade.
    isolated deinit {
        observation?.cancel()
        for (_, plugin) in plugins { plugin.detach() }
    }

    // MARK: State

    public var state: PlayerState { player.snapshot.state }
    public var stateList: [PlayerState] { states.newestFirst }
    public var playbackState: PlaybackState { player.snapshot.playbackState }
    public var playbackStateList: [PlaybackState] { playbackStates.newestFirst }
    public var isReady: Bool { player.snapshot.isReady }
    public var sourceURL: URL? { player.snapshot.item?.url }
    public var ovpConfig: OVPConfig? { config(for: player.snapshot) }
    public var metadata: MediaMetadata { player.snapshot.metadata }
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
        get { Float(player.rate) }
        set { player.rate = Double(newValue) }
    }

    public var volume: Float {
        get { Float(player.volume) }
        set { player.volume = Double(newValue) }
    }

    public var isMuted: Bool {
        get { player.isMuted }
        set { player.isMuted = newValue }
    }

    // MARK: The player below

    public var avPlayer: MediaPlayer? {
        get { isAttached ? player : nil }
        set {
            // Of two hosts that each put back what they found, the second has found nothing.
            if newValue == nil, isComingBack { return }
            isAttached = newValue != nil
            if let newValue, newValue !== player {
                let predecessor = player
                prepare(newValue)
                goOver(to: newValue)
                letGo(predecessor)
            }
            placePicture()
        }
    }

    /// Whether the host is told right now that it is in the foreground again. For facades that have a picture.
    var isComingBack: Bool { false }

    /// Shows the picture of the player, or no longer does. For facades that have a picture.
    func placePicture() {}

    /// A player is about to become this facade's. For facades that have a picture.
    func prepare(_ successor: MediaPlayer) {}

    /// A player is this facade's no longer. For facades that have a picture.
    func letGo(_ predecessor: MediaPlayer) {}

    /// What the predecessor had loaded goes, and what the successor has loaded comes.
    private func goOver(to successor: MediaPlayer) {
        for delivery in player.undelivered { receive(delivery) }
        let before = player.snapshot.counted(after: earlierOpenings)
        retire(media)
        media = successor.snapshot.item?.url.map { MediaExternal(url: $0) }
        loadings = [:]
        if let media { announced.append(media) }
        earlierOpenings = before.generation.rawValue
        player = successor
        follow(successor)
        let gone = before.unloaded.counted(after: earlierOpenings)
        let now = successor.snapshot.counted(after: earlierOpenings)
        tellDifferences(from: before, to: gone)
        tellDifferences(from: gone, to: now)
    }

    private func tellDifferences(from old: PlayerSnapshot, to new: PlayerSnapshot) {
        for event in PlayerEvent.differences(from: old, to: new) {
            let delivery = EventDelivery(event: event, snapshot: new, number: MediaPlayer.nextEventNumber())
            afterOthers { $0.tell(delivery) }
        }
    }

    private func follow(_ player: MediaPlayer) {
        observation?.cancel()
        observation = player.observeDeliveries { [weak self] in self?.receive($0) }
    }

    // MARK: Commands

    public func load(external media: MediaExternal) { load(external: media, startPosition: 0) }

    /// Replaces what is loaded, and begins in the middle.
    ///
    /// - Parameters:
    ///   - media: what to play.
    ///   - startPosition: where to begin, in seconds.
    public func load(external media: MediaExternal, startPosition: Double) {
        replace(by: media)
        open(media, startPosition: startPosition)
    }

    public func load(ovp media: MediaOVP) {
        replace(by: media)
        open(media)
    }

    /// Replaces what is loaded by a stream into which a server puts advertisements. An addition to the original interface.
    ///
    /// No plugin for such streams comes with this SDK: the medium's `fallbackURL` is played instead, and without one
    /// loading fails with `pluginMissing`.
    public func load(dai media: MediaDAI) {
        replace(by: media)
        open(media)
    }

    public func load(queue media: [MediaExternal]) {
        guard let queue else { return player.warn(.withoutQueue) }
        let items = media.map { ($0, PlayerItem($0)) }
        queued = Dictionary(uniqueKeysWithValues: items.map { ($1.id, $0) })
        queue.load(items.map(\.1), autoPlay: autoPlay)
    }

    public var queue: QueuePlayer? { player as? QueuePlayer }

    @discardableResult
    public func reload() -> Bool {
        if player.snapshot.item?.transition != nil { return player.reload(autoPlay: autoPlay) }
        switch media {
        case let media as MediaExternal: open(media)
        case let media as MediaOVP: open(media)
        case let media as MediaDAI: open(media)
        default: return player.reload(autoPlay: autoPlay)
        }
        return true
    }

    private func open(_ media: MediaExternal, startPosition: Double = 0) {
        announced.append(media)
        player.load(PlayerItem(media), autoPlay: autoPlay, startPosition: startPosition)
        if media.adSchedule != nil { player.warn(.adsWithoutPlugin) }
    }

    private func open(_ media: MediaOVP) {
        announced.append(media)
        let loading = OVPLoading(media)
        let oldest = player.snapshot.item?.number ?? 0
        let number = player.load(autoPlay: autoPlay) { () async throws(PlaybackError) in try await loading.item() }
        // Events of the item before may be waiting to be told.
        loadings = loadings.filter { $0.key >= oldest }
        loadings[number] = loading
    }

    private func open(_ media: MediaDAI) {
        announced.append(media)
        player.load(autoPlay: autoPlay) { () async throws(PlaybackError) in
            guard let url = media.fallbackURL else { throw PlaybackError(.pluginMissing, url: nil) }
            return PlayerItem(url: url, preferredPeakBitRate: media.preferredPeakBitRate)
        }
        player.warn(.streamWithoutPlugin)
    }

    public func play() { player.play() }
    public func pause() { player.pause() }
    public func seek(_ seconds: Double) { player.seek(seconds) }
    public func selectTrack(audio id: Int) { player.selectAudio(id) }
    public func selectTrack(subtitle id: Int) { player.selectSubtitle(id) }

    public func stop() {
        retire(media)
        media = nil
        player.stop()
    }

    private func replace(by media: any Media) {
        queued = [:]
        retire(self.media)
        self.media = media
    }

    private func retire(_ media: (any Media)?) {
        guard let media else { return }
        mediaHistoryList = [media] + mediaHistoryList.prefix(Self.historyLimit - 1)
    }

    // MARK: Observation

    public func events(startsWithCurrent: Bool, bufferLimit: Int) -> AsyncStream<PlayerEvent> {
        guard startsWithCurrent else { return broadcaster.makeStream(limit: bufferLimit) }
        return broadcaster.makeStream(
            limit: bufferLimit, first: PlayerEvent.current(of: player.snapshot), joiningAfter: player.newestEvent)
    }

    @discardableResult
    public func observe<Value>(
        _ property: PlayerProperty<Value>, startsWithCurrent: Bool,
        handler: @escaping @MainActor (any FlowplayerAPI, Value) -> Void
    ) -> ObservationToken {
        let id = nextRegistration()
        observers.append(
            (
                id, startsWithCurrent ? player.newestEvent : 0,
                { event, player in
                    if let value = property.value(event, player) { handler(player, value) }
                }
            ))
        if startsWithCurrent, let value = property.current(self) { handler(self, value) }
        return ObservationToken { [weak self] in self?.observers.removeAll { $0.id == id } }
    }

    @discardableResult
    public func attach(_ plugin: any PlayerPlugin) -> ObservationToken {
        let id = nextRegistration()
        plugins.append((id, plugin))
        plugin.attach(to: self)
        return ObservationToken { [weak self] in
            self?.plugins.removeAll { $0.id == id }
            plugin.detach()
        }
    }

    private func nextRegistration() -> Int {
        lastRegistration += 1
        return lastRegistration
    }

    // MARK: Telling

    /// Tells, once everything that came before has been told.
    func afterOthers(_ tell: @escaping @MainActor (FlowplayerFacade) -> Void) {
        outbox.add { [weak self] in
            if let self { tell(self) }
        }
    }

    private func receive(_ delivery: EventDelivery) {
        let delivery = EventDelivery(
            event: delivery.event, snapshot: delivery.snapshot.counted(after: earlierOpenings),
            number: delivery.number)
        afterOthers { $0.tell(delivery) }
    }

    private func tell(_ delivery: EventDelivery) {
        let event = delivery.event
        switch event {
        case .state(let state): states.add(state)
        case .playbackState(let state): playbackStates.add(state)
        default: break
        }
        log.write(event, of: id)
        let context = EventContext(
            media: announcedMedia(for: delivery), config: config(for: delivery.snapshot))
        delegate?.receive(event, context, from: self)
        adDelegate?.receive(event, from: self)
        daiDelegate?.receive(event, from: self)
        for notification in event.notifications(context) {
            post(notification.name, notification.object, about: delivery.snapshot.item?.source)
        }
        for observer in observers where delivery.number > observer.joinsAfter { observer.handler(event, self) }
        broadcaster.send(delivery)
        for (_, plugin) in plugins { plugin.player(self, didEmit: event, snapshot: delivery.snapshot) }
    }

    private func config(for snapshot: PlayerSnapshot) -> OVPConfig? {
        snapshot.item.flatMap { loadings[$0.number]?.config }
    }

    /// What was loaded when the event came about: by the time it is told, something else may be.
    private func announcedMedia(for delivery: EventDelivery) -> (any Media)? {
        guard case .media(let url) = delivery.event else { return nil }
        if let item = delivery.snapshot.item?.transition?.item, let loaded = queued[item.id] {
            retire(media)
            media = loaded
            return loaded
        }
        guard announced.isEmpty else { return announced.removeFirst() }
        // Somebody has loaded it into the player below.
        guard let url else { return nil }
        let loaded = MediaExternal(url: url)
        retire(media)
        media = loaded
        return loaded
    }

    func post(_ name: Notification.Name, _ object: Any?, about item: PlayerItem? = nil) {
        var info: [FlowplayerNotificationKey: Any] = [.playerID: id, .player: self]
        info[.item] = item
        notificationCenter.post(name: name, object: object, userInfo: info)
    }
}

extension PlaybackNotice {
    fileprivate static let withoutQueue = PlaybackNotice(
        code: "queueUnavailable", message: "This player has no queue: give the view a QueuePlayer, or none.")
}
