#if Systemd && VLC
import DBus
import FlowplayerTesting
import Foundation
import NowPlaying
import Playback
import TestSupport
import Testing
import VLCBackend

/// Real media through real libVLC: its positions are not those of a script.
@MainActor
@Suite struct RealMediaTests {
    @Test func playerctlDrivesThemAndSeeksAreDiscontinuities() async throws {
        let desk = try await Desk()
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        desk.center.attach(player)
        #expect(await desk.isJoined())
        let log = try await SignalLog(on: desk.bus)
        player.load(try await MediaFixtures.shared.long(seconds: 60), autoPlay: true)
        #expect(await player.reaches(.play))
        #expect(await eventually { player.position.seconds > 2 })
        for _ in 1...3 {
            try await desk.playerctl("pause")
            #expect(await eventually { player.snapshot.state == .pause })
            #expect(try await desk.playerctl("status") == "Paused")
            try await desk.playerctl("play")
            let position = player.position.seconds
            #expect(await eventually { player.position.seconds > position + 0.5 })
        }
        try await log.catchUp()
        // A busy machine may hold playback for more than the tolerance. Clients then receive the position. Nothing else jumps.
        let corrections = positions(in: log)
        #expect(corrections.allSatisfy { $0 <= player.position.seconds + 1 }, "\(corrections)")

        try await desk.playerctl("position", "30")
        #expect(await eventually { player.snapshot.seek.state == .seeked })
        #expect(await eventually { player.position.seconds > 31 })
        try await desk.playerctl("position", "10-")
        #expect(await eventually { player.snapshot.seek.number == 2 && player.snapshot.seek.state == .seeked })
        #expect(await eventually { player.position.seconds > 22 })
        try await log.catchUp()
        let jumps = positions(in: log).dropFirst(corrections.count)
        // On a busy machine the player is past the target when it reports it.
        #expect(jumps.contains { $0 >= 29 }, "\(jumps)")
        #expect(jumps.contains { (19..<30).contains($0) }, "\(jumps)")
        #expect(!log.properties.contains("Position"))
        try await desk.playerctl("stop")
        #expect(player.snapshot.state == .idle)
        #expect(desk.problems == [])
    }

    /// The positions of the signals `Seeked`, in seconds.
    private func positions(in log: SignalLog) -> [Double] {
        log.named("Seeked").compactMap { values in
            guard case .int64(let microseconds)? = values.first else { return nil }
            return Double(microseconds) / 1_000_000
        }
    }
}
#endif
