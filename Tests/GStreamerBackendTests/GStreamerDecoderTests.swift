#if GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import TestDecoder
import TestSupport
import Testing

@testable import GStreamerBackend

/// Hardware decoders, played by a decoder that claims to be one, and fails or hangs on request.
@MainActor
@Suite(.serialized) struct GStreamerDecoderTests {
    private let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
    private let recorder: EventRecorder
    private let frames = FrameCounter()

    init() {
        test_decoder_register()
        recorder = EventRecorder(player)
        player.videoOutput = .frames(frames)
    }

    /// The size of video that the test's decoder takes.
    private func clip(seconds: Double = 4) async throws -> URL {
        try await MediaFixtures.shared.solid(colour: "red", size: "176x144", duration: seconds)
    }

    private var failures: [String] { recorder.notices.filter { $0.code == "decoderFailed" }.map(\.message) }

    @Test func theDecoderOfTheHighestRankIsUsed() async throws {
        test_decoder_fail(0)
        player.load(try await clip(), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(player.snapshot.statistics.videoDecoder == "flowplayertestdec")
        #expect(failures.isEmpty)
    }

    /// As those of VA, which GStreamer 1.22 does not choose itself.
    @Test func aDecoderWithoutARankIsChosenIfItIsAllowed() async throws {
        test_decoder_fail(0)
        test_decoder_register_unranked("flowplayertest")
        let clip = try await MediaFixtures.shared.solid(colour: "red", size: "192x144", duration: 1)
        player.load(clip, autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(player.snapshot.statistics.videoDecoder == "avdec_h264")
        #expect(GStreamerPlugins.areLoaded)
        GStreamerPlugins.allowDecoders(of: "flowplayertest")
        player.load(clip, autoPlay: true)
        #expect(await eventually { player.snapshot.statistics.videoDecoder == "flowplayerunrankeddec" })
        player.stop()
    }

    /// One fails when it starts, one when the item opens, and one in the middle of the item.
    @Test(arguments: [-1, 1, 60]) func anotherDecoderReplacesOneThatFails(buffers: Int) async throws {
        test_decoder_fail(Int32(buffers))
        player.load(try await clip(), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        #expect(player.snapshot.statistics.videoDecoder == "avdec_h264")
        #expect(failures.count == 1 && failures.first?.contains("flowplayertestdec") == true, "\(failures)")
        #expect(recorder.positions == recorder.positions.sorted())
        #expect(frames.count > 60, "\(frames.count)")
    }

    /// The audio ends where the queue of the video is full.
    @Test func aDecoderThatHangsEndsItsItem() async throws {
        test_decoder_fail(0)
        test_decoder_hang(30)
        defer { test_decoder_hang(0) }
        var item = PlayerItem(url: try await MediaFixtures.shared.noise(size: "176x144"))
        item.retryPolicy.stallTimeout = 2
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.failure), "\(recorder.states)")
        #expect(recorder.errors.map(\.code) == [.engineStuck])
        #expect(recorder.states.count { $0 == .ready } == 1)
    }

    /// On a busy machine, a file that opens is only slow.
    @Test func aFileThatDoesNotOpenFailsOnceNoThreadWorks() async throws {
        test_decoder_fail(0)
        test_decoder_hang(1)
        defer { test_decoder_hang(0) }
        var item = PlayerItem(url: try await MediaFixtures.shared.noise(size: "176x144"))
        item.retryPolicy.openTimeout = 0.5
        let thread = WorkingThread()
        thread.work(for: .seconds(3))
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.failure), "\(recorder.states)")
        #expect(thread.isOver)
        #expect(recorder.errors.map(\.code) == [.unrecognisedFormat])
    }
}

private final class WorkingThread: Sendable {
    private let end = Atomic(false)
    var isOver: Bool { end.load(ordering: .relaxed) }

    func work(for duration: Duration) {
        Thread.detachNewThread { [self] in
            let start = ContinuousClock.now
            while ContinuousClock.now - start < duration {}
            end.store(true, ordering: .relaxed)
        }
    }
}

final class FrameCounter: VideoFrameSink {
    private let frames = Mutex(0)
    var count: Int { frames.withLock(\.self) }
    func receive(_ frame: VideoFrame) { frames.withLock { $0 += 1 } }
}
#endif
