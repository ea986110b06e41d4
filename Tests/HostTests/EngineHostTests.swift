#if VLC || GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// Commands of a host with real media. `AsyncTests`, `MirrorTests` and `PlatformTests` have the same behaviour in virtual time.
@MainActor
@Suite struct EngineHostTests {
    private func view(_ engine: RealEngine) -> (FlowplayerView, EventRecorder) {
        let player = engine.makePlayer()
        let view = FlowplayerView(avPlayer: player, notificationCenter: NotificationCenter())
        view.videoOutput = .none
        return (view, EventRecorder(player))
    }

    @Test(arguments: RealEngine.allCases) func aLoadAndASeekAreAwaited(engine: RealEngine) async throws {
        let (view, _) = view(engine)
        let states = view.values(of: \.state)
        try await view.load(MediaExternal(url: try await MediaFixtures.shared.long(seconds: 30)))
        #expect(view.isReady && view.error == nil)
        #expect(await view.seek(to: 12))
        #expect(abs(try #require(view.position).seconds - 12) < 0.1)
        view.play()
        for await state in states where state == .play { break }
        #expect(await eventually { view.isPlaying })
        await #expect(throws: PlaybackError.self) {
            try await view.load(MediaExternal(url: URL(filePath: "/no/file.mp4")))
        }
        #expect(view.error?.code == .fileNotFound)
    }

    @Test(arguments: RealEngine.allCases) func theRateIsThatOfAVPlayer(engine: RealEngine) async throws {
        let (view, recorder) = view(engine)
        let rates = Rates()
        view.delegate = rates
        try await view.load(MediaExternal(url: try await MediaFixtures.shared.long(seconds: 30)))
        #expect(view.rate == 0)
        view.rate = 1
        #expect(await recorder.reaches(.play))
        view.pause()
        #expect(await recorder.reaches(.pause))
        view.defaultRate = 2
        #expect(view.rate == 0)
        view.play()
        #expect(view.rate == 2)
        #expect(await recorder.reaches(.play))
        view.rate = 0
        #expect(await recorder.reaches(.pause))
        #expect(rates.received == [1, 0, 2, 0])
    }
}

private final class Rates: FlowplayerDelegate {
    private(set) var received: [Float] = []

    func player(_: any FlowplayerAPI, didChangeRate rate: Float) { received.append(rate) }
}
#endif
