import EventLog
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

/// Frequent complaints of players' users, each as a check.
@MainActor
@Suite struct UserChecks {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private static let clip = MediaExternal(url: URL(filePath: "/media/clip.mp4"))

    private func manager(_ media: SimulatedMedia = SimulatedMedia()) -> FlowplayerManager {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        let manager = FlowplayerManager(avPlayer: player, notificationCenter: center)
        manager.autoPlay = true
        return manager
    }

    // MARK: 1

    @Test func anEndIsReportedOnceAndLast() async {
        let player = manager()
        var ends: [(item: URL?, position: Double)] = []
        var reported: [PlayerEvent] = []
        let observation = player.avPlayer?.observe { event, snapshot in
            reported.append(event)
            if event == .state(.complete) { ends.append((snapshot.item?.url, snapshot.position)) }
        }
        defer { observation?.cancel() }
        player.load(external: Self.clip)
        await clock.advance(by: .seconds(60))
        #expect(ends.map(\.item) == [Self.clip.url])
        #expect(ends.map(\.position) == [10])
        #expect(reported.suffix(2) == [.state(.complete), .playbackState(.ended)])
        player.pause()
        player.rate = 0
        await clock.advance(by: .seconds(60))
        #expect(reported.last == .playbackState(.ended))
        player.play()
        await clock.advance(by: .seconds(60))
        #expect(ends.count == 2, "one end each time it is played through")
    }

    // MARK: 2

    @Test func theSequenceIsTheSameForALateObserver() async {
        let player = manager()
        let early = player.avPlayer.map { EventRecorder($0) }
        player.load(external: Self.clip)
        var late: [PlayerEvent] = []
        let stream = player.events(startsWithCurrent: true)
        let reader = Task { @MainActor in
            for await event in stream {
                late.append(event)
                if event == .state(.complete) { return }
            }
        }
        var states: [PlayerState] = []
        let observation = player.observe(\.state, startsWithCurrent: true) { _, state in states.append(state) }
        defer { observation.cancel() }
        #expect(states == [.load], "the state can be read at once")
        await clock.advance(by: .seconds(20))
        await reader.value
        #expect(states == [.load, .ready, .play, .complete])
        #expect(early?.states == states)
        #expect(late == early.map { Array($0.events.prefix(late.count)) })
    }

    // MARK: 3

    @Test(arguments: HostCommand.allCases)
    func aCommandInAnyCallbackReturnsAtOnceAndNeverDeadlocks(command: HostCommand) async {
        for place in CallbackPlace.allCases {
            let player = manager(place.media)
            let log = LintedLog(player)
            let caller = CallbackCaller(player, place, center) { command.give(to: player) }
            player.load(external: MediaExternal(url: Self.clip.url, adSchedule: AdScheduleRemote(url: Self.clip.url)))
            await clock.advance(by: .seconds(2))
            player.volume = 0.3
            player.rate = 1.5
            player.isMuted = true
            player.seek(2.5)
            await clock.advance(by: .seconds(30))
            if place == .stream { await caller.untilCalled() }
            await clock.advance(by: .seconds(30))
            #expect(caller.calls > 0, "\(place) was never called")
            #expect(log.breaches.isEmpty, "\(command) in \(place): \(log.breaches)")
            #expect(player.avPlayer?.snapshot.brokenRules.isEmpty == true)
        }
    }

    // MARK: 4, without media: VLCEnduranceTests has the thousand cycles

    @Test func droppingAPlayerWhileItLoadsIsClean() async {
        for _ in 1...100 {
            let backend = SimulatedBackend(clock: clock)
            var player: FlowplayerManager? = FlowplayerManager(avPlayer: MediaPlayer(backend: backend, clock: clock))
            weak let reference = player
            player?.load(external: Self.clip)
            player = nil
            #expect(reference == nil)
            #expect(backend.commands.last == .close(Generation(rawValue: 1)))
        }
        await clock.advance(by: .seconds(60))
    }

    // MARK: 5, without media: VLCFailureTests has the real failures

    @Test(arguments: PlaybackErrorCode.all)
    func everyFailureGivesExactlyOneErrorWithItsCause(code: PlaybackErrorCode) async {
        for position in [nil, 3.0] {
            let error = PlaybackError(code, url: Self.clip.url)
            let player = manager(SimulatedMedia(failure: .init(at: position, error: error)))
            let recorder = player.avPlayer.map { EventRecorder($0) }
            player.load(external: Self.clip)
            await clock.advance(by: .seconds(60))
            #expect(recorder?.errors == [error])
            #expect(recorder?.states.last == .failure)
        }
    }

    // MARK: 6

    @Test(arguments: [true, false], [true, false])
    func anInterruptionResumesOnlyWhatItStopped(wasPlaying: Bool, userActs: Bool) async throws {
        let player = manager()
        let engine = try #require(player.avPlayer)
        player.load(external: Self.clip)
        await clock.advance(by: .seconds(2))
        if !wasPlaying { player.pause() }
        engine.suppress(.interruption)
        await clock.advance(by: .seconds(1))
        #expect(player.state == .pause)
        if userActs { player.pause() }
        engine.unsuppress(.interruption)
        await clock.advance(by: .seconds(1))
        #expect(player.state == (wasPlaying && !userActs ? .play : .pause))
    }

    // MARK: 7, as far as holding playback for the background goes

    @Test func theBackgroundWhileLoadingSeekingOrTwiceHasADefinedOutcome() async throws {
        let player = manager(SimulatedMedia(loadDelay: 1, seekDelay: 1))
        let engine = try #require(player.avPlayer)
        player.load(external: Self.clip)
        engine.suppress(.background)
        await clock.advance(by: .seconds(3))
        #expect(player.state == .ready, "opened, and not begun")
        engine.suppress(.background)
        engine.unsuppress(.background)
        await clock.advance(by: .seconds(1))
        #expect(player.state == .play, "entered twice, left once: once")
        player.seek(6)
        engine.suppress(.background)
        await clock.advance(by: .seconds(2))
        #expect(player.position?.seconds == 6, "the seek ends as it would")
        #expect(player.state == .pause)
        engine.unsuppress(.background)
        await clock.advance(by: .seconds(1))
        #expect(player.state == .play)
    }

    // MARK: 8

    @Test func anItemThatFollowsItselfMakesATransition() async {
        let items = [PlayerItem(url: Self.clip.url), PlayerItem(url: Self.clip.url)]
        let queue = QueuePlayer(items: items, backend: SimulatedBackend(clock: clock), clock: clock)
        var transitions: [UUID?] = []
        let observation = queue.observe { event, snapshot in
            if case .media = event { transitions.append(snapshot.item?.source?.id) }
        }
        defer { observation.cancel() }
        queue.play()
        await clock.advance(by: .seconds(25))
        #expect(transitions == [items[1].id])
        #expect(queue.snapshot.state == .complete)
    }

    @Test func aQueueContinuesAfterAFailure() async {
        let backend = SimulatedBackend(
            clock: clock,
            openings: [SimulatedMedia(failure: .init(error: PlaybackError(.endedEarly, url: nil))), SimulatedMedia()])
        let queue = QueuePlayer(
            items: [PlayerItem(url: Self.clip.url), PlayerItem(url: Self.clip.url)], backend: backend, clock: clock)
        queue.play()
        await clock.advance(by: .seconds(2))
        #expect(queue.snapshot.state == .play)
    }

    @Test func aQueueContinuesAsRequested() async {
        let failing = PlayerItem(url: URL(filePath: "/media/broken.mp4"))
        let backend = SimulatedBackend(clock: clock) { url in
            guard url.path().contains("broken") else { return SimulatedMedia() }
            return SimulatedMedia(failure: .init(error: PlaybackError(.endedEarly, url: url)))
        }
        let queue = QueuePlayer(items: [failing, PlayerItem(url: Self.clip.url)], backend: backend, clock: clock)
        await clock.advance(by: .seconds(5))
        #expect(queue.snapshot.state == .ready, "nobody wanted it to play")
        queue.play()
        await clock.advance(by: .seconds(20))
        #expect(queue.snapshot.state == .complete)
        #expect(queue.items().isEmpty)
        queue.insert(PlayerItem(url: Self.clip.url), after: nil)
        await clock.advance(by: .seconds(1))
        #expect(queue.snapshot.state == .play)
    }

    // MARK: 9

    @Test(arguments: [(9.9, 9.9), (10, 10), (500, 10), (-5, 0)])
    func aSeekAnywhereHasADefinedOutcome(target: Double, place: Double) async {
        let player = manager()
        let recorder = player.avPlayer.map { EventRecorder($0) }
        player.load(external: Self.clip)
        player.seek(target)
        await clock.advance(by: .seconds(1))
        #expect(recorder?.events.contains(.seek(.seeked, position: place)) == true, "before ready")
        player.seek(3)
        await clock.advance(by: .seconds(1))
        player.pause()
        player.seek(target)
        await clock.advance(by: .seconds(1))
        #expect(player.position?.seconds == place, "while paused")
    }

    @Test func theLastOfAHundredSeeksCounts() async {
        let player = manager()
        let recorder = player.avPlayer.map { EventRecorder($0) }
        player.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        for step in 1...100 {
            player.seek(Double(step % 9))
            await clock.advance(by: .milliseconds(20))
        }
        player.seek(7)
        await clock.advance(by: .seconds(1))
        let last = recorder?.events.lastIndex(of: .seek(.seeked, position: 7))
        let after = recorder.flatMap { recorder in last.map { recorder.events[$0...] } } ?? []
        for case .position(let position) in after { #expect(position >= 7) }
        #expect(last != nil)
    }

    // MARK: 10

    @Test func aBackendThatHangsBlocksNothing() {
        let backend = StuckBackend()
        let player = FlowplayerManager(avPlayer: MediaPlayer(backend: backend))
        player.load(external: Self.clip)
        player.play()
        player.seek(3)
        player.stop()
        player.load(external: Self.clip)
        #expect(player.state == .load, "every call has returned although nothing was answered")
        #expect(player.position?.seconds == 0)
        player.stop()
        #expect(player.state == .idle)
    }

    // MARK: 11

    @Test func aRemovedPlayerChangesNoOther() async {
        let kept = manager()
        var dropped: FlowplayerManager? = manager()
        var states: [String: [PlayerState]] = [:]
        kept.id = "kept"
        dropped?.id = "dropped"
        var observations: Set<ObservationToken> = []
        defer { observations = [] }
        for player in [kept, dropped].compactMap(\.self) {
            player.observe(\.state) { player, state in states[player.id, default: []].append(state) }
                .store(in: &observations)
            player.load(external: Self.clip)
        }
        await clock.advance(by: .seconds(1))
        dropped = nil
        await clock.advance(by: .seconds(20))
        #expect(states["kept"] == [.load, .ready, .play, .complete])
        #expect(states["dropped"] == [.load, .ready, .play])
    }

    // MARK: 12

    @Test func missingFeaturesAreReported() async {
        let backend = SimulatedBackend(clock: clock, capabilities: BackendCapabilities(rates: 1...1))
        let player = MediaPlayer(backend: backend, clock: clock)
        let recorder = EventRecorder(player)
        let subtitle = ExternalSubtitle(url: URL(filePath: "/media/clip.srt"))
        player.load(PlayerItem(url: Self.clip.url, subtitles: [subtitle], preferredPeakBitRate: 1_000_000))
        await clock.advance(by: .seconds(1))
        player.videoOutput = .window
        player.selectAudio(id: 1)
        let codes = recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(
            codes == [
                "externalSubtitlesUnavailable", "peakBitRateUnavailable", "windowUnavailable",
                "trackSelectionUnavailable",
            ])
    }

    @Test(arguments: [true, false])
    func anOutputThatWaitsForTheNextItemIsReported(isLoaded: Bool) async {
        let backend = SimulatedBackend(clock: clock, capabilities: BackendCapabilities(features: [.window]))
        let player = MediaPlayer(backend: backend, clock: clock)
        let recorder = EventRecorder(player)
        if isLoaded { player.load(Self.clip.url) }
        player.videoOutput = .none
        player.videoOutput = .window
        await clock.advance(by: .seconds(1))
        let codes = recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(codes == (isLoaded ? ["outputSwitchingUnavailable"] : []))
    }

    // MARK: 13

    /// The classic way to play audio in the background: the layer loses its player, and receives it again.
    @Test(arguments: LayerHost.Style.allCases)
    func aLayerContinuesPlaybackOnItsReturn(style: LayerHost.Style) async {
        let lifecycle = ApplicationLifecycle(notificationCenter: center)
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        let host = LayerHost(style, player, lifecycle, center)
        player.load(Self.clip.url, autoPlay: true)
        await clock.advance(by: .seconds(1))
        for _ in 1...2 {
            lifecycle.enterBackground()
            #expect(player.snapshot.state == .play && !player.isVideoAttached)
            await clock.advance(by: .seconds(1))
            lifecycle.leaveBackground()
            #expect(host.layer.player === player)
            #expect(player.snapshot.state == .play && player.isVideoAttached)
            await clock.advance(by: .seconds(1))
            #expect(player.snapshot.state == .play && player.snapshot.playbackState == .playing)
        }
    }
}

/// Takes the player from its layer in the background, and puts it back on the return.
@MainActor
final class LayerHost: ApplicationLifecycleDelegate, SceneLifecycleDelegate {
    enum Style: CaseIterable {
        case application, scene, both, notification
        /// Each return makes another layer.
        case newLayer
    }

    private(set) var layer: PlayerLayer
    private let style: Style
    private let lifecycle: ApplicationLifecycle
    /// The players that the handlers of each style have stored.
    private var stored: [Style: MediaPlayer] = [:]

    init(_ style: Style, _ player: MediaPlayer, _ lifecycle: ApplicationLifecycle, _ center: NotificationCenter) {
        self.style = style
        self.lifecycle = lifecycle
        layer = PlayerLayer(player: player, videoOutput: .none, lifecycle: lifecycle)
        switch style {
        case .application, .newLayer: lifecycle.applicationDelegate = self
        case .scene: lifecycle.sceneDelegate = self
        case .both: (lifecycle.applicationDelegate, lifecycle.sceneDelegate) = (self, self)
        case .notification:
            observe(ApplicationLifecycle.didEnterBackgroundNotification, center) { $0.detach(.notification) }
            observe(ApplicationLifecycle.willEnterForegroundNotification, center) { $0.attach(.notification) }
        }
    }

    private func observe(
        _ name: Notification.Name, _ center: NotificationCenter,
        _ body: @escaping @MainActor @Sendable (LayerHost) -> Void
    ) {
        _ = center.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            MainActor.assumeIsolated {
                if let self { body(self) }
            }
        }
    }

    private func detach(_ handler: Style) {
        stored[handler] = layer.player
        layer.player = nil
    }

    private func attach(_ handler: Style) {
        if style == .newLayer {
            layer = PlayerLayer(player: stored[handler], videoOutput: .none, lifecycle: lifecycle)
        } else {
            layer.player = stored[handler]
        }
    }

    func applicationDidEnterBackground(_ application: ApplicationLifecycle) { detach(.application) }
    func applicationWillEnterForeground(_ application: ApplicationLifecycle) { attach(.application) }
    func sceneDidEnterBackground(_ scene: ApplicationLifecycle) { detach(.scene) }
    func sceneWillEnterForeground(_ scene: ApplicationLifecycle) { attach(.scene) }
}
