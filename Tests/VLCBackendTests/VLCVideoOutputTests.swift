#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing
import VLCBackend

/// A video output that a player is given while it has an item.
@MainActor
@Suite struct VLCVideoOutputTests {
    /// The ways in which a host gives a player its output.
    enum Way: CaseIterable {
        case output, layer, laterLayer, view, attachedToView

        /// - Returns: the object that shows the player and has to live on, if there is one.
        @MainActor func show(_ player: MediaPlayer, in sink: any VideoFrameSink) -> AnyObject? {
            switch self {
            case .output:
                player.videoOutput = .frames(sink)
                return nil
            case .layer: return PlayerLayer(player: player, videoOutput: .frames(sink))
            case .laterLayer:
                let layer = PlayerLayer(videoOutput: .frames(sink))
                layer.player = player
                return layer
            case .view:
                let view = FlowplayerView(avPlayer: player)
                view.videoOutput = .frames(sink)
                return view
            case .attachedToView:
                let view = FlowplayerView()
                view.videoOutput = .frames(sink)
                view.avPlayer = player
                return view
            }
        }
    }

    private let sink = CountingSink()

    private func player() -> (MediaPlayer, EventRecorder) {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        return (player, EventRecorder(player))
    }

    /// Changes something, and waits for frames after that. A paused item sends only one.
    private func framesCome(
        to sink: CountingSink, _ count: Int = 1, after change: @MainActor () -> Void = {}
    ) async -> Bool {
        let before = sink.count
        change()
        return await eventually { sink.count >= before + count }
    }

    @Test(arguments: Way.allCases, [true, false])
    func aLoadedPlayerShowsItsVideo(way: Way, plays: Bool) async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: plays)
        try #require(await recorder.reaches(plays ? .play : .ready))
        let states = recorder.statesWithoutStalls
        var shown: AnyObject?
        defer { withExtendedLifetime(shown) {} }
        #expect(await framesCome(to: sink) { shown = way.show(player, in: sink) })
        #expect(recorder.statesWithoutStalls == states)
        #expect(recorder.errors.isEmpty && !recorder.notices.contains { $0.code == "videoLate" })
        guard !plays else { return }
        #expect(await framesCome(to: sink, 5) { player.play() })
        // The frames do not wait for the main actor, which reports the state.
        #expect(await recorder.reaches(.play))
    }

    /// Pauses a player. Its engine pauses a moment after the state changes, and may report one more position.
    private func pausedPosition(_ player: MediaPlayer, _ recorder: EventRecorder) async throws -> Double {
        player.pause()
        try #require(await recorder.reaches(.pause))
        _ = await recorder.event(within: .seconds(1)) { $0.reaches(0) }
        return player.position.seconds
    }

    @Test func anotherSinkOfAPausedPlayerReceivesTheFrame() async throws {
        let (player, recorder) = player()
        player.videoOutput = .frames(sink)
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true)
        try #require(await recorder.reaches(.play))
        try #require(await framesCome(to: sink))
        let position = try await pausedPosition(player, recorder)
        let other = CountingSink()
        player.videoOutput = .frames(other)
        #expect(await eventually { other.count > 0 })
        #expect(abs(player.position.seconds - position) < 0.1 && player.snapshot.state == .pause)
    }

    @Test(arguments: ["mp4", "ts", "mkv"])
    func aPausedItemThatHadNoOutputShowsItsVideo(format: String) async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.long(seconds: 120, format), autoPlay: true)
        try #require(await recorder.event { $0.reaches(1) })
        let position = try await pausedPosition(player, recorder)
        #expect(await framesCome(to: sink) { player.videoOutput = .frames(sink) })
        #expect(abs(player.position.seconds - position) < 0.1 && player.snapshot.state == .pause)
    }

    @Test func aVideoAloneShowsItself() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.silent(seconds: 120), autoPlay: true)
        try #require(await recorder.reaches(.play))
        player.videoOutput = .frames(sink)
        #expect(await eventually { sink.count > 0 })
        player.startSeek(to: 119)
        #expect(await recorder.reaches(.complete))
    }

    @Test(arguments: [true, false])
    func aStreamShowsItsVideo(isJoined: Bool) async throws {
        let fixtures = MediaFixtures.shared
        let master = try await isJoined ? fixtures.joined(seconds: 40) : fixtures.separate(seconds: 40)
        let server = try await LoopbackServer(files: master.deletingLastPathComponent(), log: RequestLog())
        let (player, recorder) = player()
        player.load(PlayerItem(unlimited: server.base.appending(path: "master.m3u8")), autoPlay: true)
        try #require(await recorder.event { $0.reaches(1) })
        #expect(await framesCome(to: sink, 5) { player.videoOutput = .frames(sink) })
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play])
        // A stream with a separate audio playlist is joined again with its video, at the same position.
        if isJoined { #expect(recorder.notices.map(\.code) == ["videoLate"]) }
    }
}

/// The audio while the output changes.
@MainActor
@Suite struct VLCVideoOutputAudioTests {
    @Test func theAudioHasNoGapWhenTheOutputChanges() async throws {
        let server = try await TestAudioServer()
        let devices = await TestDevices.acquire(audio: server.address)
        defer { devices.release() }
        let sink = CountingSink()
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .pulse))
        let recorder = EventRecorder(player)
        player.load(try await MediaFixtures.shared.solid(colour: "red", duration: 60), autoPlay: true)
        #expect(await recorder.event { $0.reaches(1) })
        var gaps: [Double] = []
        for _ in 1...3 {
            let samples = try await server.recording {
                let frames = sink.count
                player.videoOutput = .frames(sink)
                #expect(await eventually { sink.count > frames })
                let start = player.position.seconds
                #expect(await recorder.event { $0.reaches(start + 1) })
            }
            #expect(ToneDetector.seconds(of: MediaFixtures.frequency, in: samples) > 0)
            gaps.append(ToneDetector.longestGap(of: MediaFixtures.frequency, in: samples))
            player.videoOutput = .none
        }
        // The player would cause a gap at each change, a busy machine hardly at all.
        #expect(gaps.min()! <= 0.1, "\(gaps) s")
    }

    @Test func theFrameOfALoadedPlayerIsDrawnInSilence() async throws {
        let server = try await TestAudioServer()
        let devices = await TestDevices.acquire(audio: server.address)
        defer { devices.release() }
        // The frame never comes, so that libVLC plays for a while.
        let url = try await MediaFixtures.shared.undecodable(withAudio: true)
        let samples = try await server.recording {
            let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .pulse))
            player.videoOutput = .frames(CountingSink())
            player.load(url)
            #expect(try await eventually { try await server.pactl("list", "sink-inputs").contains("Mute: yes") })
            // The stream waits for playback, and is muted no more.
            let isReady = try await eventually {
                let streams = try await server.pactl("list", "sink-inputs")
                return streams.contains("Corked: yes") && streams.contains("Mute: no")
            }
            #expect(isReady)
        }
        #expect(samples.allSatisfy { abs($0) < 0.001 })
    }
}

private final class CountingSink: VideoFrameSink {
    private let frames = Mutex(0)
    var count: Int { frames.withLock(\.self) }
    func receive(_ frame: VideoFrame) { frames.withLock { $0 += 1 } }
}
#endif
