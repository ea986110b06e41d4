import Foundation
import Logging

/// What a player with a view and one without have in common. Make a `FlowplayerView` or a `FlowplayerManager`.
@MainActor
public class FlowplayerFacade: FlowplayerAPI {
    public var id = UUID().uuidString
    public weak var delegate: (any FlowplayerDelegate)?
    public var autoPlay = false

    public private(set) var media: (any Media)?
    public private(set) var mediaHistoryList: [any Media] = []

    private let player: MediaPlayer
    /// Media whose events have not been told yet, the oldest first.
    private var announced: [any Media] = []
    private let notificationCenter: NotificationCenter
    private let logger = Logger(label: "flowplayer")
    private let broadcaster = EventBroadcaster<PlayerEvent>()
    private var states = StateHistory(PlayerState.idle)
    private var playbackStates = StateHistory(PlaybackState.idle)
    private var plugins: [(id: Int, plugin: any PlayerPlugin)] = []
    private var lastPluginID = 0
    private var observation: ObservationToken?

    private static let historyLimit = 100

    init(player: MediaPlayer, notificationCenter: NotificationCenter) {
        self.player = player
        self.notificationCenter = notificationCenter
        observation = player.observe { [weak self] event, snapshot in self?.tell(event, snapshot) }
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
    public var playbackType: PlaybackType { player.snapshot.playbackType }
    public var duration: MediaTime? { player.duration }
    public var position: MediaTime? { player.snapshot.item.map { _ in player.position } }
    public var avPlayer: MediaPlayer? { player }
    public var events: AsyncStream<PlayerEvent> { broadcaster.makeStream() }

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

    // MARK: Commands

    public func load(external media: MediaExternal) { load(external: media, startPosition: 0) }

    /// Replaces what is loaded, and begins in the middle.
    ///
    /// - Parameter startPosition: where to begin, in seconds.
    public func load(external media: MediaExternal, startPosition: Double) {
        retire(self.media)
        self.media = media
        announced.append(media)
        player.load(media.url, autoPlay: autoPlay, startPosition: startPosition)
    }

    @discardableResult
    public func reload() -> Bool {
        guard let media else { return player.reload(autoPlay: autoPlay) }
        announced.append(media)
        return player.reload(autoPlay: autoPlay)
    }

    public func play() { player.play() }
    public func pause() { player.pause() }
    public func seek(_ seconds: Double) { player.seek(seconds) }

    public func stop() {
        retire(media)
        media = nil
        player.stop()
    }

    private func retire(_ media: (any Media)?) {
        guard let media else { return }
        mediaHistoryList = [media] + mediaHistoryList.prefix(Self.historyLimit - 1)
    }

    // MARK: Observation

    @discardableResult
    public func attach(_ plugin: any PlayerPlugin) -> ObservationToken {
        lastPluginID += 1
        let id = lastPluginID
        plugins.append((id, plugin))
        plugin.attach(to: self)
        return ObservationToken { [weak self] in
            self?.plugins.removeAll { $0.id == id }
            plugin.detach()
        }
    }

    private func tell(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        switch event {
        case .state(let state): states.add(state)
        case .playbackState(let state): playbackStates.add(state)
        case .log(let notice): logger.warning("\(notice.message)", metadata: ["code": "\(notice.code)"])
        case .error(let error): logger.error("\(error.message)", metadata: ["code": "\(error.code.name)"])
        default: break
        }
        delegate?.receive(event, from: self)
        for notification in event.notifications(media: announcedMedia(for: event)) { post(notification) }
        broadcaster.send(event)
        for (_, plugin) in plugins { plugin.player(self, didEmit: event, snapshot: snapshot) }
    }

    /// What was loaded when the event came about: by the time it is told, something else may be.
    private func announcedMedia(for event: PlayerEvent) -> (any Media)? {
        guard case .media(let url) = event else { return nil }
        return announced.isEmpty ? MediaExternal(url: url) : announced.removeFirst()
    }

    private func post(_ notification: (name: Notification.Name, object: Any)) {
        notificationCenter.post(
            name: notification.name, object: notification.object,
            userInfo: [FlowplayerNotificationKey.playerID: id, FlowplayerNotificationKey.player: self])
    }
}

/// The values that something had, the newest first.
private struct StateHistory<State> {
    private static var limit: Int { 100 }
    private(set) var newestFirst: [State]

    init(_ initial: State) { newestFirst = [initial] }

    mutating func add(_ state: State) {
        newestFirst = [state] + newestFirst.prefix(Self.limit - 1)
    }
}
