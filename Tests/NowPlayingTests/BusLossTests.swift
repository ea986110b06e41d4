#if Systemd
import DBus
import FlowplayerTesting
import Foundation
import NowPlaying
import Playback
import TestSupport
import Testing

/// A bus that is missing, ends, and starts again.
@MainActor
@Suite struct BusLossTests {
    @Test func controlIsBackSoonAfterTheBusIs() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        desk.bus.end()
        #expect(await eventually { desk.center.busName == nil })
        let position = player.position
        #expect(await eventually { player.position.seconds > position.seconds + 1 })
        #expect(player.snapshot.state == .play)

        let client = try await desk.bus.restart()
        #expect(await eventually { desk.center.busName != nil })
        #expect(try await desk.get("PlaybackStatus", over: client) == .string("Playing"))
        try await desk.playerctl("pause")
        #expect(player.snapshot.state == .pause)
        #expect(desk.problems.count == 2)
        #expect(desk.problems.first?.contains("waits until the session bus is available") == true)
        #expect(desk.problems.last == "The session bus is available: remote control by \(Desk.busName).")
    }

    @Test func aBusThatComesLaterIsFound() async throws {
        let desk = try await Desk()
        desk.bus.end()
        let player = MediaPlayer(backend: SimulatedBackend(media: .clip))
        desk.center.attach(player)
        player.load(.clip, autoPlay: true)
        #expect(await player.reaches(.play))
        #expect(await eventually { desk.problems.count == 1 })
        let client = try await desk.bus.restart()
        #expect(await eventually { desk.center.busName != nil })
        #expect(try await desk.get("CanPause", over: client) == .bool(true))
    }

    @Test func withoutAnAddressThereIsALineAndNoMore() async throws {
        let (lines, line) = AsyncStream<String>.makeStream()
        let center = NowPlayingCenter(environment: [:]) { line.yield($0) }
        let player = MediaPlayer(backend: SimulatedBackend(media: .clip))
        center.attach(player)
        player.load(.clip, autoPlay: true)
        #expect(await player.reaches(.play))
        player.pause()
        #expect(center.busName == nil)
        line.finish()
        var reports: [String] = []
        for await text in lines { reports.append(text) }
        #expect(reports == ["Remote control is not available, because the session bus has no address."])
    }

    @Test func whoHasNothingToPlayIsNotOnTheBus() async throws {
        let desk = try await Desk()
        #expect(desk.center.busName == nil)
        var player: MediaPlayer? = MediaPlayer(backend: SimulatedBackend(media: .clip))
        desk.center.attach(player!)
        #expect(await desk.isJoined())
        player = nil
        #expect(player == nil)
        #expect(await eventually { desk.center.busName == nil })
        #expect(await desk.refusal { () throws(DBusError) in try await desk.call("Play") } == "ServiceUnknown")
    }
}
#endif
