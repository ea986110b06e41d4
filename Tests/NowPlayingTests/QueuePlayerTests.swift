#if Systemd
import DBus
import FlowplayerTesting
import Foundation
import NowPlaying
import Playback
import TestSupport
import Testing

/// A queue player is controlled without a word from the host.
@MainActor
@Suite struct QueuePlayerTests {
    private let items = (1...3).map { number in
        PlayerItem(
            url: URL(filePath: "/media/\(number).mp4"), metadata: MediaMetadata(title: "Part \(number)"))
    }

    private func playing(
        _ media: SimulatedMedia = SimulatedMedia(duration: 60), clock: any PlaybackClock = ContinuousClock(),
        on desk: Desk
    ) async throws -> QueuePlayer {
        let player = QueuePlayer(items: items, backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        desk.center.attach(player)
        player.play()
        #expect(await player.reaches(.play))
        #expect(await desk.isJoined())
        return player
    }

    @Test func playerctlGoesThroughIt() async throws {
        let desk = try await Desk()
        let player = try await playing(on: desk)
        #expect(try await desk.playerctl("metadata", "title") == "Part 1")
        try await desk.playerctl("next")
        #expect(player.currentItem == items[1])
        try await desk.playerctl("next")
        #expect(try await desk.playerctl("metadata", "title") == "Part 3")
        #expect(try await desk.get("CanGoNext") == .bool(false))
        #expect(try await desk.playerctl("next").contains("No player could handle this command"))
        try await desk.playerctl("previous")
        #expect(player.currentItem == items[1])
        #expect(await player.reaches(.play))
    }

    @Test func playerctlRepeatsAndShufflesIt() async throws {
        let desk = try await Desk()
        let player = try await playing(on: desk)
        try await desk.playerctl("loop", "Playlist")
        #expect(player.repeatMode == .all)
        try await desk.playerctl("loop", "Track")
        #expect(player.repeatMode == .one)
        try await desk.playerctl("shuffle", "On")
        #expect(player.queue.isShuffled)
        let order = player.queue.playOrder
        try await desk.playerctl("shuffle", "On")
        #expect(player.queue.playOrder == order)
        try await desk.playerctl("shuffle", "Off")
        #expect(!player.queue.isShuffled)
    }

    @Test func anInsertedItemIsReportedAtOnce() async throws {
        let desk = try await Desk()
        let player = try await playing(on: desk)
        player.jump(to: 2)
        #expect(await player.reaches(.play))
        let log = try await SignalLog(on: desk.bus)
        log.forget()
        player.append([PlayerItem(url: .clip)])
        try await log.catchUp()
        #expect(log.values(of: "CanGoNext") == [.bool(true)])
        #expect(log.named("TrackListReplaced").first?.first?.elements.count == 4)
        let tracks = try #require(try await desk.get("Tracks", of: Desk.trackList)).elements
        try await desk.call("GoTo", [tracks[0]], of: Desk.trackList)
        #expect(player.currentItem == items[0])
    }

    @Test func anItemThatFollowsByItselfIsAnotherTrack() async throws {
        let desk = try await Desk()
        let clock = ManualClock()
        let player = try await playing(SimulatedMedia(duration: 0.5), clock: clock, on: desk)
        let log = try await SignalLog(on: desk.bus)
        let tracks = try #require(try await desk.get("Tracks", of: Desk.trackList)).elements
        // Changes of one moment share a signal, so each track gets its own.
        for (item, track) in zip(items, tracks).dropFirst() {
            #expect(await clock.advance(by: .seconds(10)) { player.currentItem == item })
            #expect(await eventually { log.values(of: "Metadata").last?["mpris:trackid"] == track })
        }
        #expect(await clock.advance(by: .seconds(10)) { player.isOver })
        #expect(await eventually { log.values(of: "PlaybackStatus").last == .string("Stopped") })
        // A slow machine may send `Seeked` sometimes, but not with every track.
        #expect(log.named("Seeked").count < tracks.count - 1)
    }

    @Test func aStoppedProgramContinuesWithTheSameItem() async throws {
        let desk = try await Desk()
        let player = try await playing(on: desk)
        try await desk.playerctl("next")
        #expect(await player.reaches(.play))
        try await desk.playerctl("stop")
        #expect(player.snapshot.state == .idle)
        try await desk.playerctl("play")
        #expect(await player.reaches(.play))
        #expect(player.currentItem == items[1])
        #expect(player.queue.items == items)
    }
}
#endif
