#if VLC
    import FlowplayerSDK
    import FlowplayerTesting
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    /// Rows of the table in `Docs/BackgroundPlayback.md`, with real media through real libVLC.
    @MainActor
    @Suite(.serialized) struct VLCBackgroundTests {
        private let lifecycle = ApplicationLifecycle(notificationCenter: NotificationCenter())
        private let frames = CountingSink()

        private func view(
            _ policy: BackgroundPolicy, audioOutput: AudioOutput = .none
        ) -> (FlowplayerView, EventRecorder) {
            let player = MediaPlayer(backend: VLCBackend(audioOutput: audioOutput))
            let view = FlowplayerView(
                avPlayer: player, lifecycle: lifecycle, notificationCenter: NotificationCenter())
            view.videoOutput = .frames(frames)
            view.backgroundPolicy = policy
            view.autoPlay = true
            return (view, EventRecorder(player))
        }

        private func load(_ url: URL, into view: FlowplayerView, _ recorder: EventRecorder) async throws {
            view.load(external: MediaExternal(url: url))
            try #require(await recorder.reaches(.play))
            try #require(await eventually { frames.count > 5 })
        }

        /// Waits until the picture is gone: no frame in half a second.
        private func pictureGoes() async -> Bool {
            var last = (count: -1, time: ContinuousClock.now)
            return await eventually {
                if frames.count != last.count { last = (frames.count, .now) }
                return ContinuousClock.now - last.time > .milliseconds(500)
            }
        }

        @Test func soundGoesOnWithoutItsPicture() async throws {
            let (view, recorder) = view(.continueAudio)
            let url = try await MediaFixtures.shared.long(seconds: 30)
            try await load(url, into: view, recorder)
            for _ in 1...3 {
                lifecycle.enterBackground()
                #expect(view.playbackState == .background)
                #expect(await pictureGoes())
                let before = view.position?.seconds ?? 0
                #expect(await recorder.event(within: .seconds(5)) { $0.reaches(before + 1) })
                lifecycle.leaveBackground()
                let gone = frames.count
                #expect(await eventually { frames.count > gone + 5 })
                #expect(view.playbackState == .playing)
            }
            #expect(recorder.states == [.load, .ready, .play])
            #expect(view.playbackStateList.first == .playing)
        }

        @Test func aPictureThatIsKeptApartIsNotDownloaded() async throws {
            let master = try await MediaFixtures.shared.separate(seconds: 40)
            let log = RequestLog()
            let server = try await LoopbackServer(files: master.deletingLastPathComponent(), log: log)
            let (view, recorder) = view(.continueAudio)
            try await load(server.base.appending(path: "master.m3u8"), into: view, recorder)
            let videos = { log.paths.filter { $0.hasPrefix("/video") && $0.hasSuffix(".m4s") }.count }
            let sounds = { log.paths.filter { $0.hasPrefix("/sound") && $0.hasSuffix(".m4s") }.count }
            lifecycle.enterBackground()
            let (videosBefore, soundsBefore) = (videos(), sounds())
            #expect(await pictureGoes())
            let position = view.position?.seconds ?? 0
            #expect(await recorder.event(within: .seconds(10)) { $0.reaches(position + 5) })
            #expect(videos() <= videosBefore + 1)
            #expect(sounds() > soundsBefore)
            let gone = frames.count
            let start = ContinuousClock.now
            lifecycle.leaveBackground()
            #expect(await eventually { frames.count > gone })
            #expect(recorder.states == [.load, .ready, .play])
        }

        @Test func whereSoundAndPictureAreTogetherTheVariantWithSoundOnlyIsPlayed() async throws {
            let master = try await MediaFixtures.shared.joined(seconds: 60)
            let log = RequestLog()
            let server = try await LoopbackServer(files: master.deletingLastPathComponent(), log: log)
            let (view, recorder) = view(.continueAudio)
            try await load(server.base.appending(path: "master.m3u8"), into: view, recorder)
            lifecycle.enterBackground()
            #expect(await pictureGoes())
            #expect(await eventually { log.paths.contains { $0.hasPrefix("/sound") && $0.hasSuffix(".ts") } })
            #expect(await recorder.event(within: .seconds(10)) { $0.reaches(6) })
            let pictures = { log.paths.filter { $0.hasPrefix("/picture") && $0.hasSuffix(".ts") }.count }
            let before = pictures()
            #expect(await recorder.event(within: .seconds(10)) { $0.reaches(9) })
            #expect(pictures() == before)
            let gone = frames.count
            let start = ContinuousClock.now
            lifecycle.leaveBackground()
            #expect(await eventually { frames.count > gone })
            #expect(await eventually { frames.count > gone + 30 })
            #expect(recorder.states == [.load, .ready, .play])
        }
    }

    private final class CountingSink: VideoFrameSink {
        private let frames = Mutex(0)
        var count: Int { frames.withLock(\.self) }
        func receive(_ frame: VideoFrame) { frames.withLock { $0 += 1 } }
    }
#endif
