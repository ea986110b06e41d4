import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import Testing

@testable import Advertising

/// The trackers of a session, in virtual time.
@MainActor
@Suite struct SessionTrackingTests {
    private static let session = "http://dai.test/session"
    private static let tracking = "http://dai.test/tracking"
    private static let answer = #"{"manifestUrl": "http://cdn.test/1.m3u8", "trackingUrl": "/tracking"}"#

    private func world(
        breaks: [Double] = [10, 40], media: SimulatedMedia = SimulatedMedia(duration: 60, playbackType: .vod),
        tracking: String? = nil
    ) async -> (AdWorld, DAILog) {
        let document = tracking ?? SessionDocument.text(breaks)
        let world = AdWorld([Self.session: Self.answer, Self.tracking: document], content: media)
        world.ads.options.sessions.vod = Self.session
        let log = DAILog()
        world.view.daiDelegate = log
        world.view.load(dai: MediaDAI(stream: DAIStreamVOD(contentSourceID: "c", videoID: "v")))
        #expect(await world.recorder.event { if case .resolved = $0 { true } else { false } })
        await world.run { world.view.state == .play }
        return (world, log)
    }

    @Test
    func theDocumentNamesTheBreaksAndEachTrackerIsCalledOnce() async {
        let (world, log) = await world()
        #expect(world.view.snapshot.adBreaks == [10...18, 40...48])
        await world.run { world.view.playbackState == .ads }
        let ad = world.view.snapshot.advertisement
        #expect(ad?.title == "Title a" && ad?.clickThrough?.absoluteString == "http://shop.test/a" && ad?.count == 2)
        #expect(world.ads.currentAd?.id == "a" && world.view.snapshot.advertisement?.canSkip == false)
        await world.run { log.lines.last == "adBreakEnded" }
        let ads = ["a", "b"].flatMap { ad in SessionDocument.trackers.map { "/\(ad)/\($0)" } }
        let expected = ["/10/breakStart"] + ads + ["/10/breakEnd"]
        #expect(await world.trackers(through: "/10/breakEnd").sorted() == expected.sorted())
        // The break is content from now on.
        world.view.seek(5)
        await world.run { world.position > 20 }
        #expect(world.server.trackers.count == expected.count)
        #expect(world.server.requests == [Self.session, Self.tracking], "The document is complete.")
    }

    @Test
    func aClickPausesAndTheHostOpensThePage() async {
        let (world, log) = await world()
        world.view.clickAd()
        #expect(log.lines == ["loaded"], "No advertisement plays.")
        await world.run { world.view.playbackState == .ads }
        world.view.clickAd()
        #expect(world.delegate.pages.map(\.absoluteString) == ["http://shop.test/a"])
        #expect(log.lines.suffix(2) == ["adClicked", "adPaused"] && world.view.state == .pause)
        world.view.play()
        #expect(log.lines.last == "adResumed")
        let trackers = await world.trackers(through: "/a/resume")
        #expect(trackers.filter { ["/a/clickTracking", "/a/pause", "/a/resume"].contains($0) }.count == 3)
        #expect(world.delegate.lines == [], "These are no events of the ad delegate.")
    }

    @Test
    func anAdvertisementIsSkippedOnceItMayBe() async {
        let (world, log) = await world()
        await world.run { world.view.snapshot.advertisement?.number == 2 }
        world.view.skipAd()
        #expect(log.lines.last == "adStarted")
        await world.run { world.view.snapshot.advertisement?.canSkip == true }
        world.view.skipAd()
        world.view.skipAd()
        #expect(log.lines.last == "adSkipped" && world.position == 18)
        await world.run { log.lines.last == "adBreakEnded" }
        #expect(log.lines.suffix(3) == ["adStarted", "adSkipped", "adBreakEnded"])
        let trackers = await world.trackers(through: "/10/breakEnd")
        #expect(trackers.contains("/b/skip") && !trackers.contains("/b/midpoint") && !trackers.contains("/b/complete"))
    }

    @Test
    func aSkipContinuesAtTheRequestedPosition() async {
        let (world, log) = await world()
        world.view.seek(30)
        await world.run { world.view.snapshot.advertisement?.canSkip == true }
        world.view.skipAd()
        await world.run { log.lines.last == "adBreakEnded" }
        #expect(world.position == 30)
    }

    /// At this rate the positions are 1 s apart.
    @Test
    func anAdvertisementBetweenTwoPositionsIsCounted() async {
        let (world, log) = await world(tracking: SessionDocument.text([9.05], length: 0.6))
        world.view.rate = 4
        await world.run { log.lines.last == "adBreakEnded" }
        #expect(world.recorder.positions.allSatisfy { !(9.05...9.65).contains($0) }, "\(world.recorder.positions)")
        let ads = ["a", "b"].flatMap { ad in SessionDocument.trackers.map { "/\(ad)/\($0)" } }
        #expect(await world.trackers(through: "/9/breakEnd") == ["/9/breakStart"] + ads + ["/9/breakEnd"])
    }

    /// The server of a session is another one than the host's, so it cannot name a file of the machine.
    @Test
    func theDocumentIsNoFileOfTheMachine() async throws {
        let file = URL(filePath: NSTemporaryDirectory()).appending(path: "tracking-\(UUID().uuidString).json")
        try Data(SessionDocument.text([10]).utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let answer = #"{"manifestUrl": "http://cdn.test/1.m3u8", "trackingUrl": "\#(file.absoluteString)"}"#
        let world = AdWorld([Self.session: answer], content: SimulatedMedia(duration: 60, playbackType: .vod))
        world.ads.options.sessions.vod = Self.session
        world.view.load(dai: MediaDAI(stream: DAIStreamVOD(contentSourceID: "c", videoID: "v")))
        #expect(await world.recorder.event { if case .resolved = $0 { true } else { false } })
        await world.run { world.view.state == .play }
        await world.run(2)
        #expect(world.view.snapshot.adBreaks == [])
        #expect(world.recorder.notices.map(\.code).last == "trackersUnavailable")
    }

    @Test
    func aDocumentWithoutBreaksIsRequestedForAMinute() async {
        let media = SimulatedMedia(duration: 200, playbackType: .vod)
        let (world, _) = await world(media: media, tracking: SessionDocument.text([]))
        await world.run(100)
        #expect(world.server.requests.filter { $0 == Self.tracking }.count == 6)
    }

    @Test
    func anAbandonedBreakIsNotCountedAgain() async {
        let (world, _) = await world()
        await world.run { world.view.playbackState == .ads }
        await world.run(1.2)
        world.view.seek(3)
        await world.run { world.position > 17.5 }
        let trackers = await world.trackers(through: "/b/thirdQuartile")
        #expect(trackers.filter { $0.hasPrefix("/a/") } == ["/a/impression", "/a/start", "/a/firstQuartile"])
        #expect(trackers.filter { $0 == "/10/breakStart" }.count == 1)
    }

    @Test
    func whatIsNotSeenIsNotCounted() async {
        let (world, log) = await world()
        world.view.videoOutput = .none
        await world.run { log.lines.last == "adBreakEnded" }
        #expect(await world.trackers(through: "/10/breakEnd") == ["/10/breakStart", "/10/breakEnd"])
    }

    @Test
    func muteAndMarksOfTheStreamAreFollowed() async {
        var media = SimulatedMedia(duration: 60, playbackType: .vod)
        // One mark for the whole break, and one for a break that the document does not have.
        media.markers = [(10.2, 7.8), (30, 4)].map { start, duration in
            StreamMarker(id: "out \(start)", kind: .cueOut, start: start, duration: duration)
        }
        let (world, log) = await world(breaks: [10], media: media)
        #expect(world.view.snapshot.adBreaks == [10...18, 30...34])
        await world.run { world.view.playbackState == .ads }
        world.view.isMuted = true
        #expect(await world.trackers(through: "/a/mute").contains("/a/mute"))
        await world.run { log.lines.last == "adBreakEnded" }
        await world.run { world.view.playbackState == .ads }
        #expect(world.ads.currentAd == nil && world.view.snapshot.advertisement?.title == nil)
    }

    @Test
    func aDocumentThatComesLateCountsWhatWasSeen() async {
        var media = SimulatedMedia(duration: 60, playbackType: .vod)
        media.markers = [StreamMarker(id: "out", kind: .cueOut, start: 0, duration: 8)]
        let world = AdWorld([Self.session: Self.answer, Self.tracking: SessionDocument.text([0])], content: media)
        world.server.delay(Self.tracking, by: 2)
        world.ads.options.sessions.vod = Self.session
        let log = DAILog()
        world.view.daiDelegate = log
        world.view.load(dai: MediaDAI(stream: DAIStreamVOD(contentSourceID: "c", videoID: "v")))
        #expect(await world.recorder.event { if case .resolved = $0 { true } else { false } })
        await world.run { log.lines.last == "adStarted" }
        #expect(world.server.trackers == [])
        await world.run { log.lines.last == "adBreakEnded" }
        let trackers = await world.trackers(through: "/0/breakEnd")
        #expect(trackers.filter { $0.hasPrefix("/a") } == SessionDocument.trackers.map { "/a/\($0)" })
    }

    /// A live stream whose document names a break after some seconds, or before so many.
    private func liveWorld(breakAfter seconds: Double, length: Double = 4) async -> (AdWorld, DAILog) {
        let world = AdWorld([Self.session: Self.answer, Self.tracking: SessionDocument.text([])], content: .live())
        world.ads.options.sessions.live = Self.session
        let log = DAILog()
        world.view.daiDelegate = log
        world.view.load(dai: MediaDAI(stream: DAIStreamLive(assetKey: "k")))
        #expect(await world.recorder.event { if case .resolved = $0 { true } else { false } })
        await world.run { world.view.state == .play }
        world.server.set(SessionDocument.text([world.position + seconds], length: length), at: Self.tracking)
        await world.run { log.lines.last == "adStarted" }
        return (world, log)
    }

    @Test
    func aLiveStreamIsAskedAgain() async {
        let (world, log) = await liveWorld(breakAfter: 7.7)
        #expect(world.server.requests.filter { $0 == Self.tracking }.count == 2)
        #expect(world.view.snapshot.advertisement?.canSkip == false)
        await world.run { log.lines.last == "adBreakEnded" }
        let trackers = await world.trackers(through: "/b/complete")
        #expect(trackers.filter { $0.hasPrefix("/a") } == SessionDocument.trackers.map { "/a/\($0)" })
    }

    @Test
    func anAdvertisementThatWasJoinedLateCountsFromThen() async {
        let (world, log) = await liveWorld(breakAfter: -25, length: 40)
        await world.run { log.lines.last == "adBreakEnded" }
        let trackers = await world.trackers(through: "/b/complete")
        let missed = ["start", "firstQuartile", "progress", "midpoint"]
        let expected = SessionDocument.trackers.filter { !missed.contains($0) }.map { "/a/\($0)" }
        #expect(trackers.filter { $0.hasPrefix("/a") } == expected)
    }

    @Test
    func aSeekInALiveStreamEndsTheTracking() async {
        let (world, log) = await liveWorld(breakAfter: 12)
        await world.run(3.2)
        world.view.seek(world.position - 2.5)
        await world.run { log.lines.last == "adBreakEnded" }
        let trackers = await world.trackers(through: "/b/complete")
        #expect(trackers.contains("/a/thirdQuartile") && !trackers.contains("/a/complete"))
    }

    @Test(arguments: ["", "[]", "{}", "<VMAP/>", #"{"avails": [{"ads": []}]}"#])
    func aBrokenDocumentIsReportedOnce(document: String) async {
        let (world, log) = await world(tracking: document)
        await world.run(25)
        let codes = world.recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(codes.filter { $0 == "trackersUnavailable" }.count == 1, "\(codes)")
        #expect(log.lines == ["loaded"] && world.view.state == .play)
        #expect(world.server.requests.filter { $0 == Self.tracking }.count == 3)
    }

    @Test
    func theNumbersOfADocumentAreLimited() throws {
        let spots = (0..<200).map { SessionDocument.ad("x", at: Double($0)) }.joined(separator: ",")
        let avail = "{\"startTimeInSeconds\": 0, \"durationInSeconds\": 1, \"ads\": [\(spots)]}"
        let long = avail.replacing("http://ads.test/", with: "http://ads.test/" + String(repeating: "a", count: 9000))
        let invalid = ["-1", "1e300"].map {
            "{\"startTimeInSeconds\": \($0), \"durationInSeconds\": 1, \"ads\": [\(SessionDocument.ad("y", at: 0))]}"
        }
        let document = "{\"avails\": [\(([avail, long] + invalid).joined(separator: ","))]}"
        let breaks = try #require(SessionBreak.breaks(in: Data(document.utf8)))
        #expect(breaks.count == 2 && breaks[0].ads.count == VASTDocument.mostAds)
        #expect(breaks[1].ads[0].ad.impressions == [])
    }
}
