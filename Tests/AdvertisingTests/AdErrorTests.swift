import FlowplayerSDK
import FlowplayerTesting
import Foundation
import MediaTransport
import Playback
import Testing

@testable import Advertising

/// Breaks that go wrong, in virtual time.
@MainActor
@Suite struct AdErrorTests {
    private static func failing(_ code: PlaybackErrorCode) -> SimulatedMedia {
        SimulatedMedia(duration: 2, failure: .init(error: PlaybackError(code, url: nil)))
    }

    // MARK: The length of a break

    /// The second document says no duration.
    @Test(arguments: [SimulatedMedia(duration: 30), SimulatedMedia(duration: 2)])
    func aBreakPlaysNoLongerThanItMay(second: SimulatedMedia) async {
        let file = "<MediaFile delivery=\"progressive\" type=\"video/mp4\">http://ads.test/long.mp4</MediaFile>"
        let linear = "<MediaFiles>\(file)</MediaFiles>"
        let ads = VASTSamples.ad(id: "a", sequence: 1) + VASTSamples.ad(id: "b", sequence: 2, linear: linear)
        var options = AdOptions()
        options.longestBreak = .seconds(5)
        let world = AdWorld(
            ["http://ads.test/tag": "<VAST version=\"3.0\">\(ads)</VAST>"], media: ["long.mp4": second],
            options: options)
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        #expect(await world.run(atMost: 10) { world.view.state == .play })
        let end = second.duration == 30 ? "failed preRoll adDisplayError b" : "complete preRoll"
        #expect(world.delegate.lines.suffix(2) == [end, "idle preRoll"])
    }

    @Test
    func aReplacementThatIsTooLongIsNotPlayed() async {
        let ads =
            VASTSamples.ad(id: "a", sequence: 1, file: "bad.mp4")
            + VASTSamples.ad(id: "long", duration: "00:00:30") + VASTSamples.ad(id: "short")
        var options = AdOptions()
        options.longestBreak = .seconds(5)
        let world = AdWorld(
            ["http://ads.test/tag": "<VAST version=\"3.0\">\(ads)</VAST>"],
            media: ["bad.mp4": Self.failing(.httpStatus)], options: options)
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        await world.run { world.ads.currentAd != nil }
        #expect(world.ads.currentAd?.id == "short")
    }

    /// Its error would count against an advertisement that nobody wanted to see.
    @Test
    func aReplacementThatIsNotNeededIsNotReported() async {
        let program =
            "<MediaFiles><MediaFile type=\"video/mp4\" apiFramework=\"VPAID\">http://ads.test/x</MediaFile></MediaFiles>"
        let needed = VASTSamples.ad(id: "a", linear: "<MediaFiles></MediaFiles>")
        let bad = VASTSamples.ad(id: "b", linear: program)
        let (good, last) = (VASTSamples.ad(id: "c"), VASTSamples.ad(id: "d"))
        for (ads, errors) in [(good + bad, []), (needed + bad + last, [403, 901])] {
            let world = AdWorld(["http://ads.test/tag": "<VAST version=\"3.0\">\(ads)</VAST>"])
            await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
            await world.run { world.view.state == .play }
            #expect(world.errors.map(\.code) == errors)
            #expect(world.delegate.lines.suffix(2) == ["complete preRoll", "idle preRoll"])
        }
    }

    /// As a third engine that plays only some containers.
    @Test
    func theEnginePlaysTheMediaFileThatIsChosen() async throws {
        let files = ["mp4", "webm"].map {
            "<MediaFile delivery=\"progressive\" type=\"video/\($0)\" bitrate=\"400\">http://ads.test/ad.\($0)</MediaFile>"
        }
        let document = VASTSamples.inline(linear: "<MediaFiles>\(files.joined())</MediaFiles>")
        let item = PlayerItem(url: AdWorld.film)
        func loaded(_ containers: Set<String>?) async -> LoadedBreak {
            let transport = AdTransport(for: item) { (request) throws(HTTPFetch.Failure) in
                HTTPFetch.Answer(status: 200, body: Data(document.utf8), url: request.url)
            }
            let loader = AdLoader(transport: transport, options: AdOptions(), item: item, containers: containers)
            return await loader.load(AdBreakPlan(position: .start, sources: [.address("http://ads.test")]), AdMacros())
        }
        #expect(await loaded(nil).ads.first?.files.map(\.type) == ["video/mp4", "video/webm"])
        #expect(await loaded(["video/webm"]).ads.first?.files.map(\.type) == ["video/webm"])
        #expect(await loaded(["video/ogg"]).failures.map(\.error) == [.noSupportedMedia])
    }

    /// A seek opens the second break in place of the first one.
    @Test
    func aBreakThatIsOpenedAgainReportsItsFailuresOnce() async {
        let pod = VASTSamples.ad(id: "a", sequence: 1, file: "bad.mp4") + VASTSamples.ad(id: "b", sequence: 2)
        let schedule = VMAPTests.schedule([
            ("00:00:08", "<VAST version=\"3.0\">\(pod)</VAST>"), ("00:00:20", VASTSamples.inline(id: "c")),
        ])
        let world = AdWorld(
            [AdWorld.schedule.absoluteString: schedule], media: ["bad.mp4": Self.failing(.httpStatus)])
        await world.load()
        await world.run { world.position > 3 }
        #expect(world.delegate.lines == ["failed midRoll vastAssetNotFound a"])
        world.view.seek(30)
        await world.run { world.ads.currentAd?.id == "c" }
        await world.run { world.view.state == .play }
        world.view.seek(5)
        await world.run { world.ads.currentAd?.id == "b" }
        #expect(world.delegate.lines.filter { $0.hasPrefix("failed") }.count == 1)
    }

    /// A schedule receives the error of a break, not that of each advertisement.
    @Test
    func theErrorOfABreakIsSentToItsScheduleOnce() async {
        let pod =
            VASTSamples.ad(id: "a", sequence: 1, linear: "<Duration>soon</Duration>")
            + VASTSamples.ad(id: "b", sequence: 2).replacing("<Ad id", with: "<Ad adType=\"hologram\" id")
        let breaks = [("start", "<VAST version=\"3.0\">\(pod)</VAST>"), ("00:00:10", VASTSamples.inline())]
        let error = "<Tracking event=\"error\">http://ads.test/failed?[ERROR_CODE]</Tracking>"
        let schedule = VMAPTests.schedule(breaks).replacing("<TrackingEvents>", with: "<TrackingEvents>" + error)
        let world = AdWorld([AdWorld.schedule.absoluteString: schedule])
        await world.load()
        await world.run(15)
        #expect(world.delegate.lines.filter { $0.hasPrefix("failed") }.count == 2)
        let trackers = await world.trackers(through: "/00:00:10/breakEnd")
        #expect(trackers.contains("/a/error?code=101") && trackers.contains("/b/error?code=200"))
        #expect(trackers.filter { $0.hasPrefix("/failed") } == ["/failed?101"])
    }

    // MARK: Time

    // MARK: Time

    @Test
    func aScheduleThatNeverComesHoldsTheItemForTheTimeOut() async {
        let world = AdWorld()
        world.server.delay(AdWorld.schedule.absoluteString, by: 60)
        await world.load()
        var options = AdOptions()
        options.documentTimeout = .seconds(100)
        await world.run(2.4)
        #expect(world.view.state != .play)
        #expect(await world.run(atMost: 3) { world.view.state == .play })
        #expect(world.delegate.lines == ["failed unknown vastLoadTimeout -"])
        await world.run(60)
        #expect(world.delegate.lines.count == 1)
    }

    /// The tags of a waterfall share the time.
    @Test
    func severalServersThatNeverAnswerHoldTheItemForOneTimeOut() async {
        let tags = (0..<5).map { "http://ads.test/\($0)" }
        let world = AdWorld()
        for tag in tags { world.server.delay(tag, by: 60) }
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: tags)))
        #expect(await world.run(atMost: 5.2) { world.view.state == .play })
        #expect(world.delegate.lines.allSatisfy { !$0.hasPrefix("play") })
    }

    /// Breaks one after another share the time, until one of them plays.
    @Test
    func severalBreaksThatNeverComeHoldTheItemForOneTimeOut() async {
        let document = VASTSamples.inline()
        let schedule = VMAPTests.schedule([
            ("start", document), ("start", document), ("start", document), ("00:00:10", document),
        ])
        let world = AdWorld(
            [AdWorld.schedule.absoluteString: schedule], media: ["ad.mp4": SimulatedMedia(duration: 2, loadDelay: 60)])
        await world.load()
        #expect(await world.run(atMost: 5.2) { world.view.state == .play })
        #expect(world.delegate.lines.suffix(2) == ["failed preRoll vastMediaLoadTimeout ad", "idle preRoll"])
        await world.run { world.view.state == .pause }
        #expect(await world.run(atMost: 5.2) { world.view.state == .play })
        #expect(world.delegate.lines.last == "idle midRoll")
    }

    @Test
    func aPreparedAdvertisementThatFailsIsNotWaitedFor() async {
        let world = AdWorld(
            [AdWorld.schedule.absoluteString: VMAPTests.schedule([("00:00:10", VASTSamples.inline())])],
            media: ["ad.mp4": Self.failing(.httpStatus)])
        await world.load()
        await world.run(20)
        #expect(world.position > 19 && world.view.state == .play)
        #expect(world.delegate.lines == ["failed midRoll vastAssetNotFound ad"])
    }

    @Test
    func anItemThatIsTriedAgainHasItsOtherBreaks() async {
        let breaks = ["00:00:05", "00:00:20"].map { ($0, VASTSamples.inline()) }
        let content = SimulatedMedia(
            duration: 60, failure: .init(at: 10, error: PlaybackError(.decodingFailed, url: nil)))
        let world = AdWorld(
            [AdWorld.schedule.absoluteString: VMAPTests.schedule(breaks)], content: content,
            reopened: SimulatedMedia(duration: 60))
        await world.load()
        await world.run { world.view.state == .failure }
        world.view.play()
        await world.run(20)
        #expect(world.delegate.lines.filter { $0 == "complete midRoll" }.count == 2)
        #expect(world.view.state == .play && world.position > 20)
    }

    @Test
    func aUserWhoPausesStopsTheTimeOut() async {
        let world = AdWorld(
            ["http://ads.test/tag": VASTSamples.inline()], media: ["ad.mp4": SimulatedMedia(duration: 2, loadDelay: 6)])
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        await world.run(1)
        world.view.pause()
        await world.run(6)
        world.view.play()
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.contains("complete preRoll"))
    }

    @Test
    func anAdvertisementThatStallsIsGivenUp() async {
        let world = AdWorld(
            ["http://ads.test/tag": VASTSamples.inline()],
            media: ["ad.mp4": SimulatedMedia(duration: 2, stalls: [.init(at: 1, for: 60)])])
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        #expect(await world.run(atMost: 7) { world.view.state == .play })
        #expect(world.delegate.lines.suffix(2) == ["failed preRoll vastMediaLoadTimeout ad", "idle preRoll"])
    }

    /// Neither its other files nor the other advertisements are tried one after another.
    @Test
    func advertisementsThatHangAfterOneThatPlayedHoldTheItemForTwoTimeOuts() async {
        let files = (0..<30).map {
            "<MediaFile delivery=\"progressive\" type=\"video/mp4\">http://ads.test/late\($0).mp4</MediaFile>"
        }
        let linear = "<Duration>00:00:02</Duration><MediaFiles>\(files.joined())</MediaFiles>"
        let ads =
            VASTSamples.ad(id: "a", sequence: 1)
            + (2...9).map { (number: Int) in VASTSamples.ad(id: "b\(number)", sequence: number, linear: linear) }
            .joined()
        let late = SimulatedMedia(duration: 2, loadDelay: 600)
        let world = AdWorld(
            ["http://ads.test/tag": "<VAST version=\"3.0\">\(ads)</VAST>"],
            media: Dictionary(uniqueKeysWithValues: (0..<30).map { ("late\($0).mp4", late) }))
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        #expect(await world.run(atMost: 13) { world.view.state == .play })
        #expect(world.delegate.lines.filter { $0.hasPrefix("failed") }.count == 2)
    }

    @Test
    func anItemThatFailsWhileItsBreakLoadsOpensNoAdvertisement() async {
        let content = SimulatedMedia(duration: 60, failure: .init(error: PlaybackError(.fileNotFound, url: nil)))
        let world = AdWorld(
            ["http://ads.test/tag": VASTSamples.inline()], content: content, reopened: SimulatedMedia(duration: 60))
        world.server.delay("http://ads.test/tag", by: 1)
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        await world.run(5)
        #expect(world.view.state == .failure && world.view.snapshot.advertisement == nil)
        #expect(world.adBackend == nil)
        world.view.play()
        #expect(await world.run(atMost: 5) { world.view.state == .play })
    }

    @Test
    func anAdvertisementThatStallsForAMomentPlaysOnce() async {
        let world = AdWorld(
            ["http://ads.test/tag": VASTSamples.inline()],
            media: ["ad.mp4": SimulatedMedia(duration: 2, stalls: [.init(at: 1, for: 1)])])
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        #expect(await world.run(atMost: 7) { world.view.state == .play })
        let lines = ["start", "loaded", "play", "complete", "idle"].map { "\($0) preRoll" }
        #expect(world.delegate.lines == lines)
    }

    @Test
    func anotherMediaFileReplacesOneThatFails() async {
        let files = ["high", "low"].enumerated().map {
            "<MediaFile delivery=\"progressive\" type=\"video/mp4\" bitrate=\"\(900 - $0.offset)\">http://ads.test/\($0.element).mp4</MediaFile>"
        }
        let linear = "<Duration>00:00:02</Duration><MediaFiles>\(files.joined())</MediaFiles>"
        let world = AdWorld(
            ["http://ads.test/tag": VASTSamples.inline(linear: linear)],
            media: ["high.mp4": Self.failing(.httpStatus)])
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.contains("complete preRoll"))
        #expect(!world.delegate.lines.contains { $0.hasPrefix("failed") })
    }

    @Test
    func anotherAdvertisementReplacesOneThatFails() async {
        let ads = VASTSamples.ad(id: "a", file: "a.mp4") + VASTSamples.ad(id: "b", file: "b.mp4")
        let world = AdWorld(
            ["http://ads.test/tag": "<VAST version=\"3.0\">\(ads)</VAST>"], media: ["a.mp4": Self.failing(.httpStatus)])
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        await world.run { world.view.state == .play }
        #expect(world.delegate.lines.filter { $0.hasPrefix("failed") } == ["failed preRoll vastAssetNotFound a"])
        #expect(world.delegate.lines.contains("complete preRoll"))
        #expect(await world.trackers(through: "/b/complete").contains("/a/error?code=401"))
    }

    /// The policy of the item applies to its advertisements.
    @Test
    func thePolicyOfTheItemForbidsAddresses() async {
        let world = AdWorld([
            "https://ads.test/tag": VASTSamples.inline(), "http://ads.test/tag": VASTSamples.inline(),
        ])
        var media = MediaExternal(
            url: URL(string: "https://film.test/film.mp4")!,
            adSchedule: AdScheduleWaterfall(
                preAdBreak: AdBreak(adTags: ["http://ads.test/tag", "https://ads.test/tag"])))
        media.securityPolicy = .httpsOnly
        world.view.load(external: media)
        await world.run { world.view.state == .play }
        #expect(world.server.requests == ["https://ads.test/tag"])
        #expect(world.delegate.lines.filter { $0.hasPrefix("failed") }.count == 2, "The media file is not over HTTPS.")
        #expect(world.server.trackers == [])
    }
}
