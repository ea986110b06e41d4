#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// The audio while libVLC's window is hidden and shown.
@MainActor
@Suite(.serialized) struct VLCBackgroundAudioTests {
    private func showsVideo(_ screen: VirtualScreen, _ isShown: Bool) async throws -> Bool {
        try await eventually {
            // Without a window the screen is black.
            let row = try screen.pixels(x: 0, y: 90, width: 320, height: 2)
            return row.contains { $0.contains { $0 > 100 } } == isShown
        }
    }

    private func plays(_ player: MediaPlayer) async -> Bool {
        let start = player.position.seconds
        return await eventually { player.position.seconds >= start + 0.5 }
    }

    @Test(arguments: ["file", "stream with separate audio"])
    func theSoundNeverStops(medium: String) async throws {
        let (server, screen) = try await (TestAudioServer(), VirtualScreen())
        let devices = await TestDevices.acquire(audio: server.address, display: screen.display)
        defer { devices.release() }
        let stream = try await MediaFixtures.shared.separate(seconds: 60)
        let http = try await LoopbackServer(files: stream.deletingLastPathComponent())
        let url =
            medium == "file"
            ? try await MediaFixtures.shared.long(seconds: 60) : http.base.appending(path: stream.lastPathComponent)
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .pulse))
        let lifecycle = ApplicationLifecycle(notificationCenter: NotificationCenter())
        let view = FlowplayerView(avPlayer: player, lifecycle: lifecycle, notificationCenter: NotificationCenter())
        view.videoOutput = .window
        view.backgroundPolicy = .continueAudio
        player.load(url, autoPlay: true)
        #expect(try await showsVideo(screen, true))
        let streams = try await server.countStreams()
        let samples = try await server.recording {
            for _ in 1...5 {
                lifecycle.enterBackground(.hidden)
                let isHidden = try await showsVideo(screen, false)
                #expect(isHidden)
                #expect(await plays(player))
                lifecycle.leaveBackground()
                let isBack = try await showsVideo(screen, true)
                #expect(isBack)
                #expect(await plays(player))
            }
        }
        // A gap would need a new stream. Counting needs one itself. The benchmark `background` measures each.
        #expect(try await server.countStreams() == streams + 1)
        #expect(ToneDetector.seconds(of: MediaFixtures.frequency, in: samples) >= 1)
    }
}
#endif
