import FlowplayerTesting
import Foundation
import Playback
import Testing

/// The events of typical runs: each log is in `Golden`, as text.
@MainActor
@Suite struct GoldenStoryTests {
    let clock = ManualClock()

    nonisolated private static let url = URL(string: "https://media.example/clip.mp4?token=secret")!

    /// Plays an item, and records its events.
    private func record(
        _ media: SimulatedMedia, for duration: Duration, autoPlay: Bool = true,
        _ story: (MediaPlayer) async -> Void = { _ in }
    ) async -> EventRecorder {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        let recorder = EventRecorder(player)
        player.load(Self.url, autoPlay: autoPlay)
        await story(player)
        await clock.advance(by: duration)
        return recorder
    }

    @Test func fromLoadToTheEnd() async throws {
        let recorder = await record(SimulatedMedia(duration: 2, playbackType: .vod), for: .seconds(10))
        try expectGolden("load-to-end", recorder, positions: true)
    }

    @Test func aStallInTheMiddle() async throws {
        let media = SimulatedMedia(duration: 8, playbackType: .vod, stalls: [.init(at: 3, for: 2)])
        try expectGolden("stall", await record(media, for: .seconds(60)))
    }

    @Test func aFailureInTheMiddleAndAnotherAttempt() async throws {
        let error = PlaybackError(.httpStatus, url: Self.url, httpStatus: 503)
        let media = SimulatedMedia(playbackType: .vod, failure: .init(at: 4, error: error))
        let recorder = await record(media, for: .seconds(60)) { player in
            await clock.advance(by: .seconds(10))
            player.play()
        }
        try expectGolden("failure", recorder)
    }

    @Test func seeksWhilePlayingPausedAndPastTheEnd() async throws {
        let recorder = await record(SimulatedMedia(), for: .seconds(60)) { player in
            await clock.advance(by: .seconds(2))
            player.startSeek(to: 6)
            await clock.advance(by: .seconds(1))
            player.pause()
            player.startSeek(to: 1)
            player.startSeek(to: 2)
            await clock.advance(by: .seconds(1))
            player.play()
            player.startSeek(to: 500)
        }
        try expectGolden("seek", recorder)
    }

    @Test func theWindowOfALiveStream() async throws {
        let recorder = await record(.live(window: 30), for: .seconds(6)) { player in
            await clock.advance(by: .seconds(3))
            player.startSeek(to: 0)
        }
        try expectGolden("live-window", recorder)
    }

    @Test func changesOfQuality() async throws {
        let media = SimulatedMedia(
            playbackType: .vod,
            sizes: [
                .init(at: 2, VideoSize(width: 1280, height: 720)), .init(at: 4, VideoSize(width: 1920, height: 1080)),
            ])
        try expectGolden("quality", await record(media, for: .seconds(60)))
    }

    @Test func tracksAndTheirChoice() async throws {
        let tracks = MediaTracks(
            audio: [AudioTrack(id: 1, name: "English", lang: "en"), AudioTrack(id: 2, name: "Deutsch", lang: "de")],
            subtitles: [SubtitleTrack(id: 3, name: "English", lang: "en")])
        let metadata = MediaMetadata(title: "Clip", artist: "Someone", chapters: [Chapter(start: 0, title: "One")])
        let media = SimulatedMedia(duration: 4, tracks: tracks, metadata: metadata)
        let recorder = await record(media, for: .seconds(60)) { player in
            player.selectAudio(id: 2)
            await clock.advance(by: .seconds(1))
            player.selectAudio(id: 2)
            player.selectSubtitle(id: 3)
            player.selectSubtitle(id: 9)
            player.selectSubtitle(id: nil)
        }
        try expectGolden("tracks", recorder)
    }

    @Test func aDeferredLoadThatIsResolvedAndOneThatFails() async throws {
        let player = MediaPlayer(
            backend: SimulatedBackend(clock: clock, media: SimulatedMedia(duration: 1)), clock: clock)
        let recorder = EventRecorder(player)
        player.load(autoPlay: true) { [clock] () async throws(PlaybackError) in
            try? await clock.sleep(for: .seconds(2))
            return PlayerItem(url: Self.url, metadata: MediaMetadata(title: "Found out"))
        }
        await clock.untilSleeping()
        await clock.advance(by: .seconds(2))
        #expect(await recorder.event(within: .seconds(60)) { $0 == .resolved(Self.url) })
        await clock.advance(by: .seconds(8))
        player.load(autoPlay: true) { () async throws(PlaybackError) in
            throw PlaybackError(.mediaNotFound, url: nil)
        }
        #expect(await recorder.reaches(.failure, within: .seconds(60)))
        await clock.advance(by: .seconds(10))
        try expectGolden("deferred", recorder)
    }
}
