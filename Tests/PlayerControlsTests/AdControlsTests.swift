import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import Testing

@testable import PlayerControls

/// The controls during an advertisement.
@MainActor
@Suite struct AdControlsTests {
    private let clock = ManualClock()

    private func view() async -> FlowplayerView {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        let view = FlowplayerView(
            avPlayer: player, lifecycle: ApplicationLifecycle(), notificationCenter: NotificationCenter())
        view.autoPlay = true
        view.load(external: MediaExternal(url: URL(filePath: "/film.mp4")))
        await clock.advance(by: .seconds(1))
        return view
    }

    private func advertisement(_ position: Double) -> Advertisement {
        var ad = Advertisement(type: .midRoll, number: 1, count: 3)
        ad.position = position
        ad.duration = 15
        ad.skipPosition = 5
        ad.clickThrough = URL(string: "http://shop.test")
        return ad
    }

    @Test func aBreakLocksTheSeekBarAndShowsTheRest() async throws {
        let view = await view()
        let model = ControlsModel(view: view, clock: clock)
        view.queue?.adBreaks = [2...2]
        #expect(model.state.seekBar.adMarks == [0.2] && model.state.ad == nil)
        view.queue?.suppress(.adBreak)
        view.queue?.advertisement = advertisement(3)
        let ad = try #require(model.state.ad)
        #expect(ad.text == "Ad 1 of 3 · 0:12" && ad.countdown == "Skip in 2 s" && ad.skip == nil)
        #expect(ad.page?.action == .clickAd)
        #expect(!model.state.seekBar.isEnabled && model.state.play?.label == "Pause")
        let position = view.position
        #expect(!model.press(.enter), "It cannot be skipped yet.")
        model.press(.right)
        model.press(.character("5"))
        #expect(view.position == position && view.snapshot.seek.number == 0)
        view.queue?.advertisement = advertisement(5)
        #expect(model.state.ad?.countdown == nil && model.state.ad?.skip?.label == "Skip")
        #expect(model.press(.enter))
        model.press(.character(" "))
        #expect(model.state.play?.label == "Play" && !view.snapshot.wantsToPlay)
        view.queue?.advertisement = nil
        view.queue?.unsuppress(.adBreak)
        #expect(model.state.seekBar.isEnabled)
    }

    @Test func waitingForAnAdvertisementShowsTheSpinner() async {
        let view = await view()
        let model = ControlsModel(view: view, clock: clock)
        view.queue?.suppress(.adLoading)
        await clock.advance(by: .seconds(1))
        #expect(model.state.showsSpinner)
        view.queue?.unsuppress(.adLoading)
        #expect(!model.state.showsSpinner)
    }

    @Test func oneAdvertisementHasNoNumber() {
        var ad = Advertisement(type: .preRoll)
        #expect(ControlsState.Ad(ad).text == "Ad")
        (ad.duration, ad.position) = (75, 10.5)
        #expect(ControlsState.Ad(ad).text == "Ad · 1:05" && ControlsState.Ad(ad).page == nil)
    }
}
