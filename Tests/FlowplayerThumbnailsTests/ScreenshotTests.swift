#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import TestSupport
import Testing

/// Screenshots of real media, and their files.
@MainActor
@Suite struct ScreenshotTests {
    private func player() -> (MediaPlayer, EventRecorder) {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        return (player, EventRecorder(player))
    }

    @Test func aScreenshotIsTheLastFrameOfTheSink() async throws {
        let (player, recorder) = player()
        let sink = LastFrame()
        player.videoOutput = .frames(sink)
        player.load(try await MediaFixtures.shared.ramp().appending(path: "ramp.mp4"), autoPlay: true)
        try #require(await recorder.reaches(.play))
        try #require(await eventually { sink.frame != nil })
        player.pause()
        try #require(await recorder.reaches(.pause))
        let view = FlowplayerView(avPlayer: player)
        // libVLC may draw one more frame after the pause.
        let isLast = try await eventually {
            let position = try #require(try await view.screenshot().rampPosition)
            return position == sink.frame?.rampPosition
        }
        #expect(isLast)
        player.load(try await MediaFixtures.shared.solid(colour: "red"))
        try #require(await eventually { sink.frame?.width == 320 })
        #expect(try await view.screenshot().width == 320, "it is a frame of the new item")
    }

    @Test(arguments: [true, false])
    func aPlayerWithoutFramesIsReadByASecondOne(plays: Bool) async throws {
        let (player, recorder) = player()
        let url = try await MediaFixtures.shared.ramp().appending(path: "ramp.mp4")
        player.load(url, autoPlay: plays, startPosition: 5.2)
        try #require(await recorder.reaches(plays ? .play : .ready))
        let before = player.position.seconds
        let position = try #require(try await player.screenshot().rampPosition)
        #expect((before - 0.4...player.position.seconds + 0.4).contains(position))
        #expect(recorder.statesWithoutStalls == (plays ? [.load, .ready, .play] : [.load, .ready]))
    }

    @Test func withoutVideoThereIsNoScreenshot() async throws {
        let (player, recorder) = player()
        await #expect(throws: ImageError.noVideo) { try await player.screenshot() }
        player.load(try await MediaFixtures.shared.file("flac"))
        try #require(await recorder.reaches(.ready))
        await #expect(throws: ImageError.noVideo) { try await player.screenshot() }
        await #expect(throws: ImageError.noVideo) { try await FlowplayerManager().screenshot() }
    }

    @Test func imagesHaveTheColoursOfTheFrame() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.rotated())
        try #require(await recorder.reaches(.ready))
        let frame = try await player.screenshot()
        let small = try frame.jpegData(compressionQuality: 0)
        let fine = try frame.jpegData(compressionQuality: 1)
        #expect(small.count < fine.count)
        for (name, data) in [("shot.png", try frame.pngData()), ("shot.jpg", fine)] {
            let file = try await MediaFixtures.shared.bytes(name, data)
            let raw = file.appendingPathExtension("raw")
            let command = ["-v", "error", "-y", "-i", file.path(), "-f", "rawvideo", "-pix_fmt", "bgra", raw.path()]
            #expect(try await Command("ffmpeg", command).run().status == 0)
            let pixels = try Data(contentsOf: raw)
            #expect(pixels.count == 180 * 320 * 4, "\(name)")
            for (x, y) in [(20, 20), (90, 100), (150, 300)] {
                let expected = try #require(frame.pixel(x: x, y: y))
                let start = (y * 180 + x) * 4
                let values = zip(pixels[start..<start + 3], [expected.blue, expected.green, expected.red])
                #expect(values.allSatisfy { abs(Int($0) - Int($1)) < 12 }, "\(name) at \(x), \(y)")
            }
        }
    }
}

private final class LastFrame: VideoFrameSink {
    private let last = Mutex<VideoFrame?>(nil)
    var frame: VideoFrame? { last.withLock(\.self) }
    func receive(_ frame: VideoFrame) { last.withLock { $0 = frame } }
}

extension VideoFrame {
    /// The position in `MediaFixtures.ramp` that has the brightness of this frame, in seconds.
    var rampPosition: Double? {
        pixel(x: width / 2, y: height / 2).map { (Double($0.green) * 219 / 255 + 16 - 20) / 12 }
    }
}
#endif
