#if Systemd
import DBus
import FlowplayerTesting
import Foundation
import NowPlaying
import Playback
import TestSupport
import Testing

/// The number of signals, in virtual time.
@MainActor
@Suite struct SignalTests {
    /// A program that plays a clip, and a log of its signals.
    private func heard(_ media: SimulatedMedia = .clip, clock: ManualClock) async throws -> (
        Desk, MediaPlayer, SignalLog
    ) {
        let desk = try await Desk()
        let (player, _) = try await desk.player(media, clock: clock)
        player.load(.clip, autoPlay: true)
        #expect(await player.reaches(.play))
        let log = try await SignalLog(on: desk.bus)
        log.forget()
        return (desk, player, log)
    }

    @Test func playingAMinuteSendsNoSignal() async throws {
        let clock = ManualClock()
        let (desk, player, log) = try await heard(clock: clock)
        await clock.advance(by: .seconds(50))
        try await log.catchUp()
        #expect(player.position.seconds > 49)
        #expect(log.properties == [])
        #expect(log.named("Seeked").isEmpty)
        #expect(desk.problems == [])
    }

    @Test func aChangeIsSentOnceWithItsValue() async throws {
        let (desk, player, log) = try await heard(clock: ManualClock())
        player.pause()
        try await log.catchUp()
        #expect(log.properties == ["PlaybackStatus"])
        #expect(log.values(of: "PlaybackStatus") == [.string("Paused")])
        log.forget()
        player.defaultRate = 2
        player.volume = 0.5
        try await log.catchUp()
        #expect(log.named("PropertiesChanged").count == 1, "simultaneous changes are one signal")
        #expect(log.properties == ["Rate", "Volume"])
        #expect(log.values(of: "Rate") == [.double(2)])
        log.forget()
        player.volume = 0.5
        try await log.catchUp()
        #expect(log.properties == [])
        #expect(desk.center.busName == Desk.busName)
    }

    @Test func seekedIsSentExactlyOnDiscontinuities() async throws {
        let clock = ManualClock()
        let (desk, player, log) = try await heard(clock: clock)
        let seeks: [(Double, DBusValue)] = [(30, .int64(30_000_000)), (30.1, .int64(30_100_000)), (0, .int64(0))]
        for (count, (target, reported)) in zip(1..., seeks) {
            player.pause()
            player.startSeek(to: target)
            await clock.advance(by: .seconds(1))
            #expect(await eventually { log.named("Seeked").count >= count })
            #expect(log.named("Seeked").count == count)
            #expect(log.named("Seeked").last == [reported])
        }
        let changes: [() -> Void] = [
            { player.play() }, { player.pause() },
            {
                player.play()
                player.rate = 2
            }, { player.rate = 0.5 },
        ]
        for change in changes {
            change()
            try await log.catchUp()
            await clock.advance(by: .seconds(10))
            try await log.catchUp()
        }
        #expect(log.named("Seeked").count == seeks.count)
        #expect(!log.properties.contains("Position"))
        #expect(desk.problems == [])
    }

    @Test func seeksThatAreOneAreReportedAsOne() async throws {
        let clock = ManualClock()
        let (desk, player, log) = try await heard(clock: clock)
        for target in 10...20 { player.startSeek(to: Double(target)) }
        await clock.advance(by: .seconds(1))
        try await log.catchUp()
        #expect(log.named("Seeked").count == 1)
        #expect(log.values(of: "Metadata") == [])
        #expect(desk.problems == [])
    }

    @Test func aStallIsADiscontinuityWhenItIsOver() async throws {
        let clock = ManualClock()
        var media = SimulatedMedia.clip
        media.stalls = [SimulatedMedia.Stall(at: 10, for: 5)]
        let (desk, player, log) = try await heard(media, clock: clock)
        await clock.advance(by: .seconds(14))
        try await log.catchUp()
        #expect(player.snapshot.state == .buffer)
        #expect(log.named("Seeked").isEmpty)
        #expect(await player.reaches(.play))
        try await log.catchUp()
        #expect(log.named("Seeked") == [[.int64(10_000_000)]])
        await clock.advance(by: .seconds(10))
        try await log.catchUp()
        #expect(log.named("Seeked").count == 1)
        #expect(log.properties == [], "whoever waits for data still plays")
        #expect(desk.problems == [])
    }

    @Test func anotherItemIsAnotherTrackAndNoDiscontinuity() async throws {
        let clock = ManualClock()
        let (desk, player, log) = try await heard(clock: clock)
        let first = try await desk.get("Metadata")?["mpris:trackid"]
        await clock.advance(by: .seconds(20))
        player.load(URL(filePath: "/media/other.mp4"), autoPlay: true)
        #expect(await player.reaches(.play))
        try await log.catchUp()
        #expect(log.named("Seeked").isEmpty)
        let second = try #require(log.values(of: "Metadata").last?["mpris:trackid"])
        #expect(second != first)
        #expect(second.signature == "o")
        #expect(log.values(of: "PlaybackStatus") == [], "it continued to play")
    }

    @Test func aSeekInTheItemBeforeIsNotSentForTheNext() async throws {
        let clock = ManualClock()
        let (desk, player, log) = try await heard(clock: clock)
        let token = player.observe { [weak player] event, _ in
            guard case .seek(.seeked, _) = event else { return }
            player?.load(URL(filePath: "/media/other.mp4"), autoPlay: true)
        }
        player.startSeek(to: 30)
        #expect(await player.reaches(.load))
        token.cancel()
        try await log.catchUp()
        #expect(log.values(of: "Metadata").count == 1)
        #expect(log.named("Seeked").isEmpty)
        #expect(desk.problems == [])
    }

    @Test func anItemThatBeginsInItsMiddleSaysSo() async throws {
        let clock = ManualClock()
        let (desk, player, log) = try await heard(clock: clock)
        player.load(.clip, autoPlay: true, startPosition: 30)
        #expect(await player.reaches(.play))
        await clock.advance(by: .seconds(1))
        try await log.catchUp()
        #expect(log.named("Seeked").count == 1)
        #expect(desk.problems == [])
    }

    @Test func theEndIsStoppedAndPlayingItAgainNoDiscontinuity() async throws {
        let clock = ManualClock()
        let (desk, player, log) = try await heard(clock: clock)
        #expect(await player.reaches(.complete, within: .seconds(70)))
        try await log.catchUp()
        #expect(log.values(of: "PlaybackStatus") == [.string("Stopped")])
        try await desk.call("Play")
        #expect(await player.reaches(.play))
        await clock.advance(by: .seconds(5))
        try await log.catchUp()
        #expect(log.values(of: "PlaybackStatus") == [.string("Stopped"), .string("Playing")])
        #expect(log.named("Seeked").isEmpty)
    }

    @Test func theQueueIsSentWhenItChanges() async throws {
        let desk = try await Desk()
        let items = [PlayerItem(url: .clip), PlayerItem(url: .clip)]
        let (player, queue) = try await desk.player(clock: ManualClock(), queueing: items)
        queue.jump(toItemAt: 0)
        #expect(await player.reaches(.play))
        let log = try await SignalLog(on: desk.bus)
        log.forget()
        queue.append(PlayerItem(url: .clip))
        try await log.catchUp()
        #expect(log.properties == ["Tracks"])
        let replaced = try #require(log.named("TrackListReplaced").first)
        #expect(replaced.map(\.signature) == ["ao", "o"])
        #expect(replaced[0].elements.count == 3)
        #expect(replaced[0].elements.first == replaced[1])
        log.forget()
        queue.goToNextItem()
        queue.goToNextItem()
        #expect(await player.reaches(.play))
        try await log.catchUp()
        #expect(log.values(of: "CanGoNext") == [.bool(false)])
        #expect(log.values(of: "CanGoPrevious") == [.bool(true)])
        #expect(log.named("TrackListReplaced").isEmpty)
    }
}
#endif
