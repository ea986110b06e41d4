#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// DASH streams from a server on the loopback interface, through real libVLC.
@MainActor
@Suite struct VLCDASHTests {
    private let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
    private let recorder: EventRecorder

    init() { recorder = EventRecorder(player) }

    @Test(arguments: MediaFixtures.dashForms)
    func aStreamPlaysToItsEnd(form: String) async throws {
        let manifest = try await MediaFixtures.shared.dash(form)
        let server = try await FaultServer.start(serving: manifest.deletingLastPathComponent())
        player.load(PlayerItem(unlimited: server.url(for: "/stream.mpd")), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.states) \(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        #expect(player.snapshot.container == "DASH")
        #expect(abs((player.duration?.seconds ?? 0) - 4) < 0.2)
        #expect(Set(player.snapshot.tracks?.audio.map(\.lang) ?? []) == ["eng", "deu"])
        await server.stop()
    }

    @Test func aLiveStreamHasAWindow() async throws {
        let stream = try await LiveManifest(window: 60, seconds: 150)
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        #expect(await recorder.reaches(.play), "\(recorder.errors)")
        #expect(player.snapshot.playbackType == .live)
        let window = try #require(player.snapshot.dvrWindow)
        #expect(abs(window.availableLength - 60) <= 1)
        player.startSeek(to: window.end - 20)
        let hasSought = await recorder.event {
            if case .seek(.seeked, let position) = $0 { abs(position - (window.end - 20)) <= 2 } else { false }
        }
        #expect(hasSought, "\(recorder.errors)")
        player.stop()
        withExtendedLifetime(stream) {}
    }
}
#endif
