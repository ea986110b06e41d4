#if Systemd
import FlowplayerTesting
import Playback
import TestSupport
import Testing

@testable import NowPlaying

/// Remote control during an interruption.
@Suite @MainActor struct InterruptionTests {
    private func interrupted(_ desk: Desk) async throws -> MediaPlayer {
        let player = try await desk.playing()
        player.suppress(.interruption)
        #expect(await eventually { (try? await desk.get("PlaybackStatus")) == .string("Paused") })
        #expect(desk.center.playbackState == .interrupted)
        return player
    }

    @Test(arguments: ["PlayPause", "Play"])
    func itPlaysAllTheSame(command: String) async throws {
        let desk = try await Desk()
        let player = try await interrupted(desk)
        try await desk.call(command)
        #expect(await eventually { player.snapshot.isPlaying })
        #expect(!player.snapshot.isInterrupted)
        player.unsuppress(.interruption)
        #expect(player.snapshot.shouldPlay)
        #expect(try await desk.get("PlaybackStatus") == .string("Playing"))
    }

    @Test(arguments: ["Pause", "Stop"])
    func whatItStopsStaysSo(command: String) async throws {
        let desk = try await Desk()
        let player = try await interrupted(desk)
        try await desk.call(command)
        player.unsuppress(.interruption)
        #expect(!player.snapshot.wantsToPlay && player.snapshot.state != .play)
        #expect(try await desk.get("PlaybackStatus") == .string(command == "Stop" ? "Stopped" : "Paused"))
    }
}
#endif
