#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// Real media through real libVLC.
@MainActor
@Suite struct VLCPlaybackTests {
    nonisolated static let formats = ["mp4", "mkv", "webm", "ts", "mp3", "flac", "ogg", "wav"]

    private func player(_ output: VideoOutput = .none, audio: AudioOutput = .none) -> (MediaPlayer, EventRecorder) {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: audio))
        player.videoOutput = output
        return (player, EventRecorder(player))
    }

    private func playsAsItShould(_ url: URL) async {
        let (player, recorder) = player()
        let clock = ContinuousClock()
        let start = clock.now
        player.load(PlayerItem(unlimited: url), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(clock.now - start > .seconds(MediaFixtures.duration - 0.2), "playback outran the clock")
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .complete], "\(recorder.errors)")
        let duration = player.duration?.seconds ?? 0
        #expect(abs(duration - MediaFixtures.duration) < 0.1)
        #expect(abs(player.position.seconds - duration) < 0.1)
        #expect(recorder.positions == recorder.positions.sorted())
        // The states follow the last position, and nothing follows them.
        #expect(recorder.events.suffix(2) == [.state(.complete), .playbackState(.ended)])
        #expect(recorder.positions.last == duration)
        let count = recorder.events.count
        player.pause()
        #expect(!(await recorder.event(within: .milliseconds(300)) { _ in true }), "something followed the end")
        #expect(recorder.events.count == count)
    }

    @Test(arguments: formats)
    func everyFormatPlaysToItsEnd(format: String) async throws {
        await playsAsItShould(try await MediaFixtures.shared.file(format))
    }

    @Test func hlsPlaysToItsEnd() async throws {
        _ = try await MediaFixtures.shared.file("m3u8")
        let server = try await LoopbackServer(files: MediaFixtures.shared.directory)
        await playsAsItShould(server.base.appending(path: "hls/clip.m3u8"))
    }

    @Test func aVideoWithoutAudioKeepsTime() async throws {
        await playsAsItShould(try await MediaFixtures.shared.silent())
    }

    @Test func aWrongDurationIsNoFailure() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.misleadingMP3(), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.errors.isEmpty)
        #expect(player.position.seconds < 6)
    }

    // MARK: Commands

    @Test func anItemWaitsForPlayAndPausesAtItsPosition() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.long(seconds: 120))
        #expect(await recorder.reaches(.ready))
        #expect(player.snapshot.tracks?.audio.count == 1)
        #expect(player.snapshot.tracks?.video.first.map { [$0.width, $0.height] } == [320, 180])
        #expect(player.position == .zero)
        player.play()
        #expect(await recorder.event { $0.reaches(0.2) })
        player.pause()
        #expect(player.snapshot.state == .pause)
        let position = player.position.seconds
        // The engine may report once more where it paused. Playback would move on by two seconds.
        #expect(!(await recorder.event(within: .seconds(2)) { $0.reaches(position + 1) }))
        player.play()
        player.startSeek(to: 119)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .pause, .play, .complete])
    }

    @Test func theLastOfPlayAndPauseCounts() async throws {
        let url = try await MediaFixtures.shared.file("mp4")
        let (played, playedEvents) = player()
        played.load(url)
        for _ in 1...5 {
            played.pause()
            played.play()
        }
        #expect(await playedEvents.reaches(.complete))
        #expect(playedEvents.statesWithoutStalls == [.load, .ready, .play, .complete])
        let (paused, pausedEvents) = player()
        paused.load(url, autoPlay: true)
        for _ in 1...5 {
            paused.play()
            paused.pause()
        }
        #expect(await pausedEvents.reaches(.ready))
        let hasNextState = await pausedEvents.event(within: .milliseconds(500)) {
            if case .state = $0 { true } else { false }
        }
        #expect(!hasNextState)
        #expect(pausedEvents.states == [.load, .ready])
    }

    @Test(arguments: ["mp4", "mkv", "mp3", "flac"])
    func aSeekEndsAtItsTarget(format: String) async throws {
        let (player, recorder) = player()
        var before = 0
        // In the callback: on a busy machine the test may continue when the item has ended.
        let token = player.observe { [weak player] event, _ in
            guard event == .state(.play), before == 0 else { return }
            before = recorder.positions.count
            player?.startSeek(to: 1.5)
        }
        defer { token.cancel() }
        player.load(try await MediaFixtures.shared.file(format), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.events.contains(.seek(.seeked, position: 1.5)))
        #expect(recorder.positions.dropFirst(before).allSatisfy { $0 >= 1.5 }, "\(recorder.positions)")
    }

    @Test func theLastOfAHundredSeeksCounts() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true)
        #expect(await recorder.reaches(.play))
        for step in 1...99 { player.startSeek(to: Double(step % 10)) }
        player.startSeek(to: 119)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.events.count { if case .seek(.seeked, _) = $0 { true } else { false } } == 1)
        let last = try #require(recorder.events.lastIndex(of: .seek(.seeked, position: 119)))
        for case .position(let position) in recorder.events[last...] { #expect(position >= 119) }
    }

    @Test func aSeekWhilePausedMovesThePosition() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.file("mp4"))
        #expect(await recorder.reaches(.ready))
        player.startSeek(to: 1)
        #expect(await recorder.event { $0 == .seek(.seeked, position: 1) })
        #expect(player.snapshot.state == .ready)
        player.play()
        #expect(await recorder.reaches(.complete))
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .complete])
    }

    @Test func aSeekPastTheEndEnds() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true)
        #expect(await recorder.reaches(.play))
        player.startSeek(to: 500)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .complete])
    }

    @Test func anItemStartsAtItsStartPosition() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.long(seconds: 12), autoPlay: true, startPosition: 10.5)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.positions.allSatisfy { $0 >= 10.5 } && !recorder.positions.isEmpty, "\(recorder.positions)")
    }

    @Test func playAfterTheEndStartsFromTheBeginning() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.file("wav"), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        player.play()
        #expect(await recorder.event { $0 == .state(.complete) })
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .complete, .load, .ready, .play, .complete])
    }

    @Test func aReplacedItemSendsNoMoreEvents() async throws {
        let (player, recorder) = player()
        let last = try await MediaFixtures.shared.file("wav")
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true)
        #expect(await recorder.reaches(.play))
        for _ in 1...5 { player.load(URL(filePath: "/no/such/file.mp4"), autoPlay: true) }
        player.load(last, autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .load, .ready, .play, .complete])
        #expect(recorder.errors.isEmpty)
    }

    @Test func playersAreReleasedWhileTheyLoad() async throws {
        let url = try await MediaFixtures.shared.file("mp4")
        let isLong = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] != nil
        for _ in 1...(isLong ? 1000 : 30) {
            let (player, _) = player()
            player.load(url, autoPlay: true)
        }
        await playsAsItShould(url)
    }

    // MARK: Video and audio

    @Test func aFrameHasTheColourAndSizeOfTheVideo() async throws {
        let sink = FrameCatcher()
        let (player, recorder) = player(.frames(sink))
        player.load(try await MediaFixtures.shared.solid(colour: "red"), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        let frame = try #require(sink.frames.last)
        #expect(frame.width == 320)
        #expect(frame.height == 180)
        for (x, y) in [(0, 0), (160, 90), (319, 179)] {
            let pixel = try #require(frame.pixel(x: x, y: y))
            #expect(pixel.red > 240 && pixel.green < 16 && pixel.blue < 16, "\(pixel)")
        }
        #expect(frame.pixel(x: 320, y: 0) == nil)
    }

    @Test(arguments: ["mp4", "mkv", "webm", "ts"])
    func framesHaveTheVisibleSize(format: String) async throws {
        let sink = FrameCatcher()
        let (player, recorder) = player(.frames(sink))
        player.load(try await MediaFixtures.shared.file(format), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(Set(sink.frames.map { "\($0.width)x\($0.height)" }) == ["320x180"])
    }
}

/// Keeps what it is shown.
// Unchecked: guarded by `lock`.
final class FrameCatcher: VideoFrameSink, @unchecked Sendable {
    private let lock = NSLock()
    private var caught: [VideoFrame] = []

    var frames: [VideoFrame] { lock.withLock { caught } }

    func receive(_ frame: VideoFrame) { lock.withLock { caught.append(frame) } }
}
#endif
