#if VLC
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing
import VLCBackend

/// libVLC beside another engine.
@MainActor
@Suite struct VLCFallbackTests {
    private let vlc = LibVLCBackend.descriptor(audioOutput: .none)

    private func simulated(_ media: SimulatedMedia) -> BackendDescriptor {
        BackendDescriptor(name: "simulated", summary: "", schemes: ["file"]) { SimulatedBackend(media: media) }
    }

    @Test func libVLCPlaysAnItemThatAnotherEngineRefuses() async throws {
        let refusal = SimulatedMedia(failure: .init(error: PlaybackError(.unsupportedCodec, url: nil)))
        let player = MediaPlayer(backend: AutomaticBackend(engines: [simulated(refusal), vlc]))
        let recorder = EventRecorder(player)
        let sink = FrameRecorder()
        player.videoOutput = .frames(sink)
        player.volume = 0.5
        player.load(try await MediaFixtures.shared.file("mp4"), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .complete])
        #expect(recorder.notices.map(\.code).filter { $0 != "framesUnavailable" } == ["engineChanged"])
        #expect(!sink.sizes.isEmpty)
        #expect(player.capabilities.can(.frames))
    }

    @Test func anotherEnginePlaysAnItemThatLibVLCRefuses() async throws {
        let text = try await MediaFixtures.shared.bytes("fallback.mp4", Data(repeating: 65, count: 5000))
        let player = MediaPlayer(backend: AutomaticBackend(engines: [vlc, simulated(SimulatedMedia(duration: 1))]))
        let recorder = EventRecorder(player)
        player.load(text, autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.states == [.load, .ready, .play, .complete])
        #expect(recorder.notices.map(\.code) == ["engineChanged"])
    }
}
#endif
