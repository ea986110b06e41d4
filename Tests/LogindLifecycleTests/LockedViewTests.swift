#if Systemd
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import LogindLifecycle
import TestSupport
import Testing

/// Playback while the session is locked.
@MainActor
@Suite struct LockedViewTests {
    @Test func aViewPausesWhenTheSessionIsLockedDespiteBackgroundPlayback() async throws {
        let desktop = try await Desktop()
        let lifecycle = ApplicationLifecycle(notificationCenter: NotificationCenter())
        let token = lifecycle.add(desktop.source())
        let player = MediaPlayer(backend: SimulatedBackend(media: SimulatedMedia(duration: 3600)))
        let view = FlowplayerView(avPlayer: player, lifecycle: lifecycle, notificationCenter: NotificationCenter())
        view.enableBackgroundPlayback = true
        view.backgroundPolicy[.locked] = .pause
        view.autoPlay = true
        view.load(external: MediaExternal(url: URL(filePath: "/media/clip.mp4")))
        #expect(await player.reaches(.play))
        #expect(try await desktop.isFollowed())

        lifecycle.enterBackground(.hidden)
        #expect(view.state == .play)
        try await desktop.lock()
        #expect(await player.reaches(.pause))
        #expect(lifecycle.reasons == [.hidden, .locked])
        #expect(view.playbackState == .background)

        token.cancel()
        #expect(await eventually { lifecycle.reasons == [.hidden] })
    }
}
#endif
