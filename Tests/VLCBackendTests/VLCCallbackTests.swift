#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// Commands in callbacks while real media play.
@MainActor
@Suite struct VLCCallbackTests {
    enum Command: CaseIterable { case play, pause, stop, seek, load, reload, audio, detach }

    @Test(arguments: Command.allCases)
    func aCommandInACallbackReturnsAtOnce(command: Command) async throws {
        let url = try await MediaFixtures.shared.tracks()
        let last = try await MediaFixtures.shared.file("wav")
        let view = FlowplayerView(
            avPlayer: MediaPlayer(backend: LibVLCBackend(audioOutput: .none)), notificationCenter: NotificationCenter()
        )
        view.videoOutput = .none
        view.autoPlay = true
        var calls = 0
        let observation = view.observe(\.state) { player, state in
            guard state == .ready || state == .play, calls < 6 else { return }
            calls += 1
            switch command {
            case .play: player.play()
            case .pause: player.pause()
            case .stop: player.stop()
            case .seek: player.seek(1)
            case .load: player.load(external: MediaExternal(url: url))
            case .reload: player.reload()
            case .audio: player.selectTrack(audio: player.audioList.last?.id ?? 0)
            case .detach:
                let engine = player.avPlayer
                player.avPlayer = nil
                player.avPlayer = engine
            }
        }
        defer { observation.cancel() }
        let recorder = EventRecorder(try #require(view.avPlayer))
        view.load(external: MediaExternal(url: url))
        #expect(await recorder.event { _ in calls > 0 })
        calls = 6
        view.load(external: MediaExternal(url: last))
        #expect(await recorder.event { $0 == .state(.complete) })
        #expect(view.sourceURL == last)
    }
}
#endif
