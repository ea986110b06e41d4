#if Systemd
import FlowplayerTesting
import Foundation
import NowPlaying
import Playback
import TestSupport
import Testing

/// Control of a player with playerctl, and its output.
@MainActor
@Suite struct PlayerctlTests {
    @Test func itSaysWhatIsPlayed() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        #expect(try await desk.playerctl("status") == "Playing")
        #expect(try await desk.playerctl("metadata", "xesam:title") == "Aria")
        #expect(try await desk.playerctl("metadata", "xesam:artist") == "Nobody")
        #expect(try await desk.playerctl("metadata", "xesam:album") == "Works")
        #expect(try await desk.playerctl("metadata", "mpris:length") == "60000000")
        #expect(try await desk.playerctl("metadata", "xesam:url") == "file:///media/clip.mp4")
        #expect(
            try await desk.playerctl("-f", "{{playerName}} {{duration(mpris:length)}}", "metadata")
                == "TestPlayer 1:00")
        #expect(player.snapshot.state == .play)
        #expect(desk.problems == [])
    }

    @Test func itPlaysAndPauses() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        try await desk.playerctl("pause")
        #expect(player.snapshot.state == .pause)
        #expect(try await desk.playerctl("status") == "Paused")
        try await desk.playerctl("play")
        #expect(player.snapshot.state == .play)
        try await desk.playerctl("play-pause")
        #expect(player.snapshot.state == .pause)
        try await desk.playerctl("play-pause")
        #expect(player.snapshot.state == .play)
    }

    @Test func whatItStoppedItPlaysFromTheBeginning() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        player.startSeek(to: 30)
        try await desk.playerctl("stop")
        #expect(player.snapshot.state == .idle)
        #expect(try await desk.playerctl("status") == "Stopped")
        try await desk.playerctl("play")
        #expect(await player.reaches(.play))
        #expect(player.currentItem?.url == .clip)
        #expect(player.position.seconds < 20)
    }

    @Test func itGoesToAPositionAndBy() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        player.pause()
        try await desk.playerctl("position", "30")
        #expect(await eventually { player.snapshot.seek.state == .seeked })
        #expect(player.position.seconds == 30)
        #expect(try await desk.playerctl("position") == "30.000000")
        try await desk.playerctl("position", "5+")
        #expect(await eventually { player.position.seconds == 35 && player.snapshot.seek.state == .seeked })
        try await desk.playerctl("position", "15-")
        #expect(await eventually { player.position.seconds == 20 && player.snapshot.seek.state == .seeked })
        try await desk.playerctl("position", "50-")
        #expect(await eventually { player.position.seconds == 0 && player.snapshot.seek.state == .seeked })
    }

    @Test func itChangesTheVolume() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        try await desk.playerctl("volume", "0.25")
        #expect(player.volume == 0.25)
        #expect(try await desk.playerctl("volume") == "0.250000")
        try await desk.playerctl("volume", "0.5+")
        #expect(player.volume == 0.75)
        player.isMuted = true
        #expect(try await desk.playerctl("volume") == "0.000000")
        try await desk.playerctl("volume", "0.5")
        #expect(player.volume == 0.5)
        #expect(!player.isMuted)
    }

    @Test func itGoesThroughTheQueue() async throws {
        let desk = try await Desk()
        let items = (1...3).map { number in
            PlayerItem(url: .clip, metadata: MediaMetadata(title: "Part \(number)"))
        }
        let (player, queue) = try await desk.player(queueing: items)
        queue.jump(toItemAt: 0)
        #expect(await player.reaches(.play))
        #expect(try await desk.playerctl("metadata", "title") == "Part 1")
        try await desk.playerctl("next")
        #expect(queue.nowPlayingIndex == 1)
        #expect(try await desk.playerctl("metadata", "title") == "Part 2")
        try await desk.playerctl("previous")
        #expect(queue.nowPlayingIndex == 0)
        #expect(try await desk.playerctl("previous").contains("No player could handle this command"))
        #expect(queue.nowPlayingIndex == 0)
    }

    @Test func itRepeatsAndShuffles() async throws {
        let desk = try await Desk()
        let (player, queue) = try await desk.player(queueing: [PlayerItem(url: .clip)])
        queue.jump(toItemAt: 0)
        #expect(await player.reaches(.play))
        #expect(try await desk.playerctl("loop") == "None")
        for (said, mode) in [("Track", PlaybackQueue.RepeatMode.one), ("Playlist", .all), ("None", .off)] {
            try await desk.playerctl("loop", said)
            #expect(queue.repeatMode == mode)
            #expect(try await desk.playerctl("loop") == said)
        }
        try await desk.playerctl("shuffle", "On")
        #expect(queue.isShuffled)
        try await desk.playerctl("shuffle", "Toggle")
        #expect(!queue.isShuffled)
        #expect(try await desk.playerctl("shuffle") == "Off")
    }

    @Test func itFollows() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let file = FileManager.default.temporaryDirectory.appending(path: "follow-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let script = "exec playerctl -p TestPlayer -f '{{status}} {{title}}' metadata --follow > '\(file.path())'"
        let follower = try await desk.start("sh", ["-c", script])
        defer { follower.signal(SIGKILL) }
        let says = { (lines: [String]) in
            let text = try? String(contentsOf: file, encoding: .utf8)
            return text?.split(separator: "\n").map(String.init) == lines
        }
        #expect(await eventually { says(["Playing Aria"]) })
        player.pause()
        #expect(await eventually { says(["Playing Aria", "Paused Aria"]) })
        player.play()
        #expect(await eventually { says(["Playing Aria", "Paused Aria", "Playing Aria"]) })
    }

    @Test func twoProgramsOfOneNameAreTwo() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let other = Desk.center(on: desk.bus)
        let second = MediaPlayer(backend: SimulatedBackend(media: .clip))
        second.load(.clip)
        other.attach(second)
        #expect(await eventually { other.busName != nil })
        let instance = "TestPlayer.instance\(ProcessInfo.processInfo.processIdentifier)"
        #expect(other.busName == "org.mpris.MediaPlayer2." + instance)
        #expect(await second.reaches(.ready))

        let list = try await desk.run("playerctl", ["-l"]).split(separator: "\n")
        #expect(Set(list) == ["TestPlayer", Substring(instance)])
        #expect(try await desk.playerctl("status", of: instance) == "Paused")
        try await desk.playerctl("play", of: instance)
        #expect(await second.reaches(.play))
        try await desk.playerctl("pause", of: instance)
        #expect(second.snapshot.state == .pause)
        #expect(player.snapshot.state == .play)
    }
}
#endif
