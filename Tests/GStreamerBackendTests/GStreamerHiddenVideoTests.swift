#if GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import Synchronization
import TestDecoder
import TestSupport
import Testing

extension GStreamerDecoderTests {
    /// Video that nobody sees, played by a decoder that counts. It has one key frame, so the decoder needs all buffers before a frame.
    @MainActor
    @Suite struct HiddenVideo {
        private let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        private let recorder: EventRecorder
        private let frames = ClockSink()

        init() {
            test_decoder_register()
            test_decoder_fail(0)
            recorder = EventRecorder(player)
            player.videoOutput = .frames(frames)
        }

        /// Plays a file or a stream for a moment.
        private func play(_ isStream: Bool) async throws -> LoopbackServer {
            let folder = try await MediaFixtures.shared.ramp(size: "176x144", isSparse: true)
            let server = try await LoopbackServer(files: folder)
            let url = isStream ? server.base.appending(path: "ramp.m3u8") : folder.appending(path: "ramp.mp4")
            player.load(PlayerItem(unlimited: url), autoPlay: true)
            #expect(await recorder.event { $0.reaches(0.5) }, "\(recorder.errors)")
            return server
        }

        /// Hides the video, and returns the number of buffers that are decoded. One more may be on its way.
        private func hide() async -> Int32 {
            let position = player.position.seconds
            player.isVideoAttached = false
            #expect(await recorder.event { $0.reaches(position + 0.5) })
            return test_decoder_count()
        }

        /// Shows the video, and returns the position of its first frame.
        private func show() async throws -> Double {
            frames.clear()
            player.isVideoAttached = true
            let isShown = await eventually { frames.times.count > 0 }
            try #require(isShown, "\(recorder.events.map(\.text))")
            return try #require(frames.times.first)
        }

        /// Seeks a paused item, and returns the position of its frame.
        private func frame(at position: Double) async throws -> Double {
            frames.clear()
            player.startSeek(to: position)
            #expect(await recorder.event { $0 == .seek(.seeked, position: position) })
            try #require(await eventually { !frames.times.isEmpty })
            return try #require(frames.times.last)
        }

        @Test(arguments: [false, true]) func itIsNotDecodedAndReturnsAtThePosition(isStream: Bool) async throws {
            let server = try await play(isStream)
            for _ in 1...2 {
                let decoded = await hide()
                let position = player.position.seconds + 1
                #expect(await recorder.event { $0.reaches(position) })
                #expect(test_decoder_count() <= decoded + 1)
                #expect(try await show() > position - 0.2)
                #expect(test_decoder_count() > decoded + 25, "the buffers since the key frame are decoded")
            }
            #expect(recorder.statesWithoutStalls == [.load, .ready, .play])
            withExtendedLifetime(server) {}
        }

        @Test(arguments: [false, true]) func aSeekDecodesNothing(isStream: Bool) async throws {
            let server = try await play(isStream)
            let decoded = await hide()
            player.startSeek(to: 10)
            #expect(await recorder.event { $0 == .seek(.seeked, position: 10) })
            #expect(await recorder.event { $0.reaches(10.5) })
            #expect(test_decoder_count() <= decoded + 1)
            #expect(try await show() > 10.3)
            withExtendedLifetime(server) {}
        }

        @Test(arguments: [false, true]) func theItemEnds(isStream: Bool) async throws {
            let server = try await play(isStream)
            let decoded = await hide()
            player.startSeek(to: 15)
            #expect(await recorder.reaches(.complete), "\(recorder.errors)")
            #expect(test_decoder_count() <= decoded + 1)
            withExtendedLifetime(server) {}
        }

        /// The pipeline may have paused before the engine knows.
        @Test(arguments: [false, true]) func itReturnsWhilePlaybackPauses(isStream: Bool) async throws {
            let server = try await play(isStream)
            for _ in 1...3 {
                _ = await hide()
                player.pause()
                let shown = try await show()
                #expect(await recorder.reaches(.pause))
                // A seek to the same position would send no frame, because the output has it.
                #expect(abs(try await frame(at: player.position.seconds - 0.05) - shown) < 0.2)
                player.play()
            }
            withExtendedLifetime(server) {}
        }

        @Test(arguments: [false, true]) func aPausedItemShowsThePositionOfItsSeek(isStream: Bool) async throws {
            let server = try await play(isStream)
            player.pause()
            #expect(await recorder.reaches(.pause))
            let expected = try await frame(at: 10)
            #expect(try await frame(at: 5) < expected)
            player.isVideoAttached = false
            player.startSeek(to: 10)
            #expect(await recorder.event { $0 == .seek(.seeked, position: 10) })
            #expect(try await show() == expected)
            withExtendedLifetime(server) {}
        }
    }
}

/// Reads the positions of the frames of a ramp from their brightness, in seconds.
private final class ClockSink: VideoFrameSink {
    private let received = Mutex<[Double]>([])

    var times: [Double] { received.withLock(\.self) }

    func clear() { received.withLock { $0 = [] } }

    func receive(_ frame: VideoFrame) {
        guard let pixel = frame.pixel(x: 88, y: 72) else { return }
        // Black is the luma 16 and white 235. The ramp starts at 20, and a second adds 12.
        let luma = 16 + Double(pixel.green) * 219 / 255
        received.withLock { $0.append((luma - 20) / 12) }
    }
}
#endif
