#if VLC || GStreamer
import Advertising
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// A host that is written for the original SDK plays advertisements with real media.
@MainActor
@Suite struct AdHostTests {
    private static func ad(_ media: URL, _ attributes: String) -> String {
        """
        <Ad\(attributes)><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Creatives><Creative><Linear skipoffset="00:00:00">
        <Duration>00:00:02</Duration><VideoClicks><ClickThrough>https://shop.example/</ClickThrough></VideoClicks><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4">\(media.absoluteString)</MediaFile></MediaFiles></Linear></Creative>
        </Creatives></InLine></Ad>
        """
    }

    /// Three advertisements before the item, and none in it.
    private func schedule(_ media: URL) async throws -> URL {
        let ads = (1...3).map { Self.ad(media, " sequence=\"\($0)\"") }.joined()
        let breaks = [("start", ads), ("00:00:01", "")].map { offset, ads in
            """
            <AdBreak timeOffset="\(offset)" breakType="linear"><AdSource><VASTAdData><VAST version="3.0">\(ads)</VAST></VASTAdData>
            </AdSource></AdBreak>
            """
        }
        let document = "<VMAP version=\"1.0\">\(breaks.joined())</VMAP>"
        return try await MediaFixtures.shared.bytes("host-schedule.xml", Data(document.utf8))
    }

    @Test(arguments: RealEngine.allCases)
    func eachMethodOfTheDelegatesIsCalled(engine: RealEngine) async throws {
        let film = try await MediaFixtures.shared.solid(colour: "red", duration: 3)
        let schedule = try await schedule(try await MediaFixtures.shared.solid(colour: "blue", duration: 2))
        let center = NotificationCenter()
        let view = FlowplayerView(avPlayer: engine.makePlayer(), notificationCenter: center)
        let host = AdController(playerView: view)
        let ads = AdPlugin { engine.makeBackend() }
        // A busy machine needs longer than 5 s.
        ads.options.timeout = .seconds(100)
        host.playerView.attach(ads)
        host.viewDidLoad()
        host.observe(center)

        // The viewer opens the page of the first advertisement, and skips the second one.
        var plays = 0
        host.react = { state in
            if state == .pause { view.play() }
            guard state == .play else { return }
            plays += 1
            if plays == 1 { view.clickAd() }
            if plays == 3 { view.skipAd() }
        }
        host.play(film, with: schedule)
        #expect(await eventually { view.state == .complete })
        #expect(
            host.lines == [
                "start preRoll", "loaded preRoll", "play preRoll", "click preRoll", "pause preRoll", "play preRoll",
                "complete preRoll", "loaded preRoll", "play preRoll", "skip preRoll", "loaded preRoll", "play preRoll",
                "complete preRoll", "idle preRoll", "failed vastEmptyResponse",
            ])
        #expect(host.notifications == host.lines)
        host.react = { _ in }
        view.stop()
    }

    @Test(arguments: RealEngine.allCases)
    func aStreamWithInsertedAdvertisementsReportsItsBreak(engine: RealEngine) async throws {
        let stream = try await LiveStream(
            window: 4, seconds: 4, tags: [1: "#EXT-X-CUE-OUT:2", 3: "#EXT-X-CUE-IN"])
        let backup = try await MediaFixtures.shared.solid(colour: "red", duration: 2)
        let view = FlowplayerView(avPlayer: engine.makePlayer(), notificationCenter: NotificationCenter())
        let host = AdController(playerView: view)
        let ads = AdPlugin { engine.makeBackend() }
        ads.options.sessions.live = stream.url.absoluteString + "?key=[ASSETKEY]"
        ads.options.timeout = .seconds(100)
        host.playerView.attach(ads)
        host.viewDidLoad()
        host.playStream(backup)
        #expect(await eventually { view.state == .complete })
        let states = ["loaded", "adBreakStarted", "adStarted", "adCompleted", "adBreakEnded"]
        #expect(host.lines == states.map { "stream \($0)" })
        #expect(view.media is MediaDAI)

        // Without a server, the backup plays.
        ads.options.sessions.live = nil
        host.lines = []
        host.playStream(backup)
        #expect(await eventually { host.lines.contains("stream failed adLoadFailed") })
        #expect(await eventually { view.state == .complete })
        #expect(host.waterfall(["https://ads.example/"]).adSchedule is AdScheduleWaterfall)
        withExtendedLifetime(stream) {}
    }
}
#endif
