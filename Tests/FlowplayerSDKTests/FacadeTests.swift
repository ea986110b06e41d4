import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

@MainActor
@Suite struct FacadeTests {
    let clock = ManualClock()
    let center = NotificationCenter()
    let view: FlowplayerView
    let witness = Witness()

    init() {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        view = FlowplayerView(avPlayer: player, notificationCenter: center)
        view.delegate = witness
    }

    private static let clip = MediaExternal(url: URL(filePath: "/media/clip.mp4"))
    private static let other = MediaExternal(url: URL(filePath: "/media/other.mp4"))

    @Test func theDelegateReceivesAllEvents() async {
        view.autoPlay = true
        view.volume = 0.5
        view.isMuted = true
        view.defaultRate = 2
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        view.seek(9)
        await clock.advance(by: .seconds(10))
        #expect(
            witness.reported == [
                "volume 0.5", "mute true", "rate 2.0", "state load", "type file", "duration 10.0", "audio 1",
                "subtitles 0", "state ready", "state play", "playbackState playing", "seek seeking 9.0",
                "seek seeked 9.0", "rate 0.0", "state complete", "playbackState ended",
            ])
        #expect(witness.lastPosition == 10)
    }

    @Test func aLoadWithoutAutoPlayWaits() async {
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(5))
        #expect(view.state == .ready)
        #expect(view.isReady)
        view.play()
        await clock.advance(by: .seconds(2))
        #expect(view.position?.seconds ?? 0 > 1.9)
        #expect(view.duration?.seconds == 10)
    }

    @Test func historiesHaveTheNewestFirst() async {
        view.autoPlay = true
        #expect(view.stateList == [.idle])
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(20))
        #expect(view.stateList == [.complete, .play, .ready, .load, .idle])
        #expect(view.playbackStateList == [.ended, .playing, .idle])
        for _ in 1...80 {
            view.load(external: Self.clip)
            view.stop()
        }
        #expect(view.stateList.count == 100)
        #expect(view.stateList.first == view.state)
    }

    @Test func theMediaHistoryLeavesOutTheCurrentOne() async {
        #expect(view.media == nil)
        #expect(!view.reload())
        view.load(external: Self.clip)
        view.load(external: Self.other)
        #expect((view.media as? MediaExternal) == Self.other)
        #expect(view.mediaHistoryList.compactMap { $0 as? MediaExternal } == [Self.clip])
        #expect(view.sourceURL == Self.other.url)
        #expect(view.reload())
        view.stop()
        #expect(view.media == nil)
        #expect(view.sourceURL == nil)
        #expect(view.position == nil)
        #expect(view.mediaHistoryList.compactMap { $0 as? MediaExternal } == [Self.other, Self.clip])
        #expect(!view.reload())
    }

    @Test func anItemOfTheHostIsReloadedAsItIs() async throws {
        var item = PlayerItem(url: Self.clip.url)
        item.securityPolicy = .httpsOnly
        let player = try #require(view.avPlayer)
        player.load(item)
        await clock.advance(by: .seconds(1))
        for _ in 1...2 { #expect(view.reload()) }
        #expect(player.currentItem == item)
        await clock.advance(by: .seconds(1))
        #expect((view.media as? MediaExternal)?.url == Self.clip.url)
        #expect(view.mediaHistoryList.isEmpty)
        let other = FlowplayerView(avPlayer: player, notificationCenter: center)
        let media = try #require(other.media)
        #expect(other.reload())
        await clock.advance(by: .seconds(1))
        #expect(other.media?.sessionID == media.sessionID && other.mediaHistoryList.isEmpty)
    }

    @Test func aPlayerThatReplacesAQueueHasItsOwnMedia() async throws {
        let other = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        other.load(Self.other.url)
        view.autoPlay = true
        view.load(queue: [Self.clip, MediaExternal(url: Self.clip.url)])
        let listener = MediaListener()
        view.delegate = listener
        // The `media` event of the second item is pending then.
        listener.onComplete = { [view] in view.avPlayer = other }
        await clock.advance(by: .seconds(12))
        #expect((view.media as? MediaExternal)?.url == Self.other.url)
        #expect(listener.media.last?.url == Self.other.url)
        #expect(listener.media.count == 2)
    }

    @Test func aPlayerThatIsReplacedTwiceAtOnceKeepsItsMedia() async throws {
        let original = try #require(view.avPlayer)
        let other = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        other.load(Self.other.url)
        let listener = MediaListener()
        view.delegate = listener
        listener.onFirst = { [view] in
            view.avPlayer = other
            view.avPlayer = original
        }
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        #expect((view.media as? MediaExternal) == Self.clip, "not another one of its address")
        let last = MediaExternal(url: URL(filePath: "/media/last.mp4"))
        view.load(external: last)
        await clock.advance(by: .seconds(1))
        #expect(listener.media == [Self.clip, last])
        #expect((view.media as? MediaExternal) == last)
    }

    @Test func anAdvertisementOfAReplacingPlayerIsNotReportedAgain() {
        let other = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        other.report(.clickThrough(Self.other.url))
        let plugin = AdEventPlugin()
        view.attach(plugin)
        view.avPlayer?.report(.clickThrough(Self.clip.url))
        view.avPlayer = other
        #expect(plugin.events == [.clickThrough(Self.clip.url)])
    }

    private final class AdEventPlugin: PlayerPlugin {
        var events: [AdEvent] = []

        func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
            if case .ad(let event) = event { events.append(event) }
        }
    }

    @Test func aRepeatedOrReloadedItemIsNoHistory() async {
        view.autoPlay = true
        view.load(queue: [Self.clip])
        view.queue?.repeatMode = .one
        await clock.advance(by: .seconds(35))
        view.avPlayer?.reload(autoPlay: true)
        await clock.advance(by: .seconds(1))
        #expect(view.mediaHistoryList.isEmpty && (view.media as? MediaExternal) == Self.clip)
    }

    @Test func aReloadAtTheEndOfAnItemIsThatOfTheNextOne() async {
        let listener = MediaListener()
        view.delegate = listener
        view.autoPlay = true
        view.load(queue: [Self.clip, Self.other])
        listener.onComplete = { [view] in
            listener.onComplete = nil
            view.reload()
        }
        await clock.advance(by: .seconds(15))
        #expect((view.media as? MediaExternal) == Self.other)
        #expect(view.mediaHistoryList.compactMap { $0 as? MediaExternal } == [Self.clip])
    }

    @Test func anItemThatIsLoadedWithinACallbackHasItsMedia() async {
        let listener = MediaListener()
        view.delegate = listener
        listener.onFirst = { [view] in view.avPlayer?.load(Self.other.url) }
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        #expect((view.media as? MediaExternal)?.url == Self.other.url)
        #expect(view.mediaHistoryList.compactMap { $0 as? MediaExternal } == [Self.clip])
    }

    private final class MediaListener: FlowplayerDelegate {
        var media: [MediaExternal] = []
        var onFirst: (() -> Void)?
        var onComplete: (() -> Void)?

        func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
            if state == .complete { onComplete?() }
        }

        func player(_ player: any FlowplayerAPI, didReceiveMediaItem media: any Media) {
            self.media += [media as? MediaExternal].compactMap(\.self)
            onFirst?()
            onFirst = nil
        }
    }

    @Test func eachEventReachesDelegateThenNotificationThenStreamThenPlugin() async {
        let order = OrderLog()
        witness.onState = { order.add("delegate", $0) }
        _ = center.addObserver(forName: .flowplayerDidChangeState, object: nil, queue: nil) { notification in
            let state = notification.object as? PlayerState
            MainActor.assumeIsolated { order.add("notification", state) }
        }
        view.attach(StatePlugin { order.add("plugin", $0) })
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        #expect(
            order.entries == [
                "delegate load", "notification load", "plugin load", "delegate ready", "notification ready",
                "plugin ready",
            ])
    }

    @Test func aNotificationNamesItsPlayer() {
        var ids: [String?] = []
        view.id = "left"
        _ = center.addObserver(forName: .flowplayerDidChangeVolume, object: nil, queue: nil) { notification in
            let id = notification.userInfo?[FlowplayerNotificationKey.playerID] as? String
            let player = notification.userInfo?[FlowplayerNotificationKey.player]
            let volume = notification.object as? Float
            #expect(player is any FlowplayerAPI)
            #expect(volume == 0.25)
            MainActor.assumeIsolated { ids.append(id) }
        }
        view.volume = 0.25
        #expect(ids == ["left"])
    }

    @Test func everyEventOfADelegateIsANotificationToo() async {
        var names: Set<String> = []
        let all: [Notification.Name] = [
            .flowplayerDidReceiveMediaItem, .flowplayerDidChangeState, .flowplayerDidChangePlaybackState,
            .flowplayerDidFailWithError, .flowplayerDidChangeIsMuted, .flowplayerDidChangeVolume,
            .flowplayerDidChangeRate, .flowplayerDidLoadSubtitleTracks, .flowplayerDidLoadAudioTracks,
            .flowplayerDidChangeDuration, .flowplayerDidChangePosition, .flowplayerDidChangeSeekState,
            .flowplayerDidChangePlaybackType,
        ]
        let error = PlaybackError(.endedEarly, url: nil)
        let media = SimulatedMedia(failure: .init(at: 5, error: error))
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        let view = FlowplayerManager(avPlayer: player, notificationCenter: center)
        for name in all {
            _ = center.addObserver(forName: name, object: nil, queue: nil) { notification in
                let name = notification.name.rawValue
                MainActor.assumeIsolated { _ = names.insert(name) }
            }
        }
        view.autoPlay = true
        view.isMuted = true
        view.volume = 0.1
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        view.seek(4)
        await clock.advance(by: .seconds(10))
        #expect(names == Set(all.map(\.rawValue)))
    }

    @Test func aDetachedPluginReceivesNothing() {
        var seen = 0
        let plugin = StatePlugin { _ in seen += 1 }
        let token = view.attach(plugin)
        view.load(external: Self.clip)
        token.cancel()
        token.cancel()
        view.stop()
        #expect(seen == 1)
        #expect(plugin.attached == 1)
        #expect(plugin.detached == 1)
    }

    @Test func aPluginIsDetachedWhenItsPlayerGoes() {
        let plugin = StatePlugin { _ in }
        var dropped: FlowplayerManager? = FlowplayerManager(
            avPlayer: MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock))
        dropped?.attach(plugin)
        dropped = nil
        #expect(plugin.detached == 1)
    }

    @Test func eachItemIsReportedHoweverFastTheNextComes() {
        var announced: [MediaExternal?] = []
        _ = center.addObserver(forName: .flowplayerDidReceiveMediaItem, object: nil, queue: nil) { notification in
            let media = notification.object as? MediaExternal
            MainActor.assumeIsolated { announced.append(media) }
        }
        witness.onState = { [view] state in
            guard state == .load, view.mediaHistoryList.isEmpty else { return }
            view.load(external: Self.other)
            view.load(external: Self.clip)
            view.reload()
            view.stop()
        }
        view.load(external: Self.clip)
        #expect(announced == [Self.clip, Self.other, Self.clip, Self.clip])
    }

    @Test func anOutputThatTheBackendHasNotIsSaid() async {
        let recorder = EventRecorder(view.avPlayer!)
        view.videoOutput = .none
        #expect(recorder.events.isEmpty)
        view.videoOutput = .window
        let codes = recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(codes == ["windowUnavailable"])
    }

    @Test func theErrorInsideIsAlwaysOurs() async {
        let view = FlowplayerView(backend: "nowhere", notificationCenter: center)
        view.delegate = witness
        view.load(external: Self.clip)
        #expect(await EventRecorder(view.avPlayer!).reaches(.failure))
        #expect(witness.error?.playbackError?.code == .backendUnavailable)
    }

    @Test func theLastReferenceClosesEverything() async {
        let backend = SimulatedBackend(clock: clock)
        var dropped: FlowplayerView? = FlowplayerView(avPlayer: MediaPlayer(backend: backend, clock: clock))
        weak let reference = dropped
        dropped?.load(external: Self.clip)
        dropped = nil
        #expect(reference == nil)
        #expect(backend.commands.last == .close(Generation(rawValue: 1)))
    }
}

@MainActor
final class OrderLog {
    private(set) var entries: [String] = []
    func add(_ who: String, _ state: PlayerState?) { entries.append("\(who) \(state?.name ?? "nothing")") }
}

final class StatePlugin: PlayerPlugin {
    let onState: (PlayerState) -> Void
    private(set) var attached = 0
    private(set) var detached = 0

    init(onState: @escaping (PlayerState) -> Void) { self.onState = onState }

    func attach(to player: any FlowplayerAPI) { attached += 1 }
    func detach() { detached += 1 }
    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        if case .state(let state) = event { onState(state) }
    }
}

/// Records its calls, except positions.
final class Witness: FlowplayerDelegate {
    private(set) var reported: [String] = []
    private(set) var lastPosition: Double?
    private(set) var error: PlayerError?
    var onState: (PlayerState) -> Void = { _ in }

    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        reported.append("state \(state.name)")
        onState(state)
    }
    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        reported.append("playbackState \(state.name)")
    }
    func player(_ player: any FlowplayerAPI, didChangeVolume volume: Float) { reported.append("volume \(volume)") }
    func player(_ player: any FlowplayerAPI, didChangeRate rate: Float) { reported.append("rate \(rate)") }
    func player(_ player: any FlowplayerAPI, didChangeMute isMuted: Bool) { reported.append("mute \(isMuted)") }
    func player(_ player: any FlowplayerAPI, didChangePosition position: Double) { lastPosition = position }
    func player(_ player: any FlowplayerAPI, didChangeDuration duration: Double) {
        reported.append("duration \(duration)")
    }
    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) { self.error = error }
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [AudioTrack]) {
        reported.append("audio \(tracks.count)")
    }
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [SubtitleTrack]) {
        reported.append("subtitles \(tracks.count)")
    }
    func player(_ player: any FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double) {
        reported.append("seek \(state.rawValue) \(position)")
    }
    func player(_ player: any FlowplayerAPI, didChangePlaybackType type: PlaybackType) {
        reported.append("type \(type.rawValue)")
    }
}
