import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// Hosts that are written for the original SDK behave here as their authors expect.
@MainActor
@Suite struct HostTests {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private let controller: PlayController
    private static let clip = URL(filePath: "/media/clip.mp4")

    init() {
        let media = SimulatedMedia(
            tracks: MediaTracks(
                audio: [AudioTrack(id: 1, name: "English")],
                subtitles: [SubtitleTrack(id: 2, name: "English"), SubtitleTrack(id: 3, name: "Deutsch")],
                video: [VideoTrack(id: 0, width: 1280, height: 720)]))
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        controller = PlayController(playerView: FlowplayerView(avPlayer: player, notificationCenter: center))
    }

    private func show(_ media: any Media) async {
        controller.video = VideoSingle(title: "A clip", media: media, autoStart: true)
        controller.viewDidLoad()
        await clock.advance(by: .seconds(1))
    }

    @Test func aControllerReceivesTheEventsOfItsPlayer() async {
        controller.playerView.id = "main"
        controller.observe(center)
        await show(MediaExternal(url: Self.clip))
        #expect(
            controller.lines == [
                "state load", "audio [\"English\"]", "state ready", "quality hd", "state play",
                "playback state playing", "notification playing of main",
            ])
        #expect(controller.describe(controller.playerView) == "play at 0 of 10.0")
        controller.playerView.seek(4)
        await clock.advance(by: .seconds(1))
        #expect(controller.lines.suffix(2) == ["seek seeked 4.0", "notification seeked 4.0"])
        controller.mute(controller.playerView)
        #expect(controller.playerView.isMuted)
        #expect(controller.playerView.playbackStateList == [.playing, .idle])
    }

    @Test func controlsCanBeChained() async {
        await show(MediaExternal(url: Self.clip))
        #expect(controller.playerView.controlsConfig?.speedLabels == ["Half", "Normal", "Double"])
        #expect(controller.playerView.controlsConfig?.showsVolumeControl == false)
        #expect(controller.thinControls().usesThinControlBar)
        controller.playerView.hideControls = true
        controller.playerView.openFullscreen()
        controller.playerView.openFullscreen()
        #expect(controller.lines.suffix(2) == ["controls false", "fullscreen true"])
        #expect(controller.playerView.isFullscreen)
    }

    @Test func aStoredPlayerCanBeControlledAndReattached() async {
        await show(MediaExternal(url: Self.clip))
        controller.didEnterBackground()
        controller.didEnterBackground()
        #expect(controller.playerView.avPlayer == nil)
        controller.playerView.pause()
        #expect(controller.playerView.state == .pause)
        controller.willEnterForeground()
        #expect(controller.playerView.avPlayer == nil, "a host that detaches twice has stored nothing")
        controller.playerView.play()
        await clock.advance(by: .seconds(1))
        #expect(controller.playerView.state == .play)
    }

    @Test func tracksAreSelectedByTheirNumber() async {
        await show(MediaExternal(url: Self.clip))
        controller.playerView.selectTrack(subtitle: 3)
        #expect(controller.playerView.currentSubtitle?.name == "Deutsch")
        controller.playerView.selectTrack(subtitle: SubtitleTrack.off.id)
        #expect(controller.playerView.currentSubtitle == nil)
        controller.playerView.selectTrack(audio: 99)
        #expect(controller.playerView.currentAudio?.id == 1)
        #expect(controller.lines.suffix(2) == ["subtitle Deutsch", "subtitle Off"])
    }

    @Test func advertisementsFailAndTheContentPlays() async {
        let schedule = AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["https://ads.example/pre"]))
        await show(MediaExternal(url: Self.clip, adSchedule: schedule))
        #expect(controller.lines.contains("ad adLoadFailed"))
        #expect(controller.playerView.state == .play)
    }

    @Test func aManagerHasNoView() async {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        let screen = RemoteScreen(player: player)
        let manager = screen.begin(AVPlayerItem(url: Self.clip))
        await clock.advance(by: .seconds(2))
        #expect(manager.state == .play)
        #expect(manager.preferredPeakBitRate == 2_000_000)
        #expect(manager.stateList == [.play, .ready, .load, .idle])
    }

    @Test func anotherPlayerKeepsTheContract() async {
        func player() -> MediaPlayer { MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock) }
        let manager = FlowplayerManager(avPlayer: player())
        let log = LintedLog(manager)
        var media: [URL] = []
        var observations: Set<ObservationToken> = []
        defer { observations = [] }
        manager.autoPlay = true
        for number in 1...3 {
            let successor = player()
            successor.load(URL(filePath: "/media/\(number).mp4"), autoPlay: true)
            successor.observe { event, _ in
                if case .media(let url?) = event { media.append(url) }
            }.store(in: &observations)
            await clock.advance(by: .seconds(2))
            manager.avPlayer = successor
            manager.seek(5)
            await clock.advance(by: .seconds(1))
            manager.load(external: MediaExternal(url: Self.clip))
            await clock.advance(by: .seconds(1))
            #expect(manager.state == .play)
        }
        #expect(log.breaches.isEmpty, "\(log.breaches)")
        #expect(media == [Self.clip, Self.clip, Self.clip])
        #expect(manager.mediaHistoryList.count == 5)
    }

    @Test func familiarInitializersExist() async {
        let queue = AVQueuePlayer(
            items: [AVPlayerItem(url: Self.clip), AVPlayerItem(url: Self.clip)],
            backend: SimulatedBackend(clock: clock), clock: clock)
        queue.play()
        await clock.advance(by: .seconds(15))
        #expect(queue.items().count == 1)
        #expect(queue.snapshot.state == .play)
        let time = CMTime(seconds: 1.5, preferredTimescale: 600)
        #expect(time.value == 900)
        // The whole process has one session.
        let lock = await TestLock.acquire(.facade)
        withExtendedLifetime(lock) {
            #expect(throws: Never.self) { try AVAudioSession.sharedInstance().setCategory(.playback) }
        }
    }
}
