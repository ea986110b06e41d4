import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing

@testable import Advertising

/// Breaks in virtual time.
@MainActor
@Suite struct AdPlaybackTests {
    private static let address = AdWorld.schedule.absoluteString

    private static func pod(_ count: Int, skip: String? = nil) -> String {
        let ads = (1...count).map { VASTSamples.ad(id: "ad\($0)", sequence: $0, skip: skip, file: "ad\($0).mp4") }
        return "<VAST version=\"3.0\">\(ads.joined())</VAST>"
    }

    private static let whole = [
        "/ad/impression", "/ad/start", "/ad/firstQuartile", "/ad/midpoint", "/ad/thirdQuartile", "/ad/complete",
    ]

    // MARK: The places of a break

    @Test
    func aPreRollPlaysBeforeTheItem() async {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        await world.load()
        #expect(world.player.snapshot.suppression == [.adLoading])
        #expect(world.player.snapshot.state == .load)
        await world.run { world.view.playbackState == .ads }
        #expect(world.position == 0)
        #expect(world.view.snapshot.advertisement?.count == 1)
        await world.run { world.view.state == .play }
        #expect(world.position == 0)
        #expect(
            world.story == [
                "ad start preRoll", "ad loaded preRoll", "playbackState ads", "ad play preRoll", "ad complete preRoll",
                "playbackState playing", "ad idle preRoll",
            ])
        #expect(world.view.snapshot.advertisement == nil && world.view.snapshot.suppression == [])
        #expect(world.delegate.lines.first == "start preRoll" && world.delegate.lines.last == "idle preRoll")
        #expect(await world.trackers(through: "/ad/complete") == Self.whole)
    }

    @Test
    func aPreRollIsPreparedAndWaitsForPlay() async {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        world.view.autoPlay = false
        await world.load()
        await world.run(30)
        #expect(world.story == [] && world.view.state == .ready)
        #expect(world.server.trackers == [])
        world.view.play()
        #expect(world.view.playbackState == .ads, "The advertisement is ready.")
        await world.run { world.view.state == .play }
        #expect(world.story.last == "ad idle preRoll")
    }

    @Test
    func aMidRollInterruptsTheItemWhichResumesWhereItWas() async {
        let world = AdWorld([Self.address: VMAPTests.schedule([("00:00:10", VASTSamples.inline())])])
        await world.load()
        await world.run { world.view.playbackState == .ads }
        let position = world.position
        #expect((10...10.3).contains(position))
        #expect(world.view.snapshot.state == .pause && world.view.snapshot.adBreaks == [10...10])
        await world.run(1)
        #expect(world.position == position)
        await world.run { world.view.state == .play }
        #expect(world.position == position)
        await world.run(5)
        #expect(world.position > position + 4)
        #expect(
            await world.trackers(through: "/00:00:10/breakEnd")
                == ["/00:00:10/breakStart"] + Self.whole + ["/00:00:10/breakEnd"])
    }

    @Test
    func aPostRollPlaysBeforeTheItemEnds() async {
        let content = SimulatedMedia(duration: 20)
        let world = AdWorld([Self.address: VMAPTests.schedule([("end", VASTSamples.inline())])], content: content)
        await world.load()
        await world.run { world.view.playbackState == .ads }
        #expect(world.view.state == .pause && world.position == 20)
        #expect(world.player.snapshot.isHeldAtEnd && !world.player.isOver)
        world.view.pause()
        await world.run(10)
        #expect(world.view.playbackState == .ads && world.view.state == .pause)
        world.view.play()
        #expect(world.view.state == .pause, "The advertisement plays, not the item.")
        await world.run { world.view.state == .complete }
        #expect(world.story.suffix(3) == ["ad complete postRoll", "ad idle postRoll", "playbackState ended"])
        #expect(world.player.isOver)
        // The advertisement was seen.
        world.view.play()
        await world.run(25)
        #expect(world.view.state == .complete)
        #expect(world.delegate.lines.filter { $0.hasPrefix("start") }.count == 1)
    }

    /// The engine of the item is late: it plays to the end while the mid-roll plays.
    @Test(arguments: [true, false])
    func anItemThatEndsInAMidRollWaitsForIt(hasPostRoll: Bool) async {
        let breaks = [("00:00:08.500", VASTSamples.inline(id: "a")), ("end", VASTSamples.inline(id: "b"))]
        let world = AdWorld(
            [Self.address: VMAPTests.schedule(hasPostRoll ? breaks : [breaks[0]])],
            content: SimulatedMedia(duration: 10), wrap: { LateBackend($0) })
        await world.load()
        await world.run { world.view.state == .complete }
        let ends = world.delegate.lines.filter { $0.hasPrefix("complete") || $0.hasPrefix("idle") }
        let types = hasPostRoll ? ["midRoll", "postRoll"] : ["midRoll"]
        #expect(ends == types.flatMap { ["complete \($0)", "idle \($0)"] })
        #expect(world.story.last == "playbackState ended")
    }

    @Test
    func aWaterfallUsesTheNextTagIfTheFirstHasNoAdvertisement() async {
        let documents = [
            "http://ads.test/none": "<VAST version=\"3.0\"><Error>http://ads.test/error?[ERRORCODE]</Error></VAST>",
            "http://ads.test/some": VASTSamples.inline(),
        ]
        let world = AdWorld(documents)
        let tags = ["http://ads.test/none", "http://ads.test/some"]
        await world.load(
            AdScheduleWaterfall(
                preAdBreak: AdBreak(adTags: tags), midAdBreak: [AdBreak(adTags: [tags[1]], offset: 5)]))
        await world.run(20)
        #expect(world.delegate.lines.prefix(2) == ["start preRoll", "failed preRoll vastEmptyResponse -"])
        #expect(world.delegate.lines.filter { $0 == "complete preRoll" || $0 == "complete midRoll" }.count == 2)
        #expect(world.server.requests == [tags[0], tags[1], tags[1]])
        #expect(await world.trackers(through: "/error?303").contains("/error?303"))
    }

    @Test
    func aSeekOverTwoBreaksPlaysTheLastOne() async {
        let breaks = [("00:00:10", VASTSamples.inline(id: "a")), ("00:00:20", VASTSamples.inline(id: "b"))]
        let world = AdWorld([Self.address: VMAPTests.schedule(breaks)])
        await world.load()
        await world.run(3)
        world.view.seek(40)
        await world.run { world.view.playbackState == .ads }
        #expect(world.ads.currentAd?.id == "b" || world.view.snapshot.advertisement != nil)
        await world.run { world.view.state == .play }
        #expect(world.position >= 40 && world.position < 40.5)
        #expect(!world.server.trackers.contains("/a/impression"))
    }

    @Test
    func aScheduleOfTheVideoPlatformPlays() async throws {
        var late = OVPAd(adTag: "http://ads.test/some")
        late.time = 5000
        let world = AdWorld(["http://ads.test/some": VASTSamples.inline()])
        await world.load(platform: [OVPAd(adTag: "http://ads.test/some"), late])
        await world.run(20)
        #expect(world.delegate.lines.filter { $0.hasPrefix("complete") } == ["complete preRoll", "complete midRoll"])
    }

    @Test
    func theTimeOutOfTheVideoPlatformMayBeShorter() async {
        var ad = OVPAd(adTag: "http://ads.test/some")
        ad.timeout = 1000
        let world = AdWorld(["http://ads.test/some": VASTSamples.inline()])
        world.server.delay("http://ads.test/some", by: 60)
        await world.load(platform: [ad])
        await world.run(1.5)
        // The clock does not move meanwhile.
        #expect(await eventually { world.errors.map(\.code) == [301] })
        await world.run(0.5)
        #expect(world.view.state == .play)
    }

    @Test
    func withoutAPluginTheAdvertisementsOfTheVideoPlatformAreReported() async {
        let world = AdWorld()
        world.attachment.cancel()
        await world.load(platform: [OVPAd(adTag: "http://ads.test/some")])
        await world.run(2)
        #expect(world.delegate.lines == ["failed unknown adLoadFailed -"])
        #expect(world.view.state == .play)
    }

    // MARK: Pods

    @Test
    func theAdvertisementsOfAPodFollowEachOther() async {
        let world = AdWorld([Self.address: Self.pod(3)])
        await world.load()
        var numbers: [String] = []
        await world.run {
            if let ad = world.view.snapshot.advertisement { numbers.append("\(ad.number)/\(ad.count)") }
            return world.view.state == .play
        }
        #expect(numbers.reduce(into: []) { if $0.last != $1 { $0.append($1) } } == ["1/3", "2/3", "3/3"])
        let states = world.story.filter { $0.hasPrefix("ad ") }
        let ad = ["ad loaded preRoll", "ad play preRoll", "ad complete preRoll"]
        #expect(states == ["ad start preRoll"] + ad + ad + ad + ["ad idle preRoll"])
        #expect(world.story.filter { $0 == "playbackState ads" }.count == 1)
        #expect(await world.trackers(through: "/ad3/complete").filter { $0.hasSuffix("start") }.count == 3)
    }

    @Test
    func aLongPodIsShortened() async {
        var options = AdOptions()
        options.longestBreak = .seconds(5)
        let world = AdWorld([Self.address: Self.pod(3)], options: options)
        await world.load()
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.filter { $0 == "complete preRoll" }.count == 2)
        #expect(world.delegate.lines.prefix(2) == ["start preRoll", "failed preRoll adDisplayError ad3"])
        #expect(await world.trackers(through: "/ad3/error?code=206").contains("/ad3/error?code=206"))
    }

    // MARK: The viewer

    @Test
    func anAdvertisementIsSkippedOnceItMayBe() async {
        let world = AdWorld([Self.address: Self.pod(2, skip: "00:00:01")])
        await world.load()
        await world.run { world.view.playbackState == .ads }
        await world.run(0.5)
        world.view.skipAd()
        #expect(world.view.snapshot.advertisement?.canSkip == false)
        #expect(!world.delegate.lines.contains("skip preRoll"))
        await world.run { world.view.snapshot.advertisement?.canSkip == true }
        world.view.skipAd()
        world.view.skipAd()
        await world.run { world.view.snapshot.advertisement?.number == 2 }
        await world.run { world.view.snapshot.advertisement?.canSkip == true }
        world.view.skipAd()
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.filter { $0 == "skip preRoll" }.count == 2)
        let trackers = await world.trackers(through: "/ad2/skip")
        #expect(trackers.filter { $0.hasSuffix("/skip") } == ["/ad1/skip", "/ad2/skip"])
        #expect(!trackers.contains { $0.hasSuffix("/complete") })
    }

    @Test
    func aClickPausesAndTheHostOpensThePage() async {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        await world.load()
        await world.run { world.view.playbackState == .ads }
        await world.run(0.5)
        world.view.clickAd()
        #expect(world.delegate.pages.map(\.absoluteString) == ["http://shop.test/?a=1&b=2"])
        await world.run(5)
        #expect(world.view.playbackState == .ads, "It is paused.")
        world.view.play()
        await world.run { world.view.state == .play }
        #expect(
            world.delegate.lines == [
                "start preRoll", "loaded preRoll", "play preRoll", "click preRoll", "pause preRoll", "play preRoll",
                "complete preRoll", "idle preRoll",
            ])
        let trackers = await world.trackers(through: "/ad/complete")
        #expect(trackers.filter { ["/ad/click", "/ad/pause", "/ad/resume"].contains($0) }.count == 3)
    }

    @Test
    func theHostReportsWhatItShows() async throws {
        let part = """
            <Creative><NonLinearAds><NonLinear><HTMLResource>x</HTMLResource>
            <NonLinearClickTracking>http://ads.test/touch</NonLinearClickTracking></NonLinear><TrackingEvents>
            <Tracking event="creativeView">http://ads.test/shown</Tracking>
            <Tracking event="close">http://ads.test/closed</Tracking></TrackingEvents></NonLinearAds></Creative>
            """
        let document = VASTSamples.inline().replacing("<Creatives>", with: "<Creatives>" + part)
        let world = AdWorld([Self.address: document])
        await world.load()
        await world.run { world.ads.currentAd != nil }
        let nonLinear = try #require(world.ads.currentAd?.nonLinears.first)
        world.ads.didShow(nonLinear)
        world.ads.didClick(nonLinear)
        world.ads.didClose(nonLinear)
        let trackers = await world.trackers(through: "/closed")
        #expect(trackers.suffix(3) == ["/shown", "/touch", "/closed"])
    }

    /// The host shows the companion of an advertisement until the next one.
    @Test
    func aClickOnACompanionAfterTheBreakIsCounted() async throws {
        let part = """
            <Creative><CompanionAds><Companion width="300" height="250"><HTMLResource>x</HTMLResource>
            <CompanionClickTracking>http://ads.test/companion?[ASSETURI]</CompanionClickTracking></Companion>
            </CompanionAds></Creative>
            """
        let document = VASTSamples.inline().replacing("<Creatives>", with: "<Creatives>" + part)
        let world = AdWorld([Self.address: document])
        await world.load()
        await world.run { world.ads.currentAd != nil }
        let companion = try #require(world.ads.currentAd?.companions.first)
        await world.run { world.view.state == .play }
        world.ads.didClick(companion)
        let path = "/companion?http%3A%2F%2Fads.test%2Fad.mp4"
        #expect(await world.trackers(through: path).last == path)
    }

    @Test
    func anAdvertisementMayHaveManyTrackersOfEachKind() async {
        let impressions = (0..<499).map { "<Impression>http://ads.test/view\($0)</Impression>" }.joined()
        let world = AdWorld([Self.address: VASTSamples.inline(extra: impressions)])
        await world.load()
        await world.run { world.view.state == .play }
        let trackers = await world.trackers(through: "/ad/complete")
        #expect(trackers.filter { $0.hasPrefix("/view") }.count == 499 && trackers.contains("/ad/start"))
    }

    @Test
    func volumeAndMuteOfThePlayerAreThoseOfTheAdvertisement() async throws {
        let muting = "<Tracking event=\"mute\">http://ads.test/mute</Tracking>"
        let text = VASTSamples.inline().replacing("<TrackingEvents>", with: "<TrackingEvents>" + muting)
        let world = AdWorld([Self.address: text])
        world.view.volume = 0.5
        await world.load()
        await world.run { world.view.playbackState == .ads }
        world.view.isMuted = true
        world.view.volume = 0.25
        let commands = try #require(world.adBackend).commands
        #expect(commands.contains(.setVolume(0.5)) && commands.last == .setVolume(0.25))
        #expect(commands.contains(.setMuted(true)))
        await world.run { world.view.state == .play }
        #expect(await world.trackers(through: "/ad/complete").filter { $0 == "/mute" }.count == 1)
    }

    @Test
    func theBackgroundPausesAnAdvertisementWhichResumes() async {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        await world.load()
        await world.run { world.view.playbackState == .ads }
        await world.run(0.5)
        world.lifecycle.enterBackground(.hidden)
        #expect(world.view.playbackState == .background)
        await world.run(10)
        #expect(world.delegate.lines.last == "pause preRoll")
        world.lifecycle.leaveBackground(.hidden)
        #expect(world.view.playbackState == .ads)
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.suffix(3) == ["play preRoll", "complete preRoll", "idle preRoll"])
    }

    @Test
    func anAdvertisementThatIsOnlyHeardIsNotCounted() async throws {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        world.view.enableBackgroundPlayback = true
        await world.load()
        world.lifecycle.enterBackground(.hidden)
        await world.run(10)
        #expect(world.delegate.lines.last == "idle preRoll")
        #expect(world.server.trackers == [])
        #expect(try #require(world.adBackend).commands.contains(.setVideoVisible(false)))
    }

    @Test
    func withoutAnOutputAVideoIsNotCounted() async {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        world.view.videoOutput = .none
        await world.load()
        await world.run(10)
        #expect(world.delegate.lines.last == "idle preRoll")
        #expect(world.server.trackers == [])
    }

    @Test
    func anInterruptionHoldsTheAdvertisement() async {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        await world.load()
        await world.run { world.view.playbackState == .ads }
        world.player.audioSession.beginInterruption()
        await world.run(10)
        #expect(world.delegate.lines.last == "pause preRoll")
        world.player.audioSession.endInterruption()
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.last == "idle preRoll")
    }

    @Test
    func aRemovedAudioDevicePausesTheAdvertisement() async {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        await world.load()
        await world.run { world.view.playbackState == .ads }
        world.adBackend?.changeRoute(AudioRouteChange(.oldDeviceUnavailable))
        await world.run(10)
        #expect(world.delegate.lines.last == "pause preRoll" && !world.view.snapshot.isPlaybackWanted)
        world.view.play()
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.last == "idle preRoll")
    }

    // MARK: The callbacks of the host

    /// The host loads another item in a callback, which may come at any place of the plugin.
    @Test(arguments: ["start", "loaded", "play", "complete", "idle", "failed"], [1, 2])
    func anotherItemInACallbackIsNotHeld(state: String, number: Int) async {
        let media = [
            "ad2.mp4": SimulatedMedia(duration: 2, failure: .init(error: PlaybackError(.httpStatus, url: nil)))
        ]
        let world = AdWorld([Self.address: Self.pod(3)], media: state == "failed" ? media : [:])
        var calls = 0
        world.delegate.react = { [unowned world] line in
            guard line.hasPrefix(state) else { return }
            calls += 1
            if calls == number { world.view.load(external: MediaExternal(url: AdWorld.film)) }
        }
        await world.load()
        await world.run(20)
        let wasReplaced = calls >= number
        #expect(world.view.state == .play && world.view.playbackState == .playing)
        #expect(world.view.snapshot.suppression == [] && world.view.snapshot.advertisement == nil)
        #expect(world.ads.currentAd == nil && world.view.snapshot.adBreaks == [])
        #expect(world.delegate.lines.last == "idle preRoll")
        let starts = world.delegate.lines.filter { $0 == "start preRoll" }
        #expect(starts.count == 1 && (wasReplaced || number == 2), "\(world.delegate.lines)")
        await world.ads.finishTracking()
        let presented = world.server.trackers.filter { $0.hasSuffix("/impression") }.count
        #expect(world.delegate.lines.filter { $0.hasPrefix("play") }.count == presented)
    }

    @Test
    func anotherItemInTheCallbackOfAClickIsNotPaused() async {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        world.delegate.react = { [unowned world] line in
            if line.hasPrefix("click") { world.view.load(external: MediaExternal(url: AdWorld.film)) }
        }
        await world.load()
        await world.run { world.view.playbackState == .ads }
        await world.run(0.5)
        world.view.clickAd()
        await world.run(2)
        #expect(world.view.state == .play && world.delegate.pages == [])
    }

    // MARK: Prepared breaks

    /// The second break closes the first one, which is opened again in time.
    @Test
    func aBreakThatASeekHasPassedIsPreparedAgain() async {
        let loaded = "<Tracking event=\"loaded\">http://ads.test/loaded</Tracking>"
        let first = VASTSamples.inline(id: "a").replacing("<TrackingEvents>", with: "<TrackingEvents>" + loaded)
        let breaks = [("00:00:10", first), ("00:00:20", VASTSamples.inline(id: "b"))]
        let world = AdWorld([Self.address: VMAPTests.schedule(breaks)])
        await world.load()
        await world.run(6)
        #expect(await world.trackers(through: "/loaded") == ["/loaded"])
        world.view.seek(40)
        await world.run { world.view.playbackState == .ads }
        await world.run { world.view.state == .play }
        world.view.seek(5)
        await world.run { world.position > 7 }
        let opened = world.adBackend?.commands.filter { if case .open = $0 { true } else { false } }
        #expect(opened?.count == 3, "It is open before its turn.")
        await world.run { world.view.playbackState == .ads }
        await world.run { world.view.state == .play }
        let trackers = await world.trackers(through: "/a/complete")
        #expect(trackers.filter { $0 == "/loaded" }.count == 1)
    }

    /// Source: VAST 4.2, section 3.4.13.
    @Test
    func anAdvertisementThatHasExpiredIsRequestedAgain() async {
        let world = AdWorld([Self.address: VASTSamples.inline(id: "old", extra: "<Expires>60</Expires>")])
        world.view.autoPlay = false
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: [Self.address])))
        await world.run(50)
        world.server.set(VASTSamples.inline(id: "new"), at: Self.address)
        await world.run(11)
        world.view.play()
        await world.run { world.view.state == .play }
        #expect(world.server.requests == [Self.address, Self.address])
        let trackers = await world.trackers(through: "/new/complete")
        #expect(trackers.filter { $0.hasSuffix("/impression") } == ["/new/impression"])
    }

    @Test
    func ofTwoBreaksAtOnePositionTheSecondIsLoadedMeanwhile() async {
        let world = AdWorld([Self.address: VASTSamples.inline(), "http://ads.test/second": VASTSamples.inline(id: "b")])
        await world.load(
            AdScheduleWaterfall(midAdBreak: [
                AdBreak(adTags: [Self.address], offset: 5), AdBreak(adTags: ["http://ads.test/second"], offset: 5),
            ]))
        await world.run { world.view.playbackState == .ads }
        #expect(world.server.requests == [Self.address, "http://ads.test/second"])
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.filter { $0 == "complete midRoll" }.count == 2)
    }

    // MARK: Values of macros

    @Test
    func aPageHasTheValuesOfItsAdvertisement() async throws {
        let page = "http://shop.test/?r=[CACHEBUSTING]&amp;p=[BREAKPOSITION]&amp;f=[ASSETURI]&amp;i=[INVENTORYSTATE]"
        let document = VASTSamples.inline().replacing("<![CDATA[http://shop.test/?a=1&b=2]]>", with: page)
        let world = AdWorld([Self.address: document])
        await world.load()
        await world.run { world.view.snapshot.advertisement?.clickThrough != nil }
        let shown = try #require(world.view.snapshot.advertisement?.clickThrough)
        await world.run(0.5)
        world.view.clickAd()
        #expect(world.delegate.pages == [shown], "It stays the same.")
        #expect(
            shown.absoluteString.wholeMatch(
                of: /http:\/\/shop\.test\/\?r=\d{8}&p=1&f=http%3A%2F%2Fads\.test%2Fad\.mp4&i=autoplayed/) != nil,
            "\(shown)")
    }

    @Test
    func fullScreenIsTracked() async {
        let events = ["fullscreen", "exitFullscreen", "playerExpand", "playerCollapse"].map {
            "<Tracking event=\"\($0)\">http://ads.test/\($0)</Tracking>"
        }
        let document = VASTSamples.inline().replacing("<TrackingEvents>", with: "<TrackingEvents>" + events.joined())
        let world = AdWorld([Self.address: document])
        world.view.openFullscreen()
        await world.load()
        await world.run { world.view.playbackState == .ads }
        await world.run(0.3)
        world.view.closeFullscreen()
        await world.run(0.3)
        world.view.openFullscreen()
        await world.run { world.view.state == .play }
        let trackers = await world.trackers(through: "/ad/complete")
        let names = trackers.filter { path in events.contains { $0.contains("ads.test\(path)<") } }
        #expect(names == ["/exitFullscreen", "/playerCollapse", "/fullscreen", "/playerExpand"], "\(trackers)")
    }

    @Test
    func aPartThatIsShownTwiceIsCountedOnce() async throws {
        let part = """
            <Creative><CompanionAds><Companion width="300" height="250"><HTMLResource>x</HTMLResource><TrackingEvents>
            <Tracking event="creativeView">http://ads.test/shown</Tracking></TrackingEvents>
            <CompanionClickTracking>http://ads.test/clicked</CompanionClickTracking></Companion></CompanionAds></Creative>
            """
        let world = AdWorld([Self.address: VASTSamples.inline().replacing("<Creatives>", with: "<Creatives>" + part)])
        await world.load()
        await world.run { world.ads.currentAd != nil }
        let companion = try #require(world.ads.currentAd?.companions.first)
        for _ in 0..<3 {
            world.ads.didShow(companion)
            world.ads.didClick(companion)
        }
        await world.run { world.view.state == .play }
        let trackers = await world.trackers(through: "/ad/complete")
        #expect(
            trackers.filter { $0 == "/shown" } == ["/shown"] && trackers.filter { $0 == "/clicked" } == ["/clicked"])
    }

    /// The document is the same, so the advertisements are equal.
    @Test
    func theSecondShowingOfAnAdvertisementCountsItsPartsAgain() async throws {
        let part = """
            <Creative><CompanionAds><Companion width="300" height="250"><HTMLResource>x</HTMLResource><TrackingEvents>
            <Tracking event="creativeView">http://ads.test/shown</Tracking></TrackingEvents>
            </Companion></CompanionAds></Creative>
            """
        let document = VASTSamples.inline().replacing("<Creatives>", with: "<Creatives>" + part)
        let world = AdWorld([Self.address: VMAPTests.schedule([("start", document), ("00:00:05", document)])])
        await world.load()
        for _ in 0..<2 {
            await world.run { world.ads.currentAd != nil }
            world.ads.didShow(try #require(world.ads.currentAd?.companions.first))
            await world.run { world.view.state == .play }
        }
        await world.ads.finishTracking()
        #expect(world.server.trackers.filter { $0 == "/shown" }.count == 2)
    }

    /// Servers that do not know the duration write zero.
    @Test
    func anAdvertisementWithoutADurationPlaysToItsEnd() async {
        let linear = """
            <Duration>00:00:00</Duration><MediaFiles><MediaFile type="video/mp4" delivery="progressive">\
            http://ads.test/ad.mp4</MediaFile></MediaFiles>
            """
        let document = VASTSamples.inline(linear: linear)
        let world = AdWorld([Self.address: document], media: ["ad.mp4": SimulatedMedia(duration: 10)])
        await world.load()
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.filter { !$0.hasPrefix("failed") } == world.delegate.lines)
        #expect(world.delegate.lines.contains("complete preRoll"))
    }

    @Test
    func macrosHaveThePlaceInThePodAndTheStateOfThePlayer() async throws {
        let impression =
            "<Impression>http://ads.test/at/[ADCOUNT]/[PODSEQUENCE]/[BREAKPOSITION]/[CLICKTYPE]/[PLAYERSTATE]</Impression>"
        let ads = [1, 3].map { (number: Int) in
            VASTSamples.ad(id: "ad\(number)", sequence: number, file: "ad.mp4")
        }
        let pod = "<VAST version=\"3.0\">\(ads.joined())</VAST>".replacing("<AdTitle>", with: impression + "<AdTitle>")
        let world = AdWorld()
        world.server.answerAll(with: pod)
        world.view.openFullscreen()
        world.view.isMuted = true
        let url = try #require(URL(string: "http://tags.test/?m=[MEDIAMIME]"))
        let schedule = AdScheduleWaterfall(preAdBreak: AdBreak(adTags: [url.absoluteString]))
        await world.load(schedule)
        await world.run { world.view.state == .play }
        await world.ads.finishTracking()
        #expect(world.server.requests.first?.hasPrefix("http://tags.test/?m=video%2Fmp4,") == true)
        let places = world.server.requests.compactMap { URL(string: $0)?.path() }.filter { $0.hasPrefix("/at") }
        #expect(places == ["/at/1/1/1/2/muted,fullscreen", "/at/2/3/1/2/muted,fullscreen"])
    }

    @Test
    func theHostKnowsTheBreakOfAnError() async {
        let world = AdWorld(["http://ads.test/none": VASTSamples.inline(linear: "<Duration>00:00:05</Duration>")])
        await world.load(AdScheduleWaterfall(midAdBreak: [AdBreak(adTags: ["http://ads.test/none"], offset: 7)]))
        await world.run { !world.errors.isEmpty }
        let breaks = world.recorder.events.compactMap { event in
            if case .ad(.failed(_, _, let ad, _)) = event { ad?.adBreak } else { nil }
        }
        #expect(breaks == [AdBreak(adTags: ["http://ads.test/none"], offset: 7)])
    }

    /// A program may exit when the item is over.
    @Test
    func theLastTrackersAreAwaited() async {
        let world = AdWorld(
            [Self.address: VMAPTests.schedule([("end", VASTSamples.inline())])], content: SimulatedMedia(duration: 5))
        await world.load()
        await world.run { world.view.state == .complete }
        await world.ads.finishTracking()
        #expect(world.server.trackers == ["/end/breakStart"] + Self.whole + ["/end/breakEnd"])
    }

    // MARK: The item

    @Test
    func theMarksGoWithThePlugin() async {
        let world = AdWorld([Self.address: VMAPTests.schedule([("00:00:10", VASTSamples.inline())])])
        await world.load()
        await world.run(2)
        #expect(world.view.snapshot.adBreaks == [10...10])
        world.ads.detach()
        #expect(world.view.snapshot.adBreaks == [])
    }

    @Test
    func anotherItemEndsTheBreak() async {
        let world = AdWorld([Self.address: VASTSamples.inline()])
        await world.load()
        await world.run { world.view.playbackState == .ads }
        world.view.load(external: MediaExternal(url: AdWorld.film))
        await world.run(1)
        #expect(world.view.state == .play && world.view.playbackState == .playing)
        #expect(world.delegate.lines.last == "idle preRoll")
        #expect(world.view.snapshot.suppression == [] && world.view.snapshot.advertisement == nil)
        world.view.stop()
        #expect(world.view.state == .idle)
    }

    @Test
    func eachItemOfAQueueHasItsAdvertisements() async {
        let content = SimulatedMedia(duration: 10)
        let world = AdWorld(
            [
                Self.address: VMAPTests.schedule([
                    ("start", VASTSamples.inline(id: "a")), ("end", VASTSamples.inline(id: "b")),
                ])
            ],
            content: content)
        let media = (0..<2).map { _ in
            MediaExternal(url: AdWorld.film, adSchedule: AdScheduleRemote(url: AdWorld.schedule))
        }
        world.view.load(queue: media)
        await world.run(40)
        #expect(world.player.isOver)
        let lines = ["preRoll", "postRoll", "preRoll", "postRoll"]
        #expect(world.delegate.lines.filter { $0.hasPrefix("complete") } == lines.map { "complete \($0)" })
        let ends = world.recorder.events.filter { $0 == .state(.complete) }.count
        #expect(ends == 2)
        let states = world.view.playbackStateList.reversed().map(\.name).filter { $0 != "idle" }
        #expect(states == ["ads", "playing", "ads", "ended", "ads", "playing", "ads", "ended"])
    }

    /// Nothing of the next item may be heard before its first advertisement.
    @Test
    func withAScheduleOfThePluginNoItemIsOpenedEarly() async {
        let world = AdWorld(
            [Self.address: VASTSamples.inline()], content: SimulatedMedia(duration: 10),
            schedule: AdScheduleRemote(url: AdWorld.schedule))
        world.view.load(queue: (0..<2).map { _ in MediaExternal(url: AdWorld.film) })
        await world.run { world.position > 9.5 }
        #expect(world.player.snapshot.next == nil)
        await world.run { world.player.snapshot.queue.currentIndex == 1 }
        await world.run { world.view.playbackState == .ads }
        #expect(world.position == 0)
        world.ads.schedule = nil
        world.view.load(queue: (0..<2).map { _ in MediaExternal(url: AdWorld.film) })
        await world.run { world.position > 9.5 }
        #expect(world.player.snapshot.next != nil)
    }

    /// The events of the item have passed.
    @Test
    func aPluginThatIsAttachedLaterKnowsTheItem() async {
        let schedule = VMAPTests.schedule([("50%", VASTSamples.inline()), ("end", VASTSamples.inline())])
        let world = AdWorld([Self.address: schedule], content: SimulatedMedia(duration: 40))
        world.attachment.cancel()
        await world.load(nil)
        await world.run { world.position > 2 }
        world.ads.schedule = AdScheduleRemote(url: AdWorld.schedule)
        world.view.attach(world.ads)
        await world.run(1)
        #expect(world.view.snapshot.adBreaks == [20...20])
        await world.run { world.view.playbackState == .ads }
        #expect((20...20.3).contains(world.position))
    }

    /// The schedule of an item on a platform comes with its address.
    @Test
    func aPluginThatIsAttachedBeforeTheAddressIsKnownWaitsForIt() async {
        let world = AdWorld(["http://ads.test/some": VASTSamples.inline()])
        world.attachment.cancel()
        world.ads.schedule = AdScheduleRemote(url: AdWorld.schedule)
        await world.load(platform: [OVPAd(adTag: "http://ads.test/some")]) { world.view.attach(world.ads) }
        await world.run { world.view.state == .play }
        #expect(world.server.requests == ["http://ads.test/some"])
        #expect(await world.trackers(through: "/ad/complete") == Self.whole, "The schedule is not requested.")
    }

    @Test
    func aLiveStreamHasPreAndMidRolls() async {
        let breaks = [
            ("start", VASTSamples.inline(id: "a")), ("00:00:10", VASTSamples.inline(id: "b")),
            ("end", VASTSamples.inline(id: "c")),
        ]
        let world = AdWorld([Self.address: VMAPTests.schedule(breaks)], content: .live())
        await world.load()
        await world.run(30)
        #expect(world.delegate.lines.filter { $0.hasPrefix("complete") } == ["complete preRoll", "complete midRoll"])
        #expect(world.view.state == .play)
    }

    /// libVLC would lose audio after a break.
    @Test
    func theAudioOfTheItemJoinsThatOfTheAdvertisements() async throws {
        var backend: SimulatedBackend?
        let world = AdWorld(wrap: {
            backend = $0
            return $0
        })
        await world.load(nil)
        world.ads.detach()
        await world.load(nil)
        let requests = try #require(backend).commands.compactMap { command in
            if case .open(let request) = command { request } else { nil }
        }
        #expect(requests.map(\.joinsOthers) == [true, false])
        #expect(requests.map(\.defaultRole) == [.video, .video], "Only a queue plays music.")
    }

    @Test
    func aPluginServesOnePlayer() async {
        let world = AdWorld([Self.address: VASTSamples.inline(skip: "00:00:00")])
        let player = MediaPlayer(backend: SimulatedBackend(clock: world.clock), clock: world.clock)
        let other = FlowplayerView(
            avPlayer: player, lifecycle: world.lifecycle, notificationCenter: NotificationCenter())
        let recorder = EventRecorder(player)
        let attachment = other.attach(world.ads)
        other.load(external: MediaExternal(url: AdWorld.film, adSchedule: AdScheduleRemote(url: AdWorld.schedule)))
        await world.load()
        await world.run { world.view.snapshot.advertisement?.canSkip == true }
        let codes = recorder.events.compactMap { event in
            if case .log(let notice) = event { notice.code } else { nil }
        }
        #expect(codes == ["advertisingInUse", "adsUnavailable"])
        other.clickAd()
        other.skipAd()
        attachment.cancel()
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.suffix(3) == ["play preRoll", "complete preRoll", "idle preRoll"])
    }
}

extension AdWorld {
    /// Loads an item from a video platform that knows its advertisements.
    ///
    /// - Parameter meanwhile: called before the platform answers.
    fileprivate func load(platform advertisements: [OVPAd], meanwhile: () -> Void = {}) async {
        var config = OVPConfig(src: [Self.film.absoluteString])
        config.ima = OVPConfig.IMA()
        config.ima?.ads = advertisements
        let lock = await TestLock.acquire(.facade)
        defer { withExtendedLifetime(lock) {} }
        let client = Flowplayer.current.ovpClient
        Flowplayer.current.ovpClient = FixedPlatform(config: config)
        defer { Flowplayer.current.ovpClient = client }
        view.load(ovp: MediaOVP(mediaId: "m", playerId: "p"))
        meanwhile()
        while view.sourceURL == nil { await Task.yield() }
    }
}

private struct FixedPlatform: OVPClient {
    let config: OVPConfig
    func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig { config }
}

/// An engine that does not pause.
private final class LateBackend: PlaybackBackend {
    private let backend: SimulatedBackend

    init(_ backend: SimulatedBackend) { self.backend = backend }

    var capabilities: BackendCapabilities { backend.capabilities }
    func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { backend.start(receive) }
    func setVideoOutput(_ output: VideoOutput) { backend.setVideoOutput(output) }

    func send(_ command: BackendCommand) {
        if case .pause = command { return }
        backend.send(command)
    }
}
