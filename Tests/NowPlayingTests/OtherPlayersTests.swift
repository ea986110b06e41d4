#if Systemd
import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import TestSupport
import Testing

@testable import NowPlaying

/// A player that the players of other programs interrupt, on a private bus.
@Suite @MainActor struct OtherPlayersTests {
    private let session = AudioSession(focus: AudioFocus(), notificationCenter: NotificationCenter())

    /// A player that plays and observes other players.
    private func listener(on desk: Desk, ownProcess: pid_t? = nil) async throws -> (MediaPlayer, ObservationToken) {
        let player = MediaPlayer(backend: SimulatedBackend(media: .clip), audioSession: session)
        player.load(.clip, autoPlay: true)
        #expect(await player.reaches(.play))
        let token = session.add(
            OtherPlayers(environment: ["DBUS_SESSION_BUS_ADDRESS": desk.bus.address], ownProcess: ownProcess))
        return (player, token)
    }

    private func isInterrupted(_ player: MediaPlayer) async -> Bool {
        await eventually { player.snapshot.isInterrupted }
    }

    /// The other player starts again and again, until the bus has the match of the source. A change that is reverted in
    /// the same main actor job sends no signal.
    private func isInterrupted(_ player: MediaPlayer, by other: MediaPlayer) async -> Bool {
        await eventually {
            if other.snapshot.wantsToPlay { other.pause() } else { other.play() }
            return await eventually(within: .milliseconds(300)) { player.snapshot.isInterrupted }
        }
    }

    private func plays(_ player: MediaPlayer) async -> Bool {
        await eventually { !player.snapshot.isInterrupted && player.snapshot.isPlaying }
    }

    /// Another program's player, on the bus and paused, so that its start is a change.
    private func other(on desk: Desk) async throws -> MediaPlayer {
        let (other, _) = try await desk.player()
        other.load(.clip)
        #expect(await other.reaches(.ready))
        return other
    }

    @Test func anotherPlayerThatGoesPlayingInterruptsUntilItPauses() async throws {
        let desk = try await Desk()
        let other = try await other(on: desk)
        let (player, token) = try await listener(on: desk)
        defer { token.cancel() }
        #expect(await isInterrupted(player, by: other))
        #expect(player.snapshot.state == .pause && session.isInterrupted)
        other.pause()
        #expect(await plays(player))
        other.play()
        #expect(await isInterrupted(player))
        player.play()
        #expect(player.snapshot.shouldPlay, "the user's play wins")
    }

    @Test func anotherPlayerThatGoesAwayIsOver() async throws {
        let desk = try await Desk()
        let other = try await other(on: desk)
        let (player, token) = try await listener(on: desk)
        defer { token.cancel() }
        #expect(await isInterrupted(player, by: other))
        desk.center.attach(other).end()
        #expect(await plays(player))
    }

    @Test func aBusThatEndsEndsTheInterruption() async throws {
        let desk = try await Desk()
        let other = try await other(on: desk)
        let (player, token) = try await listener(on: desk)
        defer { token.cancel() }
        #expect(await isInterrupted(player, by: other))
        desk.bus.end()
        #expect(await plays(player))
    }

    @Test func theProgramsOwnPlayersAreNoOthers() async throws {
        let desk = try await Desk()
        let other = try await other(on: desk)
        let (player, token) = try await listener(on: desk, ownProcess: getpid())
        defer { token.cancel() }
        other.play()
        // The player of another process interrupts, so the source is listening.
        let stranger = try await desk.start("/usr/bin/python3", ["-c", Self.stranger])
        defer { stranger.signal(SIGKILL) }
        #expect(await isInterrupted(player))
        other.pause()
        other.play()
        stranger.signal(SIGKILL)
        #expect(await plays(player), "it is gone, and the program's own player still plays")
    }

    /// Sends the status "Playing" again and again.
    private static let stranger = """
        import dbus.bus, dbus.lowlevel, os, time
        bus = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
        while True:
            signal = dbus.lowlevel.SignalMessage(
                "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties", "PropertiesChanged")
            signal.append(
                "org.mpris.MediaPlayer2.Player", {"PlaybackStatus": dbus.String("Playing", variant_level=1)},
                dbus.Array([], signature="s"), signature="sa{sv}as")
            bus.send_message(signal)
            bus.flush()
            time.sleep(0.1)
        """

    @Test func withoutABusNobodyIsHeardOf() async throws {
        let reports = Mutex<[String]>([])
        let source = OtherPlayers(environment: [:]) { text in reports.withLock { $0.append(text) } }
        var changes: [InterruptionChange] = []
        for await change in source.changes { changes.append(change) }
        #expect(changes.isEmpty)
        #expect(reports.withLock(\.self).count == 1)
    }
}
#endif
