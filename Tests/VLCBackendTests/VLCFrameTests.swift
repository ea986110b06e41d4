#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import TestSupport
import Testing
import VLCBackend

/// The size, the proportions and the memory of frames.
@MainActor
@Suite struct VLCFrameTests {
    private let sink = FrameRecorder()

    private func player() -> (MediaPlayer, EventRecorder) {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        player.videoOutput = .frames(sink)
        return (player, EventRecorder(player))
    }

    @Test(arguments: [
        ("16/11", "mp4", 1024, 576), ("16/11", "mkv", 1024, 576),
        ("8/9", "mp4", 704, 648), ("1/1", "mp4", 704, 576),
    ])
    func framesHaveSquarePixels(ratio: String, format: String, width: Int, height: Int) async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.oblong(pixels: ratio, format), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        let size = VideoSize(width: width, height: height)
        #expect(player.snapshot.videoSize == size)
        #expect(player.snapshot.tracks?.video.first.map { VideoSize(width: $0.width, height: $0.height) } == size)
        #expect(sink.sizes == [size])
    }

    @Test func framesAreUpright() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.rotated(), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(player.snapshot.videoSize == VideoSize(width: 180, height: 320))
        #expect(sink.sizes == [VideoSize(width: 180, height: 320)])
        let frame = try #require(sink.frames.first)
        #expect(try #require(frame.pixel(x: 90, y: 20)).blue > 200)
        #expect(try #require(frame.pixel(x: 90, y: 300)).red > 200)
    }

    @Test func aKeptFrameDoesNotChange() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true)
        #expect(await eventually { sink.records.count > 20 })
        player.stop()
        #expect(await recorder.reaches(.idle))
        // The last frame may arrive after the end.
        let records = sink.records
        let frames = records.map(\.frame)
        #expect(Set(frames.map(\.storage.bytes.baseAddress)).count == frames.count)
        // Each frame of the clip differs, so none has been overwritten by another.
        #expect(Set(frames.map(\.data)).count > frames.count / 2)
        #expect(frames.map(\.data) == records.map(\.copy))
    }

    @Test func framesFitIntoTheLimitOfTheSink() async throws {
        let (player, recorder) = player()
        sink.limit = VideoSize(width: 100, height: 100)
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true)
        try #require(await recorder.reaches(.play))
        #expect(await eventually { sink.sizes == [VideoSize(width: 100, height: 56)] })
        sink.limit = VideoSize(width: 1000, height: 90)
        player.videoOutput = .frames(sink)
        #expect(await eventually { sink.frames.last?.size == VideoSize(width: 160, height: 90) })
        player.pause()
        try #require(await recorder.reaches(.pause))
        sink.limit = nil
        player.videoOutput = .frames(sink)
        #expect(player.position.seconds > 0 && sink.frames.last?.size == VideoSize(width: 160, height: 90))
        player.play()
        #expect(await eventually { sink.frames.last?.size == VideoSize(width: 320, height: 180) })
        #expect(player.snapshot.videoSize == VideoSize(width: 320, height: 180))
        #expect(sink.sizes.count == 3 && recorder.errors.isEmpty)
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .pause, .play])
    }
}

/// The frames of a paused player.
@MainActor
@Suite struct VLCPausedFrameTests {
    private let sink = FrameRecorder()

    private func player() -> (MediaPlayer, EventRecorder) {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        player.videoOutput = .frames(sink)
        return (player, EventRecorder(player))
    }

    @Test(arguments: [0.0, 5.2])
    func aLoadedPlayerShowsTheFrameOfItsStart(position: Double) async throws {
        let (player, recorder) = player()
        let ramp = try await MediaFixtures.shared.ramp().appending(path: "ramp.mp4")
        player.load(ramp, startPosition: position)
        try #require(await recorder.reaches(.ready))
        // The ramp's luma of 16 is the level 0, and 235 is 255.
        let expected = (20 + position * 12 - 16) * 255 / 219
        // libVLC may draw a later frame before that of the start.
        let isShown = await eventually {
            sink.frames.last?.pixel(x: 32, y: 32).map { abs(Double($0.green) - expected) < 5 } ?? false
        }
        #expect(isShown)
        #expect(abs(player.position.seconds - position) < 0.05)
        #expect(recorder.states == [.load, .ready])
        #expect(recorder.errors.isEmpty)
    }

    @Test func aPausedFrameIsDeliveredOnce() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true)
        try #require(await recorder.reaches(.play))
        #expect(await eventually { sink.frames.count > 3 })
        player.pause()
        try #require(await recorder.reaches(.pause))
        try await engineSettles()
        let count = sink.frames.count
        // libVLC draws a paused frame about 15 times a second.
        try await engineSettles()
        #expect(sink.frames.count == count)
        #expect(await player.seek(to: 20))
        #expect(await eventually { sink.frames.count > count })
        player.play()
        #expect(await eventually { sink.frames.count > count + 5 })
    }

    @Test func itemsThatPlayAtOnceNeedNoSeek() async throws {
        let url = try await MediaFixtures.shared.long(seconds: 2)
        for _ in 1...20 {
            let (player, recorder) = player()
            player.load(url)
            try #require(await recorder.reaches(.ready))
            player.play()
            #expect(await recorder.reaches(.complete))
            #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .complete] && recorder.errors.isEmpty)
        }
    }

    /// Waits until the engine of another player has paused and played for a second.
    private func engineSettles() async throws {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.load(try await MediaFixtures.shared.file("flac"), autoPlay: true)
        #expect(await recorder.reaches(.complete))
    }
}

/// Keeps all frames, and a copy of each one's pixels on arrival.
final class FrameRecorder: VideoFrameSink {
    private let state = Mutex((records: [(frame: VideoFrame, copy: Data)](), limit: VideoSize?.none))

    var records: [(frame: VideoFrame, copy: Data)] { state.withLock(\.records) }
    var frames: [VideoFrame] { records.map(\.frame) }
    var sizes: Set<VideoSize> { Set(frames.map(\.size)) }

    var limit: VideoSize? {
        get { state.withLock(\.limit) }
        set { state.withLock { $0.limit = newValue } }
    }

    var maximumFrameSize: VideoSize? { limit }

    func receive(_ frame: VideoFrame) { state.withLock { $0.records.append((frame, frame.data)) } }
}

extension VideoFrame {
    fileprivate var size: VideoSize { VideoSize(width: width, height: height) }
    fileprivate var data: Data { withUnsafeBytes { Data($0) } }
}
#endif
