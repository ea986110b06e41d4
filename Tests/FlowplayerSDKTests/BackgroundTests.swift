import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// The table of `Docs/BackgroundPlayback.md`, row by row, in virtual time.
@MainActor
@Suite struct BackgroundTests {
    private let clock = ManualClock()
    private let backend: SimulatedBackend
    private let lifecycle: ApplicationLifecycle
    private let center = NotificationCenter()
    private let view: FlowplayerView
    private let recorder: EventRecorder
    /// The audio session and the configuration are the process's.
    private let lock: TestLock
    private static let clip = MediaExternal(url: URL(filePath: "/media/clip.mp4"))

    init() async {
        lock = await TestLock.acquire(.facade)
        backend = SimulatedBackend(clock: clock, media: SimulatedMedia(loadDelay: 1, seekDelay: 1))
        lifecycle = ApplicationLifecycle(notificationCenter: center)
        let player = MediaPlayer(backend: backend, clock: clock)
        view = FlowplayerView(avPlayer: player, lifecycle: lifecycle, notificationCenter: center)
        recorder = EventRecorder(player)
        view.autoPlay = true
    }

    /// Loads, and lets pass what opening takes and two seconds more.
    private func playing(_ policy: BackgroundPolicy, resumes: Bool = false) async {
        view.backgroundPolicy = policy
        view.resumesAfterBackground = resumes
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(3))
        #expect(view.state == .play && view.playbackState == .playing)
    }

    private func inBackground(_ seconds: Double = 2, for reason: BackgroundReason = .hidden) async {
        lifecycle.enterBackground(reason)
        await clock.advance(by: .seconds(seconds))
    }

    private func back() async {
        lifecycle.leaveBackground()
        await clock.advance(by: .milliseconds(100))
    }

    private var position: Double { view.position?.seconds ?? -1 }

    /// The `setVideoVisible` commands of the engine, in order.
    private var visibilities: [Bool] {
        backend.commands.compactMap { if case .setVideoVisible(let isShown) = $0 { isShown } else { nil } }
    }

    private func expect(
        _ state: PlayerState, _ playbackState: PlaybackState, isVisible: Bool = true,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(view.state == state, sourceLocation: location)
        #expect(view.playbackState == playbackState, sourceLocation: location)
        #expect((visibilities.last ?? true) == isVisible, "the visibility", sourceLocation: location)
    }

    // MARK: Rows 1 to 6

    @Test func row1_withPauseNothingResumesByItself() async {
        await playing(.pause)
        await inBackground()
        expect(.pause, .background)
        await back()
        expect(.pause, .playing)
        await clock.advance(by: .seconds(5))
        expect(.pause, .playing)
        #expect(view.playbackStateList == [.playing, .background, .playing, .idle])
        #expect(view.stateList == [.pause, .play, .ready, .load, .idle])
        #expect(visibilities.isEmpty, "the video is kept")
        view.play()
        await clock.advance(by: .seconds(1))
        expect(.play, .playing)
    }

    @Test func row2_withResumesItContinuesAtItsPosition() async {
        await playing(.pause, resumes: true)
        await inBackground()
        let before = position
        expect(.pause, .background)
        lifecycle.leaveBackground()
        #expect(abs(position - before) <= 0.1)
        await clock.advance(by: .seconds(1))
        expect(.play, .playing)
        #expect(view.stateList == [.play, .pause, .play, .ready, .load, .idle])
    }

    @Test func row3_audioContinuesWithoutVideo() async {
        await playing(.continueAudio)
        await inBackground()
        expect(.play, .background, isVisible: false)
        await back()
        expect(.play, .playing)
        #expect(view.stateList == [.play, .ready, .load, .idle], "audio never stopped")
        #expect(visibilities == [false, true])
    }

    @Test(arguments: [BackgroundPolicy.pause, .continueAudio, .continueVideo], [true, false])
    func row4_whatTheUserPausedStaysPaused(policy: BackgroundPolicy, resumes: Bool) async {
        await playing(policy, resumes: resumes)
        view.pause()
        await inBackground()
        expect(.pause, .background, isVisible: policy != .continueAudio)
        await back()
        expect(.pause, .playing)
    }

    @Test(arguments: [true, false])
    func row5_whoPlaysInTheBackgroundHearsIt(resumes: Bool) async {
        await playing(.pause, resumes: resumes)
        await inBackground()
        let before = position
        view.play()
        await clock.advance(by: .seconds(2))
        expect(.play, .background, isVisible: false)
        #expect(position > before + 1.9)
        await back()
        expect(.play, .playing)
    }

    @Test(arguments: [true, false])
    func row6_whatTheUserPausesInTheBackgroundStaysPaused(resumes: Bool) async {
        await playing(.continueAudio, resumes: resumes)
        await inBackground()
        view.pause()
        await clock.advance(by: .seconds(1))
        expect(.pause, .background, isVisible: false)
        await back()
        expect(.pause, .playing)
    }

    // MARK: Rows 7 to 10

    @Test(arguments: [true, false])
    func row7_whatOpensWaitsInTheBackground(resumes: Bool) async {
        view.resumesAfterBackground = resumes
        view.load(external: Self.clip)
        await inBackground(3)
        expect(.ready, .background)
        await back()
        expect(resumes ? .play : .ready, resumes ? .playing : .idle)
        view.play()
        await clock.advance(by: .seconds(1))
        expect(.play, .playing)
    }

    @Test func row8_anItemThatOpensStartsWithAudioOnly() async {
        view.backgroundPolicy = .continueAudio
        view.load(external: Self.clip)
        await inBackground(3)
        expect(.play, .background, isVisible: false)
        await back()
        expect(.play, .playing)
    }

    @Test(arguments: [BackgroundPolicy.pause, .continueAudio])
    func row9_aSeekEndsAsItWould(policy: BackgroundPolicy) async {
        await playing(policy, resumes: true)
        view.seek(6)
        await inBackground(1.5)
        #expect(recorder.events.contains(.seek(.seeked, position: 6)))
        expect(policy == .pause ? .pause : .play, .background, isVisible: policy == .pause)
        await back()
        expect(.play, .playing)
        #expect(position >= 6)
    }

    @Test(arguments: [BackgroundPolicy.pause, .continueAudio])
    func row10_bufferingIsPlaying(policy: BackgroundPolicy) async {
        let stalls = [SimulatedMedia.Stall(at: 1.5, for: 3)]
        let player = MediaPlayer(
            backend: SimulatedBackend(clock: clock, media: SimulatedMedia(loadDelay: 1, stalls: stalls)), clock: clock)
        let view = FlowplayerView(avPlayer: player, lifecycle: lifecycle, notificationCenter: center)
        view.backgroundPolicy = policy
        view.autoPlay = true
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(3))
        #expect(view.state == .buffer)
        lifecycle.enterBackground()
        await clock.advance(by: .seconds(4))
        #expect(view.state == (policy == .pause ? .pause : .play))
        #expect(view.playbackState == .background)
        await back()
        #expect(view.state == (policy == .pause ? .pause : .play))
        #expect(view.playbackState == .playing)
    }

    // MARK: Rows 11 to 14

    @Test(arguments: [BackgroundPolicy.pause, .continueAudio, .continueVideo])
    func row11_withNothingToPlayOnlyTheBackgroundIsReported(policy: BackgroundPolicy) async {
        await playing(policy, resumes: true)
        await clock.advance(by: .seconds(10))
        expect(.complete, .ended)
        await inBackground()
        #expect(view.state == .complete && view.playbackState == .background)
        await back()
        expect(.complete, .ended)
        view.stop()
        await inBackground()
        #expect(view.state == .idle && view.playbackState == .background)
        await back()
        expect(.idle, .idle)
    }

    @Test func row11_alsoAfterAFailure() async {
        let failure = SimulatedMedia.Failure(error: PlaybackError(.fileNotFound, url: nil))
        let player = MediaPlayer(
            backend: SimulatedBackend(clock: clock, media: SimulatedMedia(failure: failure)), clock: clock)
        let view = FlowplayerView(avPlayer: player, lifecycle: lifecycle, notificationCenter: center)
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        #expect(view.state == .failure && view.playbackState == .idle)
        await inBackground()
        #expect(view.state == .failure && view.playbackState == .background)
        await back()
        #expect(view.state == .failure && view.playbackState == .idle)
    }

    @Test func row12_whatEndsInTheBackgroundHasEnded() async {
        await playing(.continueAudio)
        await inBackground(10)
        expect(.complete, .ended, isVisible: false)
        await back()
        expect(.complete, .ended)
        #expect(view.playbackStateList == [.ended, .background, .playing, .idle])
    }

    @Test func row13_theQueueContinuesWithAudioOnly() async {
        let items = (1...3).map { PlayerItem(url: URL(filePath: "/media/\($0).mp4")) }
        let queue = QueuePlayer(items: items, backend: backend, clock: clock)
        let view = FlowplayerView(avPlayer: queue, lifecycle: lifecycle, notificationCenter: center)
        view.enableBackgroundPlayback = true
        view.play()
        await clock.advance(by: .seconds(5))
        await inBackground(10)
        #expect(queue.currentItem?.url == items[1].url)
        #expect(view.state == .play && view.playbackState == .background)
        #expect(visibilities == [false])
        await back()
        #expect(view.state == .play && view.playbackState == .playing)
        #expect(visibilities == [false, true])
    }

    @Test(arguments: [BackgroundPolicy.pause, .continueAudio])
    func row14_anAdvertisementResumes(policy: BackgroundPolicy) async throws {
        view.backgroundPolicy = policy
        let player = try #require(view.avPlayer)
        player.load(PlayerItem(url: Self.clip.url, isAdvertisement: true), autoPlay: true)
        await clock.advance(by: .seconds(3))
        expect(.play, .ads)
        await inBackground()
        expect(policy == .pause ? .pause : .play, .background, isVisible: policy == .pause)
        await back()
        expect(.play, .ads)
    }

    // MARK: Row 15

    @Test func row15_pictureInPictureChangesNothing() async {
        await playing(.pause)
        await inBackground(for: .pictureInPicture)
        expect(.play, .playing)
        await inBackground(for: .hidden)
        expect(.play, .playing)
        await inBackground(for: .jobStopped)
        expect(.play, .playing)
        lifecycle.leaveBackground(.pictureInPicture)
        expect(.pause, .background)
        await back()
        expect(.pause, .playing)
    }

    @Test func row15_andBackgroundAudioLiveInOneProgram() async {
        await playing(.continueAudio)
        await inBackground(for: .pictureInPicture)
        expect(.play, .playing)
        await inBackground(for: .locked)
        expect(.play, .background, isVisible: false)
        lifecycle.leaveBackground(.locked)
        expect(.play, .playing)
        await back()
        #expect(view.stateList == [.play, .ready, .load, .idle])
    }

    // MARK: Rows 16 to 18

    @Test(arguments: [BackgroundPolicy.pause, .continueAudio, .stop])
    func row16_aHostThatDetachesKeepsItsAudio(policy: BackgroundPolicy) async {
        await playing(policy)
        let host = DetachingHost(view)
        lifecycle.applicationDelegate = host
        await inBackground()
        expect(.play, .background, isVisible: false)
        #expect(view.avPlayer == nil)
        view.pause()
        await clock.advance(by: .seconds(1))
        #expect(view.state == .pause, "the facade still controls the player")
        view.play()
        await clock.advance(by: .seconds(1))
        await back()
        expect(.play, .playing)
        #expect(view.playbackStateList == [.playing, .background, .playing, .idle])
    }

    @Test func row16_whatIsNotPutBackStaysDetached() async {
        await playing(.pause)
        let stored = view.avPlayer
        view.avPlayer = nil
        expect(.play, .playing, isVisible: false)
        await inBackground()
        expect(.play, .background, isVisible: false)
        await back()
        expect(.play, .playing, isVisible: false)
        view.avPlayer = stored
        expect(.play, .playing)
    }

    @Test func row16_alsoIfTheHostDetachesLater() async {
        await playing(.pause)
        await inBackground()
        expect(.pause, .background)
        let stored = view.avPlayer
        view.avPlayer = nil
        await clock.advance(by: .seconds(1))
        expect(.play, .background, isVisible: false)
        view.avPlayer = stored
        await back()
        expect(.play, .playing)
    }

    @Test(arguments: [true, false], [true, false])
    func row17_whoeverDetachesFirst(flag: Bool, both: Bool) async {
        await playing(flag ? .continueAudio : .pause)
        let hosts = [DetachingHost(view), DetachingHost(view)]
        lifecycle.sceneDelegate = hosts[0]
        if both { lifecycle.applicationDelegate = hosts[1] }
        for _ in 1...2 {
            await inBackground()
            expect(.play, .background, isVisible: false)
            await back()
            expect(.play, .playing)
        }
        #expect(view.stateList == [.play, .ready, .load, .idle])
        #expect(visibilities == [false, true, false, true])
    }

    @Test(arguments: [BackgroundPolicy.pause, .continueAudio])
    func row18_enteredOrLeftTwiceIsOnce(policy: BackgroundPolicy) async {
        await playing(policy)
        lifecycle.leaveBackground(.hidden)
        expect(.play, .playing)
        await inBackground()
        await inBackground()
        expect(policy == .pause ? .pause : .play, .background, isVisible: policy == .pause)
        await back()
        await back()
        #expect(view.playbackStateList == [.playing, .background, .playing, .idle])
    }

    // MARK: Rows 19 and 20

    @Test(arguments: [true, false])
    func row19_sideMattersPauseAndSayWhy(byCategory: Bool) async throws {
        let session = AudioSession.sharedInstance()
        defer {
            try? session.setCategory(.playback)
            Flowplayer.current.config.backgroundModes = [.audio]
        }
        if byCategory {
            try session.setCategory(.ambient)
        } else {
            Flowplayer.current.config.backgroundModes = []
        }
        await playing(.continueAudio)
        await inBackground()
        expect(.pause, .background)
        let notices = recorder.events.compactMap { if case .log(let notice) = $0 { notice } else { nil } }
        #expect(notices.map(\.code) == ["backgroundAudioNotAllowed"])
        let word = byCategory ? "ambient" : "background modes"
        #expect(notices.first?.message.contains(word) == true, "\(notices)")
        await back()
        expect(.pause, .playing)
    }

    @Test func row20_stopUnloads() async {
        await playing(.stop, resumes: true)
        await inBackground()
        expect(.idle, .background)
        await back()
        expect(.idle, .idle)
        #expect(view.stateList == [.idle, .play, .ready, .load, .idle])
    }

    // MARK: Several reasons

    @Test func theStrictestPolicyWins() async {
        var policy = BackgroundPolicy.continueAudio
        policy[.locked] = .pause
        await playing(policy, resumes: true)
        await inBackground(for: .hidden)
        expect(.play, .background, isVisible: false)
        await inBackground(for: .locked)
        expect(.pause, .background, isVisible: false)
        lifecycle.leaveBackground(.locked)
        await clock.advance(by: .milliseconds(100))
        expect(.play, .background, isVisible: false)
        await back()
        expect(.play, .playing)
    }

    @Test(arguments: [BackgroundPolicy.pause, .continueAudio])
    func afterSleepItAlwaysResumes(policy: BackgroundPolicy) async {
        await playing(policy)
        await inBackground(for: .sleep)
        expect(.pause, .background)
        await back()
        expect(.play, .playing)
    }

    @Test func whatWasHiddenBeforeItSleptStaysPaused() async {
        await playing(.pause)
        await inBackground(for: .hidden)
        await inBackground(for: .sleep)
        lifecycle.leaveBackground(.sleep)
        expect(.pause, .background)
        await back()
        expect(.pause, .playing)
    }

    @Test func sleepPausesAUserWhoPlaysInTheBackground() async {
        await playing(.pause)
        await inBackground(for: .hidden)
        view.play()
        await clock.advance(by: .seconds(1))
        expect(.play, .background, isVisible: false)
        for _ in 1...2 {
            await inBackground(for: .sleep)
            expect(.pause, .background, isVisible: false)
            lifecycle.leaveBackground(.sleep)
            view.play()
            await clock.advance(by: .seconds(1))
            expect(.play, .background, isVisible: false)
        }
    }

    @Test func aPolicyIsReadAtTheTransition() async {
        await playing(.continueAudio)
        await inBackground()
        view.backgroundPolicy = .pause
        await clock.advance(by: .seconds(1))
        expect(.play, .background, isVisible: false)
        await back()
        expect(.play, .playing)
        await inBackground()
        expect(.pause, .background)
    }

    /// Two hundred transitions a second for ten seconds, with commands between them.
    @Test(arguments: [BackgroundPolicy.pause, .continueAudio, .continueVideo], [1, 2, 3] as [UInt64])
    func whateverHappensTheUserIsHeeded(policy: BackgroundPolicy, seed: UInt64) async {
        var dice = Dice(seed: seed)
        let backend = SimulatedBackend(clock: clock, media: SimulatedMedia(duration: 3600))
        let player = MediaPlayer(backend: backend, clock: clock)
        let view = FlowplayerView(avPlayer: player, lifecycle: lifecycle, notificationCenter: center)
        view.backgroundPolicy = policy
        view.resumesAfterBackground = true
        view.load(external: Self.clip)
        var wantsToPlay = false
        for _ in 1...2000 {
            let reason = [BackgroundReason.hidden, .locked, .jobStopped, .sleep, .pictureInPicture].randomElement(
                using: &dice)!
            if Bool.random(using: &dice) {
                lifecycle.enterBackground(reason)
            } else {
                lifecycle.leaveBackground(reason)
            }
            switch Int.random(in: 0...9, using: &dice) {
            case 0, 1:
                view.play()
                wantsToPlay = true
            case 2:
                view.pause()
                wantsToPlay = false
            case 3: view.seek(Double.random(in: 0...3000, using: &dice))
            default: break
            }
            let isSeen = lifecycle.reasons.isSubset(of: [.pictureInPicture])
            let isMasked =
                lifecycle.reasons.contains(.pictureInPicture)
                && lifecycle.reasons.isSubset(of: [.pictureInPicture, .hidden, .jobStopped])
            #expect((view.playbackState == .background) == !(isSeen || isMasked), "\(lifecycle.reasons)")
            #expect(player.snapshot.wantsToPlay == wantsToPlay)
            await clock.advance(by: .milliseconds(5))
        }
        lifecycle.leaveBackground()
        await clock.advance(by: .seconds(1))
        #expect(view.state == (wantsToPlay ? .play : .pause) || !player.snapshot.hasStarted)
        #expect(player.snapshot.showsVideo)
        #expect(player.snapshot.suppression.isEmpty)
    }

    // MARK: Hosts

    @Test func aHostThatResumesByHistoryDoes() async {
        await playing(.pause)
        let host = HistoryHost()
        view.delegate = host
        for _ in 1...2 {
            await inBackground()
            expect(.pause, .background)
            await back()
            expect(.play, .playing)
        }
    }

    @Test func aHostThatPlaysOnInTheBackgroundDoes() async {
        await playing(.pause)
        let host = PlayingOnHost()
        view.delegate = host
        await inBackground()
        expect(.play, .background, isVisible: false)
        await back()
        expect(.play, .playing)
    }

    @Test func aViewMadeInTheBackgroundIsInIt() async {
        lifecycle.enterBackground()
        let player = MediaPlayer(backend: backend, clock: clock)
        let view = FlowplayerView(avPlayer: player, lifecycle: lifecycle, notificationCenter: center)
        #expect(view.playbackState == .background)
        lifecycle.leaveBackground()
        #expect(view.playbackState == .idle)
    }

    @Test func aPlayerThatIsTakenOverInTheBackgroundIsInItAndTheOneBeforeIsNot() async throws {
        await playing(.pause)
        let before = try #require(view.avPlayer)
        await inBackground()
        let successor = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        view.avPlayer = successor
        #expect(view.playbackState == .background)
        #expect(before.snapshot.playbackState == .playing && before.snapshot.state == .pause)
        await back()
        #expect(view.playbackState == .idle)
    }

    @Test func aLayerKeepsTheClassicRule() async {
        let audio = SimulatedMedia(tracks: MediaTracks(audio: [AudioTrack(id: 1, name: "Sound")]))
        let players = [SimulatedMedia(), audio, SimulatedMedia()].map {
            MediaPlayer(backend: SimulatedBackend(clock: clock, media: $0), clock: clock)
        }
        let layers = players.map { PlayerLayer(player: $0, videoOutput: .none, lifecycle: lifecycle) }
        for player in players { player.load(Self.clip.url, autoPlay: true) }
        await clock.advance(by: .seconds(2))
        layers[2].player = nil
        await inBackground()
        #expect(players.map(\.snapshot.state) == [.pause, .play, .play])
        layers[2].player = players[2]
        #expect(players[2].snapshot.state == .pause, "shown again in the background")
        await back()
        #expect(players.map(\.snapshot.state) == [.pause, .play, .pause])
        #expect(players.map(\.snapshot.playbackState) == [.playing, .playing, .playing])
    }

    @Test func positionsAreReportedOnceASecondInTheBackground() async {
        await playing(.continueAudio)
        lifecycle.enterBackground()
        await clock.advance(by: .milliseconds(500))
        let before = recorder.positions.count
        await clock.advance(by: .seconds(5))
        #expect((4...6).contains(recorder.positions.count - before))
        lifecycle.leaveBackground()
        let after = recorder.positions.count
        await clock.advance(by: .seconds(1))
        #expect(recorder.positions.count - after >= 3)
    }
}

/// Detaches the player when it leaves the foreground and puts it back, in either style.
private final class DetachingHost: ApplicationLifecycleDelegate, SceneLifecycleDelegate {
    private let view: FlowplayerView
    private var stored: MediaPlayer?

    init(_ view: FlowplayerView) { self.view = view }

    private func detach() {
        stored = view.avPlayer
        view.avPlayer = nil
    }

    /// The second of two such hosts has stored nothing.
    private func attach() { view.avPlayer = stored }

    func applicationDidEnterBackground(_ application: ApplicationLifecycle) { detach() }
    func applicationWillEnterForeground(_ application: ApplicationLifecycle) { attach() }
    func sceneDidEnterBackground(_ scene: ApplicationLifecycle) { detach() }
    func sceneWillEnterForeground(_ scene: ApplicationLifecycle) { attach() }
}

private final class HistoryHost: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        if player.playbackStateList.prefix(2) == [.playing, .background], player.state == .pause { player.play() }
    }
}

private final class PlayingOnHost: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        if player.playbackState == .background, state == .pause { player.play() }
    }
}
