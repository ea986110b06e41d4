#if Systemd
import DBus
import FlowplayerTesting
import Foundation
import NowPlaying
import Playback
import TestSupport
import Testing

/// The host's own information and handlers.
@MainActor
@Suite struct HostTests {
    // MARK: Info

    @Test func metadataOfTheHostReplacesThatOfTheItem() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        desk.center.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingInfo(title: "Morning show")
        let session = try #require(desk.center.activeSession)
        session.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingInfo(
            title: "Not shown", artist: "Radio", artworkURL: URL(string: "https://example.org/art.png?size=1"))
        let metadata = try #require(try await desk.get("Metadata"))
        #expect(metadata["xesam:title"] == .string("Morning show"))
        #expect(metadata["xesam:artist"] == .strings(["Radio"]))
        #expect(metadata["xesam:album"] == .string("Works"))
        #expect(metadata["mpris:artUrl"] == .string("https://example.org/art.png?size=1"))
        #expect(metadata["mpris:length"] == .int64(60_000_000))
        desk.center.nowPlayingInfoCenter.nowPlayingInfo = nil
        #expect(try await desk.playerctl("metadata", "title") == "Not shown")
        session.nowPlayingInfoCenter.nowPlayingInfo = nil
        #expect(try await desk.playerctl("metadata", "title") == "Aria")
        #expect(player.snapshot.metadata.title == "Aria")
    }

    @Test func addressesAreShownWithoutWhatIsSecret() async throws {
        let desk = try await Desk()
        let (player, _) = try await desk.player()
        player.load(URL(string: "https://user:word@example.org/a.m3u8?token=1")!)
        #expect(await player.reaches(.ready))
        #expect(try await desk.get("Metadata")?["xesam:url"] == .string("https://example.org/a.m3u8"))
    }

    @Test func aStreamWithoutAnEndHasNoLength() async throws {
        let desk = try await Desk()
        let (player, _) = try await desk.player(.live())
        player.load(.clip)
        #expect(await player.reaches(.ready))
        let metadata = try #require(try await desk.get("Metadata"))
        #expect(metadata["mpris:length"] == nil)
        #expect(metadata["mpris:trackid"]?.signature == "o")
    }

    @Test func everyIdentifierIsAPathOfItsOwn() async throws {
        let desk = try await Desk()
        let infos = desk.center.nowPlayingInfoCenter
        var paths: Set<String> = []
        for identifier in ["", "a b", "a_20b", "ü/..", "/", "1", String(repeating: "x", count: 500)] {
            infos.nowPlayingInfo = NowPlayingInfo(title: "t")
            infos.nowPlayingInfo?.contentIdentifier = identifier
            #expect(await desk.isJoined())
            let path = try #require(try await desk.get("Metadata")?["mpris:trackid"]?.string)
            paths.insert(path)
            #expect(path.wholeMatch(of: /(\/[A-Za-z0-9_]+)+/) != nil)
        }
        #expect(paths.count == 7)
    }

    @Test func aHostWithoutAPlayerSaysItAll() async throws {
        let desk = try await Desk()
        let infos = desk.center.nowPlayingInfoCenter
        var info = NowPlayingInfo(title: "Own engine")
        info.playbackDuration = 100
        info.elapsedPlaybackTime = 40
        info.playbackRate = 0
        infos.nowPlayingInfo = info
        #expect(await desk.isJoined())
        let log = try await SignalLog(on: desk.bus)
        #expect(try await desk.get("PlaybackStatus") == .string("Paused"))
        #expect(try await desk.get("Position") == .int64(40_000_000))
        #expect(try await desk.get("CanPlay") == .bool(false))

        log.forget()
        info.elapsedPlaybackTime = 41
        infos.nowPlayingInfo = info
        try await log.catchUp()
        #expect(log.named("Seeked") == [[.int64(41_000_000)]])

        info.playbackRate = 1
        infos.nowPlayingInfo = info
        #expect(try await desk.get("PlaybackStatus") == .string("Playing"))
        let start = try await desk.get("Position")
        #expect(await eventually { (try? await desk.get("Position")) != start })
        infos.playbackState = .stopped
        #expect(try await desk.get("PlaybackStatus") == .string("Stopped"))

        var isAsked = false
        desk.center.remoteCommandCenter.playCommand.addTarget { _ in
            isAsked = true
            return .success
        }
        #expect(try await desk.get("CanPlay") == .bool(true))
        try await desk.call("Play")
        #expect(isAsked)
        infos.nowPlayingInfo = nil
        #expect(desk.center.busName == nil)
    }

    /// A host of the original SDK: it sets information and commands, and attaches nothing.
    @Test func aHostThatSetsTheRateOfItsPlayerIsShownAsPlaying() async throws {
        let desk = try await Desk()
        let clock = ManualClock()
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: .clip), clock: clock)
        desk.center.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingInfo(title: "Own title")
        let observation = player.observe { event, _ in
            guard case .rate(let rate) = event else { return }
            desk.center.nowPlayingInfoCenter.nowPlayingInfo?.playbackRate = rate
        }
        defer { observation.cancel() }
        desk.center.remoteCommandCenter.playCommand.addTarget { _ in
            player.play()
            return .success
        }
        desk.center.remoteCommandCenter.pauseCommand.addTarget { _ in
            player.pause()
            return .success
        }
        #expect(await desk.isJoined())
        player.load(.clip, autoPlay: true)
        #expect(try await desk.get("PlaybackStatus") == .string("Playing"))
        try await desk.call("PlayPause")
        #expect(player.rate == 0)
        #expect(try await desk.get("PlaybackStatus") == .string("Paused"))
        try await desk.call("PlayPause")
        #expect(player.rate == 1)
        #expect(try await desk.get("PlaybackStatus") == .string("Playing"))
    }

    // MARK: Commands

    @Test func aHostsTargetReplacesThePlayers() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let commands = desk.center.remoteCommandCenter
        var asked: [String] = []
        let session = try #require(desk.center.activeSession)
        let own = session.remoteCommandCenter.pauseCommand.addTarget { _ in
            asked.append("this player")
            return .success
        }
        let all = commands.pauseCommand.addTarget { _ in
            asked.append("all players")
            return .success
        }
        try await desk.playerctl("pause")
        #expect(asked == ["all players"])
        #expect(player.snapshot.state == .play)
        commands.pauseCommand.removeTarget(own)
        commands.pauseCommand.removeTarget(all)
        commands.pauseCommand.removeTarget(all)
        try await desk.playerctl("pause")
        #expect(asked == ["all players", "this player"])
        session.remoteCommandCenter.pauseCommand.removeTarget(own)
        try await desk.playerctl("pause")
        #expect(player.snapshot.state == .pause)
    }

    @Test func ofTwoTargetsForOneCommandTheOtherStays() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let pause = desk.center.remoteCommandCenter.pauseCommand
        var asked: [Int] = []
        let tokens = (1...3).map { number in
            pause.addTarget { _ in
                asked.append(number)
                return .success
            }
        }
        try await desk.playerctl("pause")
        #expect(asked == [1, 2, 3])
        tokens[1].cancel()
        try await desk.playerctl("pause")
        #expect(asked == [1, 2, 3, 1, 3])
        #expect(player.snapshot.state == .play)
    }

    @Test func everyCommandComesWithItsValue() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        player.pause()
        let commands = desk.center.remoteCommandCenter
        var asked: [String] = []
        func note(_ text: String) -> RemoteCommandHandlerStatus {
            asked.append(text)
            return .success
        }
        commands.playCommand.addTarget { _ in note("play") }
        commands.togglePlayPauseCommand.addTarget { _ in note("toggle") }
        commands.stopCommand.addTarget { _ in note("stop") }
        commands.nextTrackCommand.addTarget { _ in note("next") }
        commands.previousTrackCommand.addTarget { _ in note("previous") }
        commands.skipForwardCommand.addTarget { note("forward \($0.interval)") }
        commands.skipBackwardCommand.addTarget { note("backward \($0.interval)") }
        commands.changePlaybackPositionCommand.addTarget { note("position \($0.positionTime)") }
        commands.changePlaybackRateCommand.addTarget { note("rate \($0.playbackRate)") }
        commands.changePlaybackRateCommand.supportedPlaybackRates = [0.5, 1, 2]
        commands.changeRepeatModeCommand.addTarget { note("repeat \($0.repeatMode)") }
        commands.changeShuffleModeCommand.addTarget { note("shuffle \($0.isShuffled)") }
        commands.changeVolumeCommand.addTarget { note("volume \($0.volume)") }
        for member in ["Play", "PlayPause", "Stop", "Next", "Previous"] { try await desk.call(member) }
        try await desk.call("Seek", [.int64(10_000_000)])
        try await desk.call("Seek", [.int64(-2_500_000)])
        let track = try #require(try await desk.get("Metadata")?["mpris:trackid"])
        try await desk.call("SetPosition", [track, .int64(30_000_000)])
        try await desk.set("Rate", .double(2))
        try await desk.set("LoopStatus", .string("Playlist"))
        try await desk.set("Shuffle", .bool(true))
        try await desk.set("Volume", .double(1.5))
        #expect(
            asked == [
                "play", "toggle", "stop", "next", "previous", "forward 10.0", "backward 2.5", "position 30.0",
                "rate 2.0", "repeat all", "shuffle true", "volume 1.5",
            ])
        #expect(try await desk.get("MinimumRate") == .double(0.5))
        #expect(player.snapshot.state == .pause)
        #expect(player.snapshot.seek.number == 0)
    }

    @Test func whatAHostTakesAwayCannotBeAskedFor() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let commands = desk.center.remoteCommandCenter
        #expect(try await desk.get("CanSeek") == .bool(true))
        commands.changePlaybackPositionCommand.isEnabled = false
        commands.skipForwardCommand.isEnabled = false
        #expect(try await desk.get("CanSeek") == .bool(true))
        commands.skipBackwardCommand.isEnabled = false
        #expect(try await desk.get("CanSeek") == .bool(false))
        try await desk.call("Seek", [.int64(10_000_000)])
        #expect(player.snapshot.seek.number == 0)
        commands.pauseCommand.isEnabled = false
        try await desk.call("Pause")
        #expect(player.snapshot.state == .play)
        commands.changeVolumeCommand.isEnabled = false
        let refusal = await desk.refusal { () throws(DBusError) in try await desk.set("Volume", .double(0.5)) }
        #expect(refusal == "NotSupported")
        #expect(player.volume == 1)
    }

    @Test func theKeyForPlayAndPauseFollowsTheHostsTargetsForEither() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let commands = desk.center.remoteCommandCenter
        var asked: [String] = []
        commands.playCommand.addTarget { _ in
            asked.append("play")
            player.play()
            return .success
        }
        commands.pauseCommand.addTarget { _ in
            asked.append("pause")
            player.pause()
            return .success
        }
        for _ in 1...3 { try await desk.playerctl("play-pause") }
        #expect(asked == ["pause", "play", "pause"])
        commands.togglePlayPauseCommand.addTarget { _ in
            asked.append("toggle")
            return .success
        }
        try await desk.playerctl("play-pause")
        #expect(asked.last == "toggle")
        #expect(player.snapshot.state == .pause)
    }

    @Test func aTargetThatFailsIsAnError() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let play = desk.center.remoteCommandCenter.playCommand
        var outcomes: [RemoteCommandHandlerStatus] = [.commandFailed, .noSuchContent]
        play.addTarget { _ in outcomes.removeFirst() }
        #expect(await desk.refusal { () throws(DBusError) in try await desk.call("Play") } == "Failed")
        #expect(await desk.refusal { () throws(DBusError) in try await desk.call("Play") } == "Failed")
        play.addTarget { _ in .success }
        outcomes = [.commandFailed]
        #expect(await desk.refusal { () throws(DBusError) in try await desk.call("Play") } == nil)
        #expect(player.snapshot.state == .play)
    }

    @Test func addressesAreOpenedByTheHost() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        var opened: [String] = []
        desk.center.openHandler = { url in
            opened.append(url.absoluteString)
            return .success
        }
        try await desk.playerctl("open", "https://example.org/a.mp4")
        let refusal = await desk.refusal { () throws(DBusError) in
            try await desk.call("OpenUri", [.string("gopher://example.org")])
        }
        #expect(refusal == "NotSupported")
        #expect(opened == ["https://example.org/a.mp4"])
        #expect(player.snapshot.state == .play)
    }

    // MARK: Several players

    @Test func ofSeveralPlayersOneIsActive() async throws {
        let desk = try await Desk()
        let first = try await desk.playing()
        let second = MediaPlayer(
            backend: SimulatedBackend(
                media: SimulatedMedia(duration: 3600, metadata: MediaMetadata(title: "Bourrée"))))
        second.load(.clip)
        #expect(await second.reaches(.ready))
        let firstSession = desk.center.attach(first)
        let secondSession = desk.center.attach(second)
        #expect(firstSession.isActive)
        #expect(!secondSession.isActive)
        #expect(try await desk.playerctl("metadata", "title") == "Aria")

        secondSession.becomeActive()
        #expect(desk.center.activeSession === secondSession)
        #expect(try await desk.playerctl("metadata", "title") == "Bourrée")
        try await desk.playerctl("play")
        #expect(await second.reaches(.play))
        try await desk.playerctl("pause")
        #expect(second.snapshot.state == .pause)
        #expect(first.snapshot.state == .play)
    }

    @Test func whenOneEndsTheTargetsOfAnotherStay() async throws {
        let desk = try await Desk()
        let first = try await desk.playing()
        let firstSession = desk.center.attach(first)
        var asked = 0
        firstSession.remoteCommandCenter.nextTrackCommand.addTarget { _ in
            asked += 1
            return .success
        }
        var second: MediaPlayer? = MediaPlayer(backend: SimulatedBackend(media: .clip))
        let secondSession = desk.center.attach(second!)
        secondSession.remoteCommandCenter.nextTrackCommand.addTarget { _ in .commandFailed }
        secondSession.becomeActive()
        #expect(await desk.refusal { () throws(DBusError) in try await desk.call("Next") } == "Failed")
        second = nil
        #expect(second == nil)
        #expect(await eventually { firstSession.isActive })
        try await desk.call("Next")
        #expect(asked == 1)
        secondSession.becomeActive()
        #expect(firstSession.isActive, "who has ended is not active")
        try await desk.playerctl("pause")
        #expect(first.snapshot.state == .pause)
        firstSession.end()
        #expect(desk.center.activeSession == nil)
        #expect(first.snapshot.state == .pause, "it is let go of, and not stopped")
    }

    @Test func aPlayerInTheBackgroundIsControlled() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        player.enterBackground(.pause)
        #expect(try await desk.playerctl("status") == "Paused")
        try await desk.playerctl("play")
        #expect(player.snapshot.state == .play)
        try await desk.playerctl("pause")
        #expect(player.snapshot.state == .pause)
        player.isVideoAttached = false
        try await desk.playerctl("play-pause")
        #expect(player.snapshot.state == .play)
    }
}
#endif
