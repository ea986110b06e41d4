import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import Testing

@testable import PlayerControls

@MainActor
@Suite struct ControlsModelTests {
    private let clock = ManualClock()

    /// Controls of a player with its items, which plays if it can.
    private func controls(
        _ scripts: SimulatedMedia..., config: ControlsConfig? = nil
    ) async -> (model: ControlsModel, view: FlowplayerView, backend: SimulatedBackend) {
        let backend = SimulatedBackend(clock: clock, openings: scripts)
        let view = FlowplayerView(
            avPlayer: MediaPlayer(backend: backend, clock: clock), notificationCenter: NotificationCenter())
        view.controlsConfig = config
        view.autoPlay = true
        let model = ControlsModel(view: view, clock: clock)
        view.load(external: MediaExternal(url: URL(filePath: "/film.mp4")))
        await clock.advance(by: .milliseconds(200))
        return (model, view, backend)
    }

    private let film = SimulatedMedia(
        duration: 3600,
        tracks: MediaTracks(
            audio: [AudioTrack(id: 1, name: "English"), AudioTrack(id: 2, name: "Deutsch")],
            subtitles: [SubtitleTrack(id: 5, name: "English")], video: [VideoTrack(id: 0, width: 640, height: 360)]))

    // MARK: Loops

    @Test func aKeyMarksTheStartAndTheEndOfALoop() async {
        let (model, view, _) = await controls(film)
        await clock.advance(by: .seconds(10))
        model.press(.character("b"))
        #expect(model.state.message == "Loop from 0:10")
        #expect(model.state.loop == "A 0:10")
        #expect(view.loop == nil)
        await clock.advance(by: .seconds(10))
        model.press(.character("b"))
        #expect(model.state.loop == "A 0:10 B 0:20")
        await clock.advance(by: .seconds(35))
        #expect((10...21).contains(view.snapshot.position))
        model.press(.character("b"))
        #expect(model.state.message == "Loop off")
        #expect(model.state.loop == nil)
        await clock.advance(by: .seconds(35))
        #expect(view.snapshot.position > 40)
    }

    @Test func theMarksOfALoopMayBeInAnyOrder() async {
        let (model, view, _) = await controls(film)
        view.seek(60)
        await clock.advance(by: .seconds(1))
        view.pause()
        model.press(.character("b"))
        view.seek(30)
        await clock.advance(by: .seconds(1))
        model.press(.character("b"))
        #expect(view.loop.map { $0.lowerBound == 30 && (60...61).contains($0.upperBound) } == true)
    }

    @Test func aMarkIsThatOfItsItem() async {
        let (model, view, _) = await controls(film)
        model.press(.character("b"))
        view.load(external: MediaExternal(url: URL(filePath: "/other.mp4")))
        await clock.advance(by: .seconds(10))
        #expect(model.state.loop == nil)
        model.press(.character("b"))
        #expect(view.loop == nil)
        #expect(model.state.loop?.hasPrefix("A 0:") == true)
    }

    // MARK: State

    @Test func aPlayingItemHasAllControls() async {
        let (model, _, _) = await controls(film)
        await clock.advance(by: .seconds(65))
        let state = model.state
        #expect(state.title == "film.mp4")
        #expect(state.play == ControlsState.Button(label: "Pause", action: .pause))
        #expect(state.position == "1:05")
        #expect(state.duration == "1:00:00")
        #expect(state.live == nil)
        #expect(state.mute == ControlsState.Button(label: "Mute", action: .setMuted(true)))
        #expect(state.volume == 1)
        #expect(state.menus.map(\.kind) == [.audio, .subtitles, .speed])
        #expect(state.menus[1].entries.map(\.label) == ["Off", "English"])
        #expect(state.menus[1].entries.map(\.isSelected) == [true, false])
        #expect(state.speedBadge == nil)
        #expect(state.fullscreen?.label == "Full screen")
        #expect(state.pictureInPicture == nil)
        #expect(state.failure == nil)
        #expect(state.next == nil)
        #expect(state.isAdvancing)
    }

    @Test func theConfigurationIsObeyed() async {
        let config = ControlsConfig.create().setMuteControl(false).setVolumeControl(false).setFullscreenControl(false)
            .setUseThinControlBar(true).setUseDragHandle(true).enablePlugins(["speed"])
            .setCustom(key: "speed.options", value: [1, 3]).setCustom(key: "speed.labels", value: ["slow", "fast"])
            .build()
        let (model, _, _) = await controls(film, config: config)
        #expect(model.state.mute == nil)
        #expect(model.state.volume == nil)
        #expect(model.state.fullscreen == nil)
        #expect(model.state.usesThinBar)
        #expect(model.state.usesDragHandle)
        #expect(model.state.menus.map(\.kind) == [.speed])
        #expect(model.state.menus[0].entries.map(\.label) == ["slow", "fast"])
        model.perform(model.state.menus[0].entries[1].action)
        #expect(model.state.speedBadge == "3×")
        #expect(model.state.menus[0].entries[1].isSelected)
    }

    @Test func hiddenControlsNeverShow() async {
        let (model, view, _) = await controls(film, config: ControlsConfig.create().setControlsVisible(false).build())
        model.pointerMoved(x: 0, y: 0)
        model.pointerMoved(x: 1, y: 0)
        #expect(!model.state.areVisible)
        #expect(!model.state.isPointerHidden)
        #expect(!model.state.areAllowed)
        view.controlsConfig = nil
        view.hideControls = true
        model.update()
        #expect(!model.state.areVisible)
        view.hideControls = false
        model.update()
        #expect(model.state.areVisible)
        #expect(model.state.areAllowed)
        #expect(view.areControlsVisible)
    }

    @Test func aTouchShowsTheControls() async {
        let (model, _, _) = await controls(film)
        await clock.advance(by: .seconds(4))
        #expect(!model.state.areVisible)
        #expect(model.state.areAllowed)
        model.reveal()
        #expect(model.state.areVisible)
        await clock.advance(by: .seconds(3))
        #expect(!model.state.areVisible)
    }

    @Test func aLiveStreamHasItsBadge() async {
        let (model, view, _) = await controls(.live(window: 60))
        #expect(model.state.live?.text == "Live")
        #expect(model.state.live?.button.isOn == true)
        #expect(model.state.duration == nil)
        view.seek(5)
        await clock.advance(by: .seconds(1))
        #expect(model.state.live?.button.isOn == false)
        #expect(model.state.live?.text.hasPrefix("-0:") == true)
        model.perform(.seekToLive)
        await clock.advance(by: .seconds(1))
        #expect(model.state.live?.button.isOn == true)
    }

    @Test func aFailureHasItsTextAndAnotherAttempt() async {
        let failure = SimulatedMedia.Failure(error: PlaybackError(.fileNotFound, url: nil))
        let (model, view, _) = await controls(SimulatedMedia(failure: failure), film)
        #expect(model.state.failure?.text == "There is no such file. Check the path and its spelling.")
        #expect(model.state.play == nil)
        await clock.advance(by: .seconds(60))
        #expect(model.state.areVisible)
        if let retry = model.state.failure?.retry { model.perform(retry.action) }
        await clock.advance(by: .seconds(1))
        #expect(model.state.failure == nil)
        #expect(view.isPlaying)
    }

    @Test func theEndOffersToPlayAgain() async {
        let (model, _, _) = await controls(SimulatedMedia(duration: 4))
        await clock.advance(by: .seconds(5))
        #expect(model.state.play?.label == "Play again")
        #expect(model.state.areVisible)
    }

    // MARK: Quality

    private static let qualities = [
        VideoQuality(id: 0, width: 320, height: 180, bitRate: 300_000),
        VideoQuality(id: 1, width: 1280, height: 720, bitRate: 2_000_000),
    ]

    @Test func aQualityIsSelectedInItsMenu() async throws {
        var media = film
        media.qualities = Self.qualities
        let (model, view, _) = await controls(media)
        var menu: ControlsState.Menu? { model.state.menus.first { $0.kind == .quality } }
        let entries = try #require(menu?.entries)
        #expect(model.state.menus.map(\.kind) == [.audio, .subtitles, .quality, .speed])
        #expect(menu?.title == "Quality")
        #expect(entries.map(\.label) == ["Automatic", "720p", "180p"])
        #expect(entries.map(\.isSelected) == [true, false, false])

        // Nothing happens in the player meanwhile: a change of the selection is drawn at once, also while paused.
        view.pause()
        await clock.advance(by: .seconds(1))
        model.perform(entries[2].action)
        #expect(view.selectedQuality == Self.qualities[0])
        #expect(menu?.entries.map(\.isSelected) == [false, false, true])
        view.select(quality: nil)
        #expect(menu?.entries.map(\.isSelected) == [true, false, false])
        #expect(ControlsAction.selectQuality(1).perform(on: view) == "Quality: 720p")
        #expect(ControlsAction.selectQuality(nil).perform(on: view) == "Quality: Automatic")
        #expect(ControlsAction.selectQuality(9).perform(on: view) == nil)
        #expect(view.selectedQuality == nil)
    }

    @Test func aSingleQualityHasNoMenu() async {
        var media = film
        media.qualities = [Self.qualities[0]]
        let (model, _, _) = await controls(media)
        #expect(!model.state.menus.contains { $0.kind == .quality })
    }

    @Test func theConfigurationChoosesTheQualityMenu() async {
        var media = film
        media.qualities = Self.qualities
        let without = await controls(media, config: ControlsConfig.create().enablePlugins(["speed"]).build())
        #expect(without.model.state.menus.map(\.kind) == [.speed])
        let with = await controls(media, config: ControlsConfig.create().enablePlugins(["qsel"]).build())
        #expect(with.model.state.menus.map(\.kind) == [.quality])
    }

    @Test func qualitiesOfOneHeightDifferByTheirBitRates() {
        let qualities = [
            VideoQuality(id: 0, width: 1280, height: 720, bitRate: 2_500_000),
            VideoQuality(id: 1, width: 1280, height: 720, bitRate: 1_000_000),
            VideoQuality(id: 2, width: 640, height: 360, bitRate: 500_000),
            VideoQuality(id: 3, width: 0, height: 0, bitRate: 128_000),
        ]
        let names = qualities.map { $0.name(among: qualities) }
        #expect(names == ["720p, 2.5 Mbit/s", "720p, 1 Mbit/s", "360p", "0.13 Mbit/s"])
    }

    @Test func theBufferedPartIsDrawnWhilePaused() async {
        var media = film
        (media.playbackType, media.bufferAhead) = (.vod, 30)
        let (model, view, _) = await controls(media)
        view.pause()
        await clock.advance(by: .seconds(1))
        var drawn: [ClosedRange<Double>] = []
        model.onChange = { drawn = $0.seekBar.bufferedRanges }
        view.seek(100)
        await clock.advance(by: .seconds(1))
        #expect(drawn == view.snapshot.bufferedRanges)
        #expect(drawn.first?.upperBound == 130)
    }

    // MARK: Time

    @Test func theControlsHideAndReturn() async {
        let (model, view, _) = await controls(film)
        await clock.advance(by: .seconds(4))
        #expect(!model.state.areVisible)
        #expect(model.state.isPointerHidden)
        #expect(!view.areControlsVisible)
        model.pointerMoved(x: 1, y: 1)
        model.pointerMoved(x: 1, y: 2)
        #expect(model.state.areVisible)
        model.hold(.pointerOverControls, true)
        await clock.advance(by: .seconds(60))
        #expect(model.state.areVisible)
        model.pointerLeft()
        await clock.advance(by: .seconds(3))
        #expect(!model.state.areVisible)
        model.press(.character(" "))
        await clock.advance(by: .seconds(60))
        #expect(model.state.areVisible)
    }

    @Test func keysDoNotShowTheBar() async {
        let (model, _, _) = await controls(film)
        await clock.advance(by: .seconds(4))
        model.press(.up)
        #expect(!model.state.areVisible)
        #expect(model.state.message == "Volume 100 %")
    }

    @Test func theSpinnerAppearsAfterThreeTenthsOfASecond() async {
        let media = SimulatedMedia(duration: 100, stalls: [.init(at: 10, for: 0.25), .init(at: 20, for: 5)])
        let (model, _, _) = await controls(media)
        var shown: [Duration] = []
        model.onChange = { [clock] in if $0.showsSpinner { shown.append(clock.hostTime) } }
        await clock.advance(by: .seconds(15))
        #expect(shown.isEmpty)
        await clock.advance(by: .seconds(10), until: { model.state.isWaiting })
        let stalled = clock.hostTime
        await clock.advance(by: .seconds(10), until: { model.state.showsSpinner })
        #expect(clock.hostTime == stalled + ControlsModel.spinnerDelay)
        await clock.advance(by: .seconds(10))
        #expect(!model.state.showsSpinner)
    }

    @Test func aMessageEnds() async {
        let (model, _, _) = await controls(film)
        model.press(.character("m"))
        #expect(model.state.message == "Muted")
        await clock.advance(by: .seconds(1))
        model.press(.character("m"))
        await clock.advance(by: .seconds(1))
        #expect(model.state.message == "Volume 100 %")
        await clock.advance(by: .milliseconds(500))
        #expect(model.state.message == nil)
    }

    @Test func nothingWakesWhilePaused() async {
        let (model, view, _) = await controls(film)
        view.pause()
        await clock.advance(by: .seconds(10))
        var changes = 0
        model.onChange = { _ in changes += 1 }
        await clock.advance(by: .seconds(3600))
        #expect(changes == 0)
        #expect(!clock.isAwaited)
    }

    // MARK: Dragging

    @Test func aDragShowsItsTargetAndSeeksSeldom() async {
        let (model, view, backend) = await controls(film)
        for step in 0..<64 {
            model.drag(to: Double(step) / 64)
            #expect(model.state.dragTarget == Double(step) * 56.25)
            await clock.advance(by: .milliseconds(10))
        }
        let during = backend.commands.filter { $0.isSeek }.count
        #expect((5...8).contains(during))
        #expect(model.state.areVisible)
        model.endDrag()
        #expect(model.state.dragTarget == nil)
        #expect(view.snapshot.seek.position == 63 * 56.25)
        #expect(view.snapshot.seek.tolerance == .exact)
    }

    /// A seek on the way would begin a break.
    @Test func aDragOverBreaksSeeksAtItsEnd() async {
        let (model, view, backend) = await controls(film)
        view.queue?.adBreaks = [600...600, 1200...1200]
        for step in 0..<64 {
            model.drag(to: Double(step) / 64)
            await clock.advance(by: .milliseconds(10))
        }
        #expect(backend.commands.filter { $0.isSeek }.isEmpty)
        model.endDrag()
        #expect(view.snapshot.seek.position == 63 * 56.25)
    }

    @Test func aCancelledDragSeeksNoMore() async {
        let (model, view, _) = await controls(film)
        model.drag(to: 0.5)
        await clock.advance(by: .seconds(1))
        model.drag(to: 0.75)
        model.drag(to: 0.9)
        model.cancelDrag()
        await clock.advance(by: .seconds(1))
        #expect(view.snapshot.seek.position == 2700)
        model.endDrag()
        #expect(view.snapshot.seek.position == 2700)
    }

    @Test func aDisabledBarCannotBeDragged() async {
        let (model, _, _) = await controls(SimulatedMedia(isSeekable: false))
        model.drag(to: 0.5)
        #expect(model.state.dragTarget == nil)
        model.press(.right)
        #expect(model.state.message == nil)
    }

    // MARK: Keys

    @Test func keysActAndSayWhatTheyDid() async {
        let (model, view, _) = await controls(film)
        view.volume = 0.5
        func message(_ key: Character) -> String? {
            model.press(.character(key))
            return model.state.message
        }
        #expect(message(" ") == "Paused")
        #expect(message("k") == "Playing")
        #expect(message("5") == "50 %  30:00")
        #expect(message("l") == "+10 s  30:10")
        #expect(message("j") == "−10 s  30:00")
        model.press(.up)
        #expect(model.state.message == "Volume 55 %")
        model.press(.down)
        model.press(.down)
        #expect(model.state.message == "Volume 45 %")
        #expect(message("m") == "Muted")
        model.press(.up)
        #expect(model.state.message == "Volume 50 % (muted)")
        #expect(message(">") == "Speed 1.25×")
        #expect(message("<") == "Speed 1×")
        #expect(message("<") == "Speed 0.75×")
        #expect(model.state.speedBadge == "0.75×")
        #expect(message("a") == "Audio: Deutsch")
        #expect(message("a") == "Audio: English")
        #expect(message("c") == "Subtitles: English")
        #expect(message("c") == "Subtitles: Off")
        #expect(!model.press(.character("y")))
        #expect(!model.press(.character("p")))
        #expect(!model.press(.character("n")))
    }

    @Test func theRateHasItsLimits() async {
        let (model, view, _) = await controls(film)
        for _ in 0..<20 { model.press(.character("<")) }
        #expect(view.rate == 0.25)
        for _ in 0..<20 { model.press(.character(">")) }
        #expect(view.rate == 4)
        view.pause()
        model.press(.character("<"))
        #expect(view.rate == 0)
        #expect(model.state.message == "Speed 3×")
    }

    @Test func aTimeIsTyped() async {
        let (model, view, _) = await controls(film)
        for key in "g1:30".map(ControlsKey.character) { model.press(key) }
        #expect(model.state.prompt == "Go to 1:30, 90 or 50%: 1:30_")
        model.press(.enter)
        #expect(model.state.prompt == nil)
        #expect(view.snapshot.position == 90)
        #expect(model.state.message == "1:30")
        for key in "gqm1:99".map(ControlsKey.character) { #expect(model.press(key)) }
        #expect(!view.isMuted, "keys belong to the time")
        model.press(.enter)
        #expect(model.state.message?.hasPrefix("1:99 is not a time") == true)
        model.press(.character("g"))
        model.press(.escape)
        #expect(model.state.prompt == nil)
        #expect(!model.press(.enter), "without a time, Enter is free")
    }

    @Test func aTimeIsTypedOnlyIfItCanBeReached() async {
        var radio = film
        radio.isSeekable = false
        let (model, _, _) = await controls(radio)
        model.press(.character("g"))
        #expect(model.state.prompt == nil)
        #expect(model.state.message == "Seeking is not possible")
    }

    @Test func subtitlesAreDelayedByTenths() async {
        let (model, view, _) = await controls(film)
        model.press(.character("x"))
        model.press(.character("x"))
        #expect(model.state.message == "Subtitle delay 0.2 s")
        for _ in 0..<3 { model.press(.character("z")) }
        #expect(model.state.message == "Subtitle delay -0.1 s")
        #expect(view.queue?.subtitleDelay == -0.1)
    }

    @Test func escapeClosesTheFirstThatIsOpen() async {
        let (model, view, _) = await controls(film)
        var requests: [Bool] = []
        model.onPictureInPicture = { isOpen in
            requests.append(isOpen)
            model.isPictureInPicture = isOpen
        }
        model.press(.character("p"))
        model.press(.character("f"))
        model.press(.character("?"))
        #expect(model.state.pictureInPicture?.isOn == true)
        #expect(
            model.state.fullscreen
                == ControlsState.Button(label: "Leave full screen", action: .toggleFullscreen, isOn: true))
        #expect(model.state.keyList?.contains(KeyMap.Row(keys: "p", title: "Picture in picture")) == true)
        model.press(.escape)
        #expect(model.state.keyList == nil)
        #expect(view.isFullscreen)
        model.press(.escape)
        #expect(!view.isFullscreen)
        model.press(.escape)
        #expect(requests == [true, false])
        #expect(model.state.pictureInPicture?.isOn == false)
    }

    @Test func fullscreenByTheHostIsSeen() async {
        let (model, view, _) = await controls(film)
        await withCheckedContinuation { continuation in
            model.onChange = { state in
                guard state.fullscreen?.isOn == true else { return }
                model.onChange = nil
                continuation.resume()
            }
            view.openFullscreen()
        }
        #expect(model.state.fullscreen?.isOn == true)
    }

    @Test func theModelEndsWithItsOwner() async {
        weak var model: ControlsModel?
        weak var view: FlowplayerView?
        do {
            let made = await controls(film)
            (model, view) = (made.model, made.view)
        }
        #expect(model == nil)
        #expect(view == nil)
    }
}

extension BackendCommand {
    fileprivate var isSeek: Bool { if case .seek = self { true } else { false } }
}
