#if VLC || GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Rows of the table in `Docs/BackgroundPlayback.md`, with real media and real engines.
@MainActor
@Suite struct EngineBackgroundTests {
    private let lifecycle = ApplicationLifecycle(notificationCenter: NotificationCenter())
    private let frames = CountingSink()

    private func view(_ policy: BackgroundPolicy, _ engine: RealEngine) -> (FlowplayerView, EventRecorder) {
        let player = engine.makePlayer()
        let view = FlowplayerView(
            avPlayer: player, lifecycle: lifecycle, notificationCenter: NotificationCenter())
        view.videoOutput = .frames(frames)
        view.backgroundPolicy = policy
        view.autoPlay = true
        return (view, EventRecorder(player))
    }

    private func load(_ url: URL, into view: FlowplayerView, _ recorder: EventRecorder) async throws {
        var media = MediaExternal(url: url)
        media.retryPolicy = .unlimited
        view.load(external: media)
        try #require(await recorder.reaches(.play))
        try #require(await eventually { frames.count > 5 })
    }

    /// Waits until no frame has arrived for half a second.
    private func videoIsHidden() async -> Bool {
        var last = (count: -1, time: ContinuousClock.now)
        return await eventually {
            if frames.count != last.count { last = (frames.count, .now) }
            return ContinuousClock.now - last.time > .milliseconds(500)
        }
    }

    private func play(_ view: FlowplayerView, _ recorder: EventRecorder) async throws {
        try await load(try await MediaFixtures.shared.long(seconds: 120), into: view, recorder)
    }

    private func videoAppears() async -> Bool {
        let before = frames.count
        return await eventually { frames.count > before + 3 }
    }

    /// Waits until the position has advanced.
    private func moves(_ view: FlowplayerView, by seconds: Double = 0.5) async -> Bool {
        let before = view.position?.seconds ?? 0
        return await eventually { (view.position?.seconds ?? 0) >= before + seconds }
    }

    /// - Returns: `true` if the position does not advance.
    private func stands(_ view: FlowplayerView) async -> Bool {
        guard let player = view.avPlayer else { return false }
        let recorder = EventRecorder(player)
        return await !eventually(within: .seconds(1)) { recorder.positions.count > 1 }
    }

    // MARK: Rows 1 to 6

    @Test(arguments: RealEngine.allCases, [true, false])
    func rows1And2_pausesAndResumesIfItShall(engine: RealEngine, resumes: Bool) async throws {
        let (view, recorder) = view(.pause, engine)
        view.resumesAfterBackground = resumes
        try await play(view, recorder)
        let played = view.position?.seconds ?? 0
        lifecycle.enterBackground()
        #expect(view.state == .pause && view.playbackState == .background)
        #expect(await stands(view))
        let before = view.position?.seconds ?? 0
        // A busy engine pauses late.
        #expect((played - 0.1...played + 10).contains(before))
        lifecycle.leaveBackground()
        #expect(abs((view.position?.seconds ?? 0) - before) <= 0.1)
        #expect(view.state == (resumes ? .play : .pause) && view.playbackState == .playing)
        if resumes {
            #expect(await videoAppears())
            #expect(await moves(view))
        } else {
            #expect(await stands(view))
            #expect(abs((view.position?.seconds ?? 0) - before) <= 0.1)
            view.play()
            #expect(await videoAppears())
        }
        #expect(view.playbackStateList == [.playing, .background, .playing, .idle])
    }

    @Test(arguments: RealEngine.allCases) func row4_whatTheUserPausedStaysPaused(engine: RealEngine) async throws {
        let (view, recorder) = view(.continueAudio, engine)
        view.resumesAfterBackground = true
        try await play(view, recorder)
        view.pause()
        lifecycle.enterBackground()
        #expect(view.state == .pause && view.playbackState == .background)
        #expect(await videoIsHidden())
        lifecycle.leaveBackground()
        #expect(view.state == .pause && view.playbackState == .playing)
        #expect(await videoIsHidden())
        view.play()
        #expect(await videoAppears())
    }

    @Test(arguments: RealEngine.allCases) func row5_playInTheBackgroundHasAudioOnly(engine: RealEngine) async throws {
        let (view, recorder) = view(.pause, engine)
        try await play(view, recorder)
        lifecycle.enterBackground()
        #expect(await stands(view))
        view.play()
        #expect(await moves(view))
        #expect(await videoIsHidden())
        #expect(await eventually { view.state == .play && view.playbackState == .background })
        lifecycle.leaveBackground()
        #expect(await videoAppears())
        #expect(await eventually { view.state == .play })
    }

    @Test(arguments: RealEngine.allCases) func row6_whatTheUserPausesInTheBackgroundStaysPaused(engine: RealEngine)
        async throws
    {
        let (view, recorder) = view(.continueAudio, engine)
        view.resumesAfterBackground = true
        try await play(view, recorder)
        lifecycle.enterBackground()
        #expect(await moves(view))
        view.pause()
        lifecycle.leaveBackground()
        #expect(view.state == .pause && view.playbackState == .playing)
        view.play()
        #expect(await videoAppears())
    }

    // MARK: Rows 13, 15 to 18

    @Test(arguments: RealEngine.allCases) func row13_theQueueContinuesWithAudioOnly(engine: RealEngine) async throws {
        let short = try await MediaFixtures.shared.file("mp4")
        let long = try await MediaFixtures.shared.long(seconds: 120)
        let queue = QueuePlayer(
            items: [PlayerItem(url: short), PlayerItem(url: long)], backend: engine.makeBackend())
        let view = FlowplayerView(
            avPlayer: queue, lifecycle: lifecycle, notificationCenter: NotificationCenter())
        view.videoOutput = .frames(frames)
        view.enableBackgroundPlayback = true
        let recorder = EventRecorder(queue)
        view.play()
        try #require(await recorder.reaches(.play))
        #expect(await videoAppears())
        lifecycle.enterBackground()
        #expect(await recorder.reaches(.complete))
        #expect(await eventually { queue.currentItem?.url == long && view.state == .play })
        #expect(await videoIsHidden())
        #expect(await moves(view))
        lifecycle.leaveBackground()
        #expect(await videoAppears())
        #expect(await eventually { view.state == .play && view.playbackState == .playing })
    }

    @Test(arguments: RealEngine.allCases) func row15_pictureInPictureKeepsTheVideo(engine: RealEngine) async throws {
        let (view, recorder) = view(.pause, engine)
        try await play(view, recorder)
        lifecycle.enterBackground(.pictureInPicture)
        lifecycle.enterBackground(.hidden)
        #expect(await videoAppears())
        #expect(await eventually { view.state == .play && view.playbackState == .playing })
        lifecycle.leaveBackground(.pictureInPicture)
        #expect(view.state == .pause && view.playbackState == .background)
        #expect(await stands(view))
    }

    @Test(arguments: RealEngine.allCases, [BackgroundPolicy.pause, .continueAudio])
    func rows16And17_aHostThatDetachesKeepsItsAudio(engine: RealEngine, policy: BackgroundPolicy) async throws {
        let (view, recorder) = view(policy, engine)
        try await play(view, recorder)
        let host = DetachingHost(view)
        (lifecycle.applicationDelegate, lifecycle.sceneDelegate) = (host, host)
        for _ in 1...2 {
            lifecycle.enterBackground()
            #expect(view.avPlayer == nil && view.playbackState == .background)
            #expect(await videoIsHidden())
            #expect(await moves(view))
            lifecycle.leaveBackground()
            #expect(await videoAppears())
        }
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play])
    }

    @Test(arguments: RealEngine.allCases) func row18_enteredOrLeftTwiceIsOnce(engine: RealEngine) async throws {
        let (view, recorder) = view(.continueAudio, engine)
        try await play(view, recorder)
        lifecycle.leaveBackground(.hidden)
        for _ in 1...2 { lifecycle.enterBackground() }
        #expect(await videoIsHidden())
        for _ in 1...2 { lifecycle.leaveBackground() }
        #expect(await videoAppears())
        #expect(view.playbackStateList == [.playing, .background, .playing, .idle])
    }

    /// A thousand transitions, with commands between them.
    @Test(arguments: RealEngine.allCases) func playbackSurvivesTenSecondsOfFaults(engine: RealEngine) async throws {
        let (view, recorder) = view(.continueAudio, engine)
        try await play(view, recorder)
        let stored = view.avPlayer
        var random = Dice(seed: 7)
        for _ in 1...250 {
            for _ in 1...4 {
                let reason = [BackgroundReason.hidden, .locked, .sleep, .pictureInPicture].randomElement(
                    using: &random)!
                if Bool.random(using: &random) {
                    lifecycle.enterBackground(reason)
                } else {
                    lifecycle.leaveBackground(reason)
                }
                switch Int.random(in: 0...11, using: &random) {
                case 0, 1: view.play()
                case 2: view.pause()
                case 3: view.seek(Double.random(in: 0...20, using: &random))
                case 4: view.avPlayer = nil
                case 5: view.avPlayer = stored
                case 6:
                    view.backgroundPolicy = [.pause, .continueAudio, .continueVideo].randomElement(using: &random)!
                default: break
                }
            }
            // Gives the engine something to interrupt.
            _ = await recorder.event(within: .milliseconds(20)) { _ in true }
        }
        lifecycle.leaveBackground()
        view.avPlayer = stored
        view.seek(1)
        view.play()
        #expect(await eventually { view.state == .play && (view.position?.seconds ?? 0) >= 1.5 })
        #expect(await videoAppears())
        #expect(view.playbackState == .playing)
        #expect(recorder.errors.isEmpty)
    }

    // MARK: Row 3

    @Test(arguments: RealEngine.allCases) func audioContinuesWithoutItsVideo(engine: RealEngine) async throws {
        let (view, recorder) = view(.continueAudio, engine)
        let url = try await MediaFixtures.shared.long(seconds: 120)
        try await load(url, into: view, recorder)
        for _ in 1...3 {
            lifecycle.enterBackground()
            #expect(view.playbackState == .background)
            #expect(await videoIsHidden())
            let before = view.position?.seconds ?? 0
            #expect(await recorder.event { $0.reaches(before + 1) })
            lifecycle.leaveBackground()
            let gone = frames.count
            #expect(await eventually { frames.count > gone + 5 })
            #expect(view.playbackState == .playing)
        }
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play])
        #expect(view.playbackStateList.first == .playing)
    }

    #if VLC
    @Test(arguments: [RealEngine.libVLC]) func aSeparateHiddenVideoIsNotDownloaded(engine: RealEngine) async throws {
        let master = try await MediaFixtures.shared.separate(seconds: 60)
        let log = RequestLog()
        let server = try await LoopbackServer(files: master.deletingLastPathComponent(), log: log)
        let (view, recorder) = view(.continueAudio, engine)
        try await load(server.base.appending(path: "master.m3u8"), into: view, recorder)
        let videos = { log.paths.filter { $0.hasPrefix("/video") && $0.hasSuffix(".m4s") }.count }
        let audio = { log.paths.filter { $0.hasPrefix("/audio") && $0.hasSuffix(".m4s") }.count }
        lifecycle.enterBackground()
        #expect(await videoIsHidden())
        let (videosBefore, audioBefore) = (videos(), audio())
        let position = view.position?.seconds ?? 0
        #expect(await recorder.event { $0.reaches(position + 5) })
        #expect(videos() <= videosBefore + 1)
        #expect(audio() > audioBefore)
        let gone = frames.count
        lifecycle.leaveBackground()
        #expect(await eventually { frames.count > gone })
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play])
    }

    @Test func theAudioOnlyVariantPlaysIfTheVideoIsNotSeparate() async throws {
        let engine = RealEngine.libVLC
        let master = try await MediaFixtures.shared.joined(seconds: 60)
        let log = RequestLog()
        let server = try await LoopbackServer(files: master.deletingLastPathComponent(), log: log)
        let (view, recorder) = view(.continueAudio, engine)
        try await load(server.base.appending(path: "master.m3u8"), into: view, recorder)
        lifecycle.enterBackground()
        #expect(await videoIsHidden())
        #expect(await eventually { log.paths.contains { $0.hasPrefix("/audio") && $0.hasSuffix(".ts") } })
        // The player of the audio has replaced that of the video, which downloads no more.
        #expect(await eventually { view.statistics.indicatedBitRate == 90_000 })
        let videos = { log.paths.filter { $0.hasPrefix("/muxed") && $0.hasSuffix(".ts") }.count }
        let (before, position) = (videos(), view.position?.seconds ?? 0)
        #expect(await recorder.event { $0.reaches(position + 3) })
        #expect(videos() == before)
        let gone = frames.count
        lifecycle.leaveBackground()
        #expect(await eventually { frames.count > gone })
        #expect(await eventually { frames.count > gone + 30 })
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play])
    }
    #endif
}

/// Takes the player away when it leaves the foreground and puts it back, in both styles at once.
private final class DetachingHost: ApplicationLifecycleDelegate, SceneLifecycleDelegate {
    private let view: FlowplayerView
    private var stored: MediaPlayer?

    init(_ view: FlowplayerView) { self.view = view }

    func applicationDidEnterBackground(_ application: ApplicationLifecycle) {
        stored = view.avPlayer
        view.avPlayer = nil
    }

    func applicationWillEnterForeground(_ application: ApplicationLifecycle) { view.avPlayer = stored }
    func sceneDidEnterBackground(_ scene: ApplicationLifecycle) { view.avPlayer = nil }
    func sceneWillEnterForeground(_ scene: ApplicationLifecycle) { view.avPlayer = stored }
}

private final class CountingSink: VideoFrameSink {
    private let frames = Mutex(0)
    var count: Int { frames.withLock(\.self) }
    func receive(_ frame: VideoFrame) { frames.withLock { $0 += 1 } }
}
#endif
