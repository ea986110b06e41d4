#if VLC || GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// The engines' own windows, on a real X server.
@MainActor
@Suite(.serialized) struct EngineWindowTests {
    private let sink = CountingSink()

    private func red(_ size: String = "640x480") async throws -> URL {
        try await MediaFixtures.shared.solid(colour: "red", size: size, duration: 60)
    }

    @Test(arguments: RealEngine.allCases) func theVideoIsVisible(engine: RealEngine) async throws {
        try await onScreen { screen in
            let player = engine.makePlayer()
            let recorder = EventRecorder(player)
            player.videoOutput = .window
            player.load(try await red(), autoPlay: true)
            #expect(await recorder.reaches(.play))
            #expect(try await screen.isRed(true))
            player.stop()
            #expect(try await screen.isRed(false))
            #expect(recorder.notices.isEmpty)
        }
    }

    @Test(arguments: RealEngine.allCases) func outputsFollowEachOtherDuringPlayback(engine: RealEngine) async throws {
        try await onScreen { screen in
            let player = engine.makePlayer()
            let recorder = EventRecorder(player)
            player.load(try await red(), autoPlay: true)
            try #require(await recorder.reaches(.play))
            for _ in 1...2 {
                player.videoOutput = .window
                #expect(try await screen.isRed(true))
                #expect(await framesCome { player.videoOutput = .frames(sink) })
                #expect(try await screen.isRed(false))
                player.videoOutput = .window
                #expect(try await screen.isRed(true))
                player.videoOutput = .none
                #expect(try await screen.isRed(false))
                #expect(await framesCome { player.videoOutput = .frames(sink) })
                player.videoOutput = .none
            }
            #expect(recorder.statesWithoutStalls == [.load, .ready, .play] && recorder.errors.isEmpty)
            player.pause()
            try #require(await recorder.reaches(.pause))
            player.videoOutput = .window
            #expect(try await screen.isRed(true))
            #expect(await framesCome { player.videoOutput = .frames(sink) })
        }
    }

    /// Changes something, and waits for a frame after that. A paused item sends only one.
    private func framesCome(after change: () -> Void) async -> Bool {
        let before = sink.count
        change()
        return await eventually { sink.count > before }
    }

    @Test(arguments: RealEngine.allCases, ["", ":9999"])
    func missingDevicesAreReportedOnceAndPlaybackRuns(engine: RealEngine, display: String) async throws {
        let devices = await TestDevices.acquire(audio: "unix:/no/such/socket", display: display)
        defer { devices.release() }
        let player = MediaPlayer(backend: engine.makeBackend(audio: .pulse))
        let recorder = EventRecorder(player)
        player.videoOutput = .window
        let url = try await MediaFixtures.shared.file("mp4")
        for _ in 1...2 {
            player.load(url, autoPlay: true)
            #expect(await recorder.event { $0 == .state(.complete) })
        }
        #expect(recorder.notices.map(\.code).sorted() == ["noAudioDevice", "noDisplay"])
    }

    #if GStreamer
    @Test func aLoadedItemShowsItsFrameInEachOutput() async throws {
        try await onScreen { screen in
            let player = RealEngine.gStreamer.makePlayer()
            player.videoOutput = .window
            player.load(try await red())
            #expect(try await screen.isRed(true))
            #expect(await framesCome { player.videoOutput = .frames(sink) })
            player.videoOutput = .window
            #expect(try await screen.isRed(true))
        }
    }

    /// libVLC closes the window between two items.
    @Test func theItemsOfAQueueShareAWindow() async throws {
        try await onScreen { screen in
            let item = PlayerItem(url: try await red())
            let player = QueuePlayer(items: [item, item], backend: RealEngine.gStreamer.makeBackend())
            player.videoOutput = .window
            player.play()
            #expect(try await screen.isRed(true))
            let window = try await screen.windows()
            player.jump(to: 1)
            let recorder = EventRecorder(player)
            #expect(await recorder.event { $0.reaches(1) })
            #expect(try await screen.windows() == window)
        }
    }

    @Test func aWindowThatTheUserClosesStaysClosedUntilTheNextItem() async throws {
        try await onScreen { screen in
            let manager = try await screen.startWindowManager()
            defer { manager.signal(SIGKILL) }
            let player = RealEngine.gStreamer.makePlayer()
            let recorder = EventRecorder(player)
            player.videoOutput = .window
            player.load(try await red(), autoPlay: true)
            #expect(try await screen.isRed(true))
            try await screen.closeActiveWindow()
            #expect(try await screen.isRed(false))
            let position = player.position.seconds
            #expect(await recorder.event { $0.reaches(position + 1) })
            #expect(recorder.statesWithoutStalls == [.load, .ready, .play])
            player.load(try await red(), autoPlay: true)
            #expect(try await screen.isRed(true))
        }
    }
    #endif
}

/// The audio while the engine's own window is hidden and shown.
@MainActor
@Suite(.serialized) struct EngineWindowAudioTests {
    enum Source: CaseIterable { case file, streamWithSeparateAudio }

    private func plays(_ player: MediaPlayer) async -> Bool {
        let start = player.position.seconds
        return await eventually { player.position.seconds >= start + 0.5 }
    }

    @Test(arguments: RealEngine.allCases, Source.allCases)
    func theAudioNeverStops(engine: RealEngine, source: Source) async throws {
        let server = try await TestAudioServer()
        try await onScreen(audio: server.address) { screen in
            let stream = try await MediaFixtures.shared.separate(seconds: 60)
            let http = try await LoopbackServer(files: stream.deletingLastPathComponent())
            let url =
                source == .file
                ? try await MediaFixtures.shared.long(seconds: 60) : http.base.appending(path: stream.lastPathComponent)
            let player = MediaPlayer(backend: engine.makeBackend(audio: .pulse))
            let lifecycle = ApplicationLifecycle(notificationCenter: NotificationCenter())
            let view = FlowplayerView(
                avPlayer: player, lifecycle: lifecycle, notificationCenter: NotificationCenter())
            view.videoOutput = .window
            view.backgroundPolicy = .continueAudio
            player.load(PlayerItem(unlimited: url), autoPlay: true)
            #expect(try await screen.showsVideo(true))
            let streams = try await server.countStreams()
            let samples = try await server.recording {
                for _ in 1...5 {
                    lifecycle.enterBackground(.hidden)
                    let isHidden = try await screen.showsVideo(false)
                    #expect(isHidden)
                    #expect(await plays(player))
                    lifecycle.leaveBackground()
                    let isBack = try await screen.showsVideo(true)
                    #expect(isBack)
                    #expect(await plays(player))
                }
            }
            // A gap would need a new stream. Counting needs one itself. The benchmark `background` measures each.
            #expect(try await server.countStreams() == streams + 1)
            #expect(ToneDetector.seconds(of: MediaFixtures.frequency, in: samples) >= 1)
        }
    }
}

/// Runs a test with a screen for the windows of an engine.
@MainActor
private func onScreen(audio: String? = nil, _ body: @MainActor (VirtualScreen) async throws -> Void) async throws {
    let screen = try await VirtualScreen()
    let devices = await TestDevices.acquire(audio: audio, display: screen.display)
    defer { devices.release() }
    try await body(screen)
}

extension VirtualScreen {
    /// Waits until the middle of the screen is red, or not. Without a window it is black.
    fileprivate func isRed(_ isExpected: Bool) async throws -> Bool {
        try await eventually {
            let pixel = try pixel(x: 320, y: 240)
            return (pixel[0] > 200 && pixel[1] < 40 && pixel[2] < 40) == isExpected
        }
    }

    fileprivate func startWindowManager() async throws -> RunningCommand {
        var command = Command("openbox", ["--sm-disable"])
        command.environment["DISPLAY"] = display
        let manager = try await command.start()
        #expect(
            try await eventually {
                try await run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").output.contains("window id")
            })
        return manager
    }

    /// Lets the window manager close the active window, as if a user clicked on its cross.
    fileprivate func closeActiveWindow() async throws {
        #expect(try await eventually { try await run("xdotool", "getactivewindow").status == 0 })
        #expect(try await run("wmctrl", "-c", ":ACTIVE:").status == 0)
    }

    /// The numbers of the visible windows.
    fileprivate func windows() async throws -> String {
        try await run("xdotool", "search", "--onlyvisible", "--name", ".*").output
    }

    private func run(_ program: String, _ arguments: String...) async throws -> Command.Result {
        var command = Command(program, arguments)
        command.environment["DISPLAY"] = display
        return try await command.run()
    }

    /// Waits until there is video on the screen, or none.
    fileprivate func showsVideo(_ isExpected: Bool) async throws -> Bool {
        try await eventually {
            let row = try pixels(x: 0, y: 90, width: 320, height: 2)
            return row.contains { $0.contains { $0 > 100 } } == isExpected
        }
    }
}

private final class CountingSink: VideoFrameSink {
    private let frames = Mutex(0)

    var count: Int { frames.withLock(\.self) }

    func receive(_ frame: VideoFrame) { frames.withLock { $0 += 1 } }
}
#endif
