import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import Testing

/// Resumes playback after an error that may pass.
///
/// It waits 1 s before the first attempt, and twice as long before each further one, but at most 30 s.
@MainActor
final class AutoResume: FlowplayerDelegate {
    private let clock: any PlaybackClock
    private var delay = Duration.seconds(1)
    private var attempt: ObservationToken?

    init(clock: any PlaybackClock = ContinuousClock()) { self.clock = clock }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        guard error.playbackError?.isRetryable == true else { return }
        attempt = clock.schedule(at: clock.hostTime + delay) {
            // The user may have stopped the player or loaded another item meanwhile.
            if player.state == .failure { player.play() }
        }
        delay = min(delay * 2, .seconds(30))
    }

    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        if state == .play { delay = .seconds(1) }
    }
}

@MainActor
@Suite struct AutoResumeTests {
    let clock = ManualClock()

    @Test func resumesAfterAnOutage() async {
        let outage = SimulatedMedia.Failure(at: 4, error: PlaybackError(.connectionFailed, url: nil))
        let backend = SimulatedBackend(clock: clock, openings: [SimulatedMedia(failure: outage), SimulatedMedia()])
        let player = FlowplayerManager(avPlayer: MediaPlayer(backend: backend, clock: clock))
        let autoResume = AutoResume(clock: clock)
        player.delegate = autoResume
        player.autoPlay = true
        player.load(external: MediaExternal(url: URL(filePath: "/media/clip.mp4")))
        await clock.advance(by: .seconds(60))
        #expect(player.stateList == [.complete, .play, .ready, .load, .failure, .play, .ready, .load, .idle])
    }

    @Test func waitsLongerBeforeEachAttempt() async {
        let refusal = SimulatedMedia.Failure(error: PlaybackError(.connectionRefused, url: nil))
        let backend = SimulatedBackend(clock: clock, media: SimulatedMedia(failure: refusal))
        let player = FlowplayerManager(avPlayer: MediaPlayer(backend: backend, clock: clock))
        let autoResume = AutoResume(clock: clock)
        player.delegate = autoResume
        player.load(external: MediaExternal(url: URL(filePath: "/media/clip.mp4")))
        await clock.advance(by: .seconds(60))
        #expect(player.stateList.count { $0 == .failure } == 6, "after 0, 1, 3, 7, 15 and 31 s")
    }
}

/// The examples of `Docs/TestingYourPlayback.md`, word for word.
@MainActor
@Suite struct TestingGuideTests {
    let clock = ManualClock()

    func play(_ media: SimulatedMedia) -> FlowplayerManager {
        let backend = SimulatedBackend(clock: clock, media: media)
        let player = FlowplayerManager(avPlayer: MediaPlayer(backend: backend, clock: clock))
        player.autoPlay = true
        player.load(external: MediaExternal(url: URL(filePath: "/media/clip.mp4")))
        return player
    }

    @Test func theTrailerEndsAfterThreeSeconds() async {
        let player = play(SimulatedMedia(duration: 10))
        let observation = player.observe(\.position) { player, position in
            if position >= 3 { player.pause() }
        }
        defer { observation.cancel() }
        await clock.advance(by: .seconds(60))
        #expect(player.position?.seconds == 3)
    }

    @Test func anotherAttemptIsMadeAfterHalfAMinute() async throws {
        let refusal = SimulatedMedia.Failure(error: PlaybackError(.httpStatus, url: nil, httpStatus: 503))
        let player = play(SimulatedMedia(failure: refusal))
        let recorder = EventRecorder(try #require(player.avPlayer))
        let events = player.events()
        let attempts = Task { [clock] in
            for await event in events where event == .state(.failure) {
                try await clock.sleep(for: .seconds(30))
                player.play()
            }
        }
        await clock.advance(by: .seconds(1))
        await clock.untilSleeping()
        await clock.advance(by: .seconds(29))
        #expect(player.stateList == [.failure, .load, .idle])
        await clock.advance(by: .seconds(2))
        #expect(await recorder.event(within: .seconds(60)) { $0 == .state(.load) })
        await clock.advance(by: .seconds(1))
        #expect(player.stateList == [.failure, .load, .failure, .load, .idle])
        attempts.cancel()
    }

    @Test func theEndIsReportedAtTheDuration() async throws {
        let player = try #require(play(SimulatedMedia(duration: 5400)).avPlayer)
        #expect(await player.reaches(.complete, within: .seconds(7200)))
        #expect(clock.hostTime > .seconds(5400))
    }

    @Test func aSpinnerIsShownWhileItLoads() async {
        let player = play(SimulatedMedia(loadDelay: 3, seekDelay: 1))
        await clock.advance(by: .seconds(2))
        #expect(player.state == .load)
        await clock.advance(by: .seconds(2))
        #expect(player.state == .play)
    }

    @Test func aStallIsBuffering() async {
        let player = play(SimulatedMedia(stalls: [.init(at: 3, for: 5)]))
        await clock.advance(by: .seconds(4))
        #expect(player.state == .buffer)
        #expect(player.bufferState == .empty)
        await clock.advance(by: .seconds(5))
        #expect(player.state == .play)
    }

    @Test func aFailureSaysWhereAndWhy() async {
        let error = PlaybackError(.endedEarly, url: nil)
        let player = play(SimulatedMedia(failure: .init(at: 6, error: error)))
        await clock.advance(by: .seconds(60))
        #expect(player.state == .failure)
        #expect(player.position?.seconds == 6)
    }

    @Test func germanIsChosenWhereThereIsAny() async {
        let tracks = MediaTracks(
            audio: [AudioTrack(id: 1, name: "English", lang: "en"), AudioTrack(id: 2, name: "Deutsch", lang: "de")],
            subtitles: [SubtitleTrack(id: 3, name: "English", lang: "en")])
        let player = play(SimulatedMedia(tracks: tracks, metadata: MediaMetadata(title: "Clip")))
        await clock.advance(by: .seconds(1))
        if let german = player.audioList.first(where: { $0.lang == "de" }) { player.selectTrack(audio: german.id) }
        #expect(player.currentAudio?.name == "Deutsch")
        #expect(player.metadata.title == "Clip")
    }

    @Test func aViewerWhoIsAwayTooLongFallsOutOfTheWindow() async {
        let player = play(.live(window: 30))
        await clock.advance(by: .seconds(1))
        player.pause()
        await clock.advance(by: .seconds(120))
        player.play()
        await clock.advance(by: .seconds(1))
        #expect(player.playbackType == .live)
        #expect(player.position?.seconds ?? 0 >= player.dvrWindow?.start ?? .infinity)
    }

    @Test func theBadgeFollowsTheVideo() async {
        let player = play(SimulatedMedia(sizes: [.init(at: 5, VideoSize(width: 1920, height: 1080))]))
        await clock.advance(by: .seconds(4))
        #expect(player.quality == .sd360)
        await clock.advance(by: .seconds(4))
        #expect(player.quality == .fullHD)
    }

    @Test func aMissingItemIsSkipped() async {
        let missing = SimulatedMedia(failure: .init(error: PlaybackError(.fileNotFound, url: nil)))
        let backend = SimulatedBackend(clock: clock, capabilities: BackendCapabilities(rates: 1...1)) { url in
            url.lastPathComponent == "missing.mp4" ? missing : SimulatedMedia(duration: 3)
        }
        let player = FlowplayerManager(avPlayer: MediaPlayer(backend: backend, clock: clock))
        player.load(external: MediaExternal(url: URL(filePath: "/media/missing.mp4")))
        await clock.advance(by: .seconds(1))
        #expect(player.state == .failure)
        player.load(external: MediaExternal(url: URL(filePath: "/media/clip.mp4")))
        player.rate = 2
        await clock.advance(by: .seconds(1))
        #expect(player.state == .play)
        #expect(player.rate == 1)
    }

    @Test func aPauseIsSentOnce() async throws {
        let player = try #require(play(SimulatedMedia()).avPlayer)
        await clock.advance(by: .seconds(1))
        try await expectEvents(.exactly([.rate(0), .state(.pause)]), from: player) {
            player.pause()
            player.pause()
        }
        try await expectEvents(.none, from: player) { await clock.advance(by: .seconds(3600)) }
    }

    @Test func itPlaysToTheEnd() async throws {
        let player = try #require(play(SimulatedMedia(duration: 60)).avPlayer)
        try await expectEvents(
            .atLeast([.state(.play), .state(.complete)]), from: player, within: .seconds(90)
        ) {
            player.rate = 2
        }
    }

    @Test func theVolumeIsPosted() async throws {
        let center = NotificationCenter()
        let player = FlowplayerManager(
            avPlayer: MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock), notificationCenter: center)
        try await expectNotifications(.exactly([.flowplayerDidChangeVolume]), from: center, by: clock) {
            player.volume = 0.5
            player.volume = 0.5
        }
    }

    @Test func theStoryOfAnOutage() async throws {
        let outage = SimulatedMedia.Failure(at: 2, error: PlaybackError(.connectionFailed, url: nil))
        let player = try #require(play(SimulatedMedia(failure: outage)).avPlayer)
        let recorder = EventRecorder(player)
        await clock.advance(by: .seconds(10))
        try expectGolden("outage", recorder)
    }
}

/// The part of the guide about backends.
@MainActor
@Suite struct BackendGuideTests {
    nonisolated private static func media(_ name: String) -> URL { URL(string: "my://media/\(name)")! }

    static let fixtures = BackendFixtures(
        clip: media("clip.mp4"), duration: 2, audio: media("audio.flac"), missing: media("nothing.mp4"),
        tracks: media("tracks.mkv"), subtitle: media("subtitles.srt"), title: "A title",
        tolerance: 1)

    @Test(arguments: BackendContract.cases)
    func myBackendKeepsTheContract(example: BackendContract.Case) async throws {
        let contract = BackendContract(fixtures: Self.fixtures) { MyBackend() }
        try await contract.run(example)
    }

    @Test func onlyCasesOfLiveStreamsAndFramesAreSkipped() async throws {
        let contract = BackendContract(fixtures: .simulated, inVirtualTime: { MyBackend(clock: $0) })
        let report = await contract.runAll()
        #expect(report.isKept, "\(report)")
        #expect(
            report.skipped.map(\.case.id) == [
                "delivers-frames", "frames-have-square-pixels", "keeps-the-pixels-of-a-frame",
                "delivers-frames-of-the-wanted-size", "shows-its-video-in-a-later-output",
                "shows-its-first-frame-before-it-plays",
                "delivers-no-frames-while-hidden",
            ])
    }
}

/// A backend as a host might bring one along.
private final class MyBackend: PlaybackBackend {
    private let engine: SimulatedBackend

    init(clock: any PlaybackClock = ContinuousClock()) {
        engine = SimulatedBackend(clock: clock) { url in
            let twin: URL? =
                switch url.lastPathComponent {
                case "clip.mp4": BackendFixtures.simulated.clip
                case "audio.flac": BackendFixtures.simulated.audio
                case "tracks.mkv": BackendFixtures.simulated.tracks
                default: nil
                }
            var media = BackendFixtures.simulatedMedia(at: twin ?? url)
            if url.lastPathComponent == "tracks.mkv" { media.metadata.title = "A title" }
            return media
        }
    }

    var capabilities: BackendCapabilities { engine.capabilities }
    func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { engine.start(receive) }
    func send(_ command: BackendCommand) { engine.send(command) }
    func setVideoOutput(_ output: VideoOutput) { engine.setVideoOutput(output) }
}

/// The guide shows the golden log.
@Suite struct TestingGuideTextTests {
    @Test func theLogOfTheGuideIsTheGoldenOne() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let guide = try String(contentsOf: folder.appending(path: "../../Docs/TestingYourPlayback.md"), encoding: .utf8)
        let golden = try String(contentsOf: folder.appending(path: "Golden/outage.txt"), encoding: .utf8)
        #expect(guide.contains("```text\n\(golden)```\n"))
    }
}
