import FlowplayerSDK
import FlowplayerTesting
import Foundation
import ResumePositions
import Synchronization
import TestSupport
import Testing

/// The recipes do what they describe.
@MainActor
@Suite struct RecipesTests {
    private let clock = ManualClock()
    private static let clip = URL(filePath: "/media/clip.mp4")

    private func view(_ openings: [SimulatedMedia]) -> FlowplayerView {
        let backend = SimulatedBackend(clock: clock, openings: openings)
        return FlowplayerView(avPlayer: MediaPlayer(backend: backend, clock: clock))
    }

    @Test func anItemIsPlayedAgainAndAgain() async throws {
        let view = view([SimulatedMedia()])
        let recorder = EventRecorder(try #require(view.avPlayer))
        playForEver([Self.clip], in: view)
        await clock.advance(by: .seconds(105))
        #expect(recorder.states.count { $0 == .complete } == 10)
        #expect(view.state == .play)
    }

    @Test func anItemResumesWhereItWasLeft() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = ResumeStore(folder: folder) { error in Issue.record("\(error)") }
        let first = view([SimulatedMedia(duration: 100)])
        await playFromLastPosition(Self.clip, in: first, store: store)
        await clock.advance(by: .seconds(40))
        let position = try #require(first.position?.seconds)
        first.stop()
        let second = view([SimulatedMedia(duration: 100)])
        await playFromLastPosition(Self.clip, in: second, store: store)
        await clock.advance(by: .seconds(1))
        #expect(second.position?.seconds ?? 0 >= position - 1)
    }

    @Test func anItemIsTriedAgainUntilItPlays() async throws {
        let refusal = SimulatedMedia(failure: .init(error: PlaybackError(.hostNotFound, url: nil)))
        let view = view([refusal, refusal, SimulatedMedia()])
        let recorder = EventRecorder(try #require(view.avPlayer))
        let token = retryUntilTheNetworkIsUp(view, clock: clock)
        defer { token.cancel() }
        view.autoPlay = true
        view.load(external: MediaExternal(url: Self.clip))
        for _ in 1...2 {
            await clock.advance(by: .seconds(1))
            await clock.untilSleeping()
            let failures = recorder.states.count { $0 == .failure }
            await clock.advance(by: .seconds(5))
            let loads = failures + 1
            try #require(await eventually { recorder.states.count { $0 == .load } == loads })
        }
        await clock.advance(by: .seconds(1))
        #expect(recorder.states == [.load, .failure, .load, .failure, .load, .ready, .play])
    }

    #if VLC
    @Test func aScreenshotIsAFile() async throws {
        let view = FlowplayerView(avPlayer: MediaPlayer(backend: LibVLCBackend(audioOutput: .none)))
        let file = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: file) }
        view.videoOutput = .none
        try await view.load(MediaExternal(url: try await MediaFixtures.shared.solid(colour: "red")))
        try await writeScreenshot(of: view, to: file)
        #expect(try Data(contentsOf: file).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func aStillImageIsShownWithoutPlaying() async throws {
        let view = FlowplayerView(avPlayer: MediaPlayer(backend: LibVLCBackend(audioOutput: .none)))
        let sink = Frames()
        let recorder = EventRecorder(try #require(view.avPlayer))
        showStillImage(try await MediaFixtures.shared.sprites(["red", "blue"], "png"), in: view, sink)
        #expect(await recorder.reaches(.ready))
        #expect(await eventually { sink.count > 0 })
        #expect(recorder.states == [.load, .ready])
    }
    #endif
}

#if VLC
private final class Frames: VideoFrameSink {
    private let frames = Mutex(0)
    var count: Int { frames.withLock { $0 } }
    func receive(_ frame: VideoFrame) { frames.withLock { $0 += 1 } }
}
#endif
