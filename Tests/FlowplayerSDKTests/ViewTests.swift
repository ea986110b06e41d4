import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

/// The state of a view, and its player.
@MainActor
@Suite struct ViewTests {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private let view: FlowplayerView
    private let witness = ViewWitness()
    private static let clip = MediaExternal(url: URL(filePath: "/media/clip.mp4"))

    init() {
        view = FlowplayerView(
            avPlayer: MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock), notificationCenter: center)
        view.viewDelegate = witness
        #expect(witness.reported == ["lifecycle created"])
        witness.reported = []
    }

    private func player() -> MediaPlayer { MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock) }

    @Test func eachChangeIsSentOnceToDelegateAndAsNotification() {
        let names: [Notification.Name] = [
            .flowplayerViewDidChangeFullscreen, .flowplayerViewDidChangeControlsVisibility,
            .flowplayerViewDidChangeVisibility, .flowplayerViewDidEncounterError, .flowplayerViewDidChangeLifecycle,
        ]
        var posted: [String] = []
        for name in names {
            _ = center.addObserver(forName: name, object: nil, queue: nil) { notification in
                let line = "\(notification.name.rawValue) \(notification.object.map { "\($0)" } ?? "nothing")"
                MainActor.assumeIsolated { posted.append(line) }
            }
        }
        for _ in 1...2 {
            view.openFullscreen()
            view.areControlsVisible = false
            view.isVisible = false
        }
        view.reportError(nil)
        view.lifecycle = .destroyed
        view.closeFullscreen()
        #expect(
            witness.reported == [
                "fullscreen true", "controls false", "visible false", "error nil", "lifecycle destroyed",
                "fullscreen false",
            ])
        #expect(posted.count == witness.reported.count)
        #expect(posted.first == "flowplayerViewDidChangeFullscreen true")
    }

    @Test func hiddenControlsStayHidden() {
        view.hideControls = true
        view.areControlsVisible = true
        #expect(!view.areControlsVisible)
        view.hideControls = false
        #expect(view.areControlsVisible)
        view.controlsConfig = ControlsConfig.create().setControlsVisible(false).build()
        #expect(witness.reported == ["controls false", "controls true", "controls false"])
    }

    @Test func orientationAndFullscreenLeadEachOtherIfTheyShall() {
        view.orientation = .portrait
        view.openFullscreen()
        #expect(view.orientation == .portrait)
        view.closeFullscreen()
        view.fullscreenControlsOrientation = true
        view.openFullscreen()
        #expect(view.orientation == .landscapeLeft)
        view.closeFullscreen()
        #expect(view.orientation == .portrait)
        view.fullscreenControlsOrientation = false
        view.orientationControlsFullscreen = true
        view.orientation = .landscapeRight
        #expect(view.isFullscreen)
        view.orientation = .portraitUpsideDown
        #expect(!view.isFullscreen)
        view.fullscreenControlsOrientation = true
        view.orientation = .landscapeLeft
        view.closeFullscreen()
        #expect(view.orientation == .portraitUpsideDown, "it was so before the user turned the screen")
        view.fullscreenControlsOrientation = false
        view.orientation = .portrait
        view.openFullscreen()
        view.fullscreenControlsOrientation = true
        view.closeFullscreen()
        #expect(view.orientation == .portrait, "it was so when the view entered full screen")
    }

    @Test func aChangeWithinACallbackIsReportedAfterwards() {
        witness.onFullscreen = { [view] in view.hideControls = true }
        _ = center.addObserver(forName: .flowplayerViewDidChangeFullscreen, object: nil, queue: nil) { [witness] _ in
            MainActor.assumeIsolated { witness.reported.append("notification") }
        }
        view.openFullscreen()
        #expect(witness.reported == ["fullscreen true", "notification", "controls false"])
    }

    @Test func aViewThatGoesSaysSoByItsID() {
        var gone: [String] = []
        _ = center.addObserver(forName: .flowplayerViewDidChangeLifecycle, object: nil, queue: nil) { notification in
            guard notification.object as? ViewLifecycle == .destroyed else { return }
            let id = notification.userInfo?[FlowplayerNotificationKey.playerID] as? String
            MainActor.assumeIsolated { gone.append(id ?? "nobody") }
        }
        var dropped: FlowplayerView? = FlowplayerView(avPlayer: player(), notificationCenter: center)
        dropped?.id = "left"
        dropped = nil
        #expect(gone == ["left"])
    }

    // MARK: The player below

    @Test func takingThePlayerAwayTwiceAndPuttingItBackTwiceIsSafe() async {
        let engine = view.avPlayer
        view.autoPlay = true
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        view.avPlayer = nil
        view.avPlayer = nil
        view.avPlayer = engine
        view.avPlayer = engine
        await clock.advance(by: .seconds(1))
        #expect(view.state == .play)
        #expect(view.stateList == [.play, .ready, .load, .idle])
    }

    @Test func anotherPlayerIsTakenOverWithWhatItDoes() async {
        let successor = player()
        successor.load(Self.clip.url, autoPlay: true)
        successor.volume = 0.5
        await clock.advance(by: .seconds(1))
        var states: [PlayerState] = []
        var volumes: [Double] = []
        var observations: Set<ObservationToken> = []
        defer { observations = [] }
        view.observe(\.state) { _, state in states.append(state) }.store(in: &observations)
        view.observe(\.volume) { _, volume in volumes.append(volume) }.store(in: &observations)
        let before = view.avPlayer
        view.avPlayer = successor
        #expect(view.state == .play)
        #expect(states == [.play])
        #expect(volumes == [0.5])
        #expect(view.sourceURL == Self.clip.url)
        before?.volume = 0.1
        #expect(volumes == [0.5], "the other one is replaced")
        view.pause()
        #expect(successor.snapshot.state == .pause)
    }

    @Test func aPlayerThatIsHandedOverInACallbackLosesNothing() async {
        let successor = player()
        successor.load(Self.clip.url)
        await clock.advance(by: .seconds(1))
        view.autoPlay = true
        var media = 0
        let observation = view.observe(\.state) { [view] player, state in
            if state == .complete { view.avPlayer = successor }
        }
        defer { observation.cancel() }
        view.load(external: Self.clip)
        let events = view.events(startsWithCurrent: true)
        await clock.advance(by: .seconds(20))
        #expect(view.stateList == [.ready, .idle, .complete, .play, .ready, .load, .idle])
        #expect(view.playbackStateList == [.idle, .ended, .playing, .idle])
        for await event in events {
            if case .media = event { media += 1 }
            if media == 2 { break }
        }
        #expect(media == 2, "a late reader receives the events of the other player too")
    }

    @Test func aFacadeOverAPlayerThatPlaysKnowsIt() async {
        let engine = player()
        engine.load(Self.clip.url, autoPlay: true)
        await clock.advance(by: .seconds(1))
        let manager = FlowplayerManager(avPlayer: engine, notificationCenter: center)
        #expect(manager.stateList == [.play])
        #expect(manager.playbackStateList == [.playing])
        #expect((manager.media as? MediaExternal)?.url == Self.clip.url)
        engine.load(URL(filePath: "/media/other.mp4"))
        #expect((manager.media as? MediaExternal)?.url.path() == "/media/other.mp4")
        #expect(manager.mediaHistoryList.count == 1)
    }

    @Test func aLateHandlerReceivesTheCurrentValueOnce() async {
        view.autoPlay = true
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        var late: [PlayerState] = []
        var observations: [ObservationToken] = []
        defer { observations = [] }
        view.observe(\.position) { [view] _, _ in
            guard late.isEmpty else { return }
            view.observe(\.state, startsWithCurrent: true) { _, state in late.append(state) }
                .store(in: &observations)
        }.store(in: &observations)
        await clock.advance(by: .seconds(20))
        #expect(late == [.play, .complete])
    }

    @Test func theLimitOfTheBitRateIsThatOfTheItem() {
        view.load(external: MediaExternal(url: Self.clip.url, preferredPeakBitRate: 800_000))
        #expect(view.preferredPeakBitRate == 800_000)
        view.stop()
        #expect(view.preferredPeakBitRate == nil)
    }

    @Test func aStreamWithAdvertisementsPlaysItsFallbackOrSaysWhatIsMissing() async throws {
        let ads = StreamWitness()
        view.daiDelegate = ads
        let recorder = EventRecorder(try #require(view.avPlayer))
        view.load(dai: MediaDAI(stream: DAIStreamLive(assetKey: "key", backupStream: Self.clip.url)))
        #expect(await recorder.event { $0 == .resolved(Self.clip.url) })
        #expect(ads.errors == [.adLoadFailed])
        view.load(dai: MediaDAI(stream: DAIStreamLive(assetKey: "key")))
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [.pluginMissing])
        #expect(ads.errors.count == 2)
    }
}

private final class StreamWitness: FlowplayerDAIDelegate {
    private(set) var errors: [AdError] = []

    func player(_ player: any FlowplayerAPI, didStreamFailWith error: AdError) { errors.append(error) }
}

/// Records its calls.
private final class ViewWitness: FlowplayerViewDelegate {
    var reported: [String] = []
    var onFullscreen: () -> Void = {}

    func view(_ view: any FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool) {
        reported.append("fullscreen \(isFullscreen)")
        onFullscreen()
    }
    func view(_ view: any FlowplayerViewAPI, didChangeControlsVisibility isVisible: Bool) {
        reported.append("controls \(isVisible)")
    }
    func view(_ view: any FlowplayerViewAPI, didEncounterError error: (any Error)?) { reported.append("error nil") }
    func view(_ view: any FlowplayerViewAPI, didChangeViewVisibility isVisible: Bool) {
        reported.append("visible \(isVisible)")
    }
    func view(_ view: any FlowplayerViewAPI, didChangeLifecycle lifecycle: ViewLifecycle) {
        reported.append("lifecycle \(lifecycle)")
    }
}
