import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import Testing

@testable import Advertising

/// Each error of VAST, in virtual time: the item plays within the time-out, the error is reported once, and its trackers are called.
@MainActor
@Suite struct AdErrorTests {
    /// One way to an error.
    nonisolated struct Case: Sendable, CustomTestStringConvertible {
        let code: Int
        var name = ""
        /// The answer of the ad server.
        var document = ""
        var delay: Double?
        var status: Int?
        var media = SimulatedMedia(duration: 2)
        var others: [String: String] = [:]
        var configure: @Sendable (inout AdOptions) -> Void = { _ in }
        /// `true` if the advertisement plays in spite of the error.
        var plays = false
        /// `true` if a tracker receives the error.
        var isTracked = true

        var testDescription: String { "\(code) \(name)" }
    }

    private nonisolated static let wrapper = "http://ads.test/next"

    private nonisolated static func ad(_ change: (String) -> String = { $0 }) -> String { change(VASTSamples.inline()) }

    private nonisolated static func replacing(_ old: String, _ new: String) -> String {
        VASTSamples.inline().replacingOccurrences(of: old, with: new)
    }

    private nonisolated static func failing(_ code: PlaybackErrorCode, at position: Double? = nil) -> SimulatedMedia {
        SimulatedMedia(duration: 2, failure: .init(at: position, error: PlaybackError(code, url: nil)))
    }

    nonisolated static let cases: [Case] = [
        Case(code: 100, name: "no XML", document: "<VAST", isTracked: false),
        Case(
            code: 100, name: "10 MB", document: "<VAST version=\"3.0\">" + String(repeating: "<Ad/>", count: 2_000_000),
            isTracked: false),
        Case(
            code: 100, name: "entities",
            document: "<!DOCTYPE l [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]><VAST version=\"3.0\">&c;</VAST>",
            isTracked: false),
        Case(code: 101, document: "<html></html>", isTracked: false),
        Case(code: 102, document: "<VAST version=\"7.0\"></VAST>", isTracked: false),
        Case(code: 200, document: replacing("<Ad id", "<Ad adType=\"smell\" id")),
        Case(
            code: 201,
            document: VASTSamples.inline().replacing(
                /<Linear>[\s\S]*<\/Linear>/, with: "<NonLinearAds><NonLinear/></NonLinearAds>")),
        Case(code: 202, media: SimulatedMedia(duration: 3600), plays: true),
        Case(code: 203, document: replacing("height=\"180\"", "height=\"900\""), plays: true),
        Case(
            code: 204, others: [wrapper: ad()]
        ).wrapped(blocking: "IAB2"),
        Case(code: 205, others: [wrapper: VASTSamples.inline(extra: "<Category authority=\"i\">IAB2</Category>")])
            .wrapped(blocking: "IAB2"),
        Case(code: 206, configure: { $0.longestBreak = .seconds(1) }),
        Case(code: 300, document: VASTSamples.wrapper(to: wrapper), others: [wrapper: "404"]),
        Case(code: 301, document: VASTSamples.wrapper(to: wrapper), delay: 60),
        Case(code: 301, name: "first document", delay: 60, isTracked: false),
        Case(
            code: 302, document: VASTSamples.wrapper(to: wrapper), others: [wrapper: VASTSamples.wrapper(to: wrapper)]),
        Case(
            code: 303, document: "<VAST version=\"3.0\"><Error>http://ads.test/ad/error?code=[ERRORCODE]</Error></VAST>"
        ),
        Case(code: 304, media: SimulatedMedia(duration: 2, stalls: [.init(at: 0, for: 100)]), plays: true),
        Case(code: 400, media: failing(.connectionLost, at: 1), plays: true),
        Case(code: 400, name: "forbidden", document: replacing("http://ads.test/ad.mp4", "file:///etc/passwd")),
        Case(code: 401, media: failing(.hostNotFound)),
        Case(code: 402, media: SimulatedMedia(duration: 2, loadDelay: 100)),
        Case(code: 403, document: replacing("video/mp4", "video/x-flv")),
        Case(code: 405, media: failing(.unrecognisedFormat)),
        Case(code: 406, configure: { $0.accept = { (_) throws(VASTError) in throw .missingMezzanine } }),
        Case(code: 407, configure: { $0.accept = { (_) throws(VASTError) in throw .convertingMezzanine } }),
        Case(code: 408, document: replacing("<Ad id", "<Ad conditionalAd=\"true\" id")),
        Case(
            code: 409,
            document: replacing(
                "<MediaFiles>",
                "<MediaFiles><InteractiveCreativeFile apiFramework=\"SIMID\">http://a.test/</InteractiveCreativeFile>"),
            plays: true),
        Case(
            code: 410,
            document: VASTSamples.inline(
                extra: "<AdVerifications><Verification vendor=\"v\"></Verification></AdVerifications>"), plays: true),
        Case(code: 411, configure: { $0.accept = { (_) throws(VASTError) in throw .invalidMezzanine } }),
        Case(
            code: 602,
            document: replacing("<Creative id", "<Creative><CompanionAds required=\"all\"/></Creative><Creative id")),
        Case(code: 900, media: failing(.engineFailed)),
        Case(
            code: 901,
            document: replacing("type=\"video/mp4\"", "type=\"application/javascript\" apiFramework=\"VPAID\"")),
    ]

    @Test(arguments: cases)
    func eachErrorIsReportedOnce(_ example: Case) async throws {
        var options = AdOptions()
        example.configure(&options)
        let address = "http://ads.test/tag"
        var documents = example.others.filter { $0.value != "404" }
        documents[address] = example.document.isEmpty ? VASTSamples.inline() : example.document
        let world = AdWorld(documents, media: ["ad.mp4": example.media], options: options)
        let isWrapped = documents[address]?.contains("VASTAdTagURI") == true
        if let delay = example.delay { world.server.delay(isWrapped ? Self.wrapper : address, by: delay) }
        if example.others.values.contains("404") { world.server.fail(Self.wrapper, with: 404) }
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: [address])))
        let start = world.clock.hostTime
        // An advertisement that lasts for ever is cut.
        #expect(await world.run(atMost: 5.3) { world.view.state == .play }, "\(world.story)")
        if !example.plays { #expect(!world.delegate.lines.contains { $0.hasPrefix("play") }) }
        #expect((world.clock.hostTime - start).inSeconds <= (example.plays ? 5.3 : 5.11))
        let codes = world.recorder.events.compactMap { event -> Int? in
            guard case .ad(.failed(_, let type, _, let code)) = event else { return nil }
            #expect(type == .preRoll)
            return code
        }
        #expect(codes == [example.code], "\(world.story)")
        #expect(world.view.snapshot.suppression == [] && world.position < 0.2)
        guard example.isTracked else { return }
        let isCalled = { (path: String) in path.contains("error?code=\(example.code)") }
        while !world.server.trackers.contains(where: isCalled) { await Task.yield() }
        let expected =
            isWrapped && ![300, 301, 302].contains(example.code) ? 2 : isWrapped && example.code == 302 ? 2 : 1
        while world.server.trackers.filter(isCalled).count < expected { await Task.yield() }
        #expect(world.server.trackers.filter(isCalled).count == expected)
    }

    /// The rest is reported by a host that shows the parts.
    @Test
    func theHostReportsWhatItCannotShow() async {
        let world = AdWorld(["http://ads.test/tag": VASTSamples.inline()])
        await world.load(AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        await world.run { world.ads.currentAd != nil }
        let codes: [VASTError] = [
            .nonLinearFailed, .nonLinearSize, .nonLinearNotFound, .noSupportedNonLinear, .companionFailed,
            .companionSize, .companionNotFound, .noSupportedCompanion,
        ]
        for error in codes { world.ads.didFail(with: error) }
        let trackers = await world.trackers(through: "/ad/error?code=604")
        #expect(trackers.filter { $0.contains("error") } == codes.map { "/ad/error?code=\($0.rawValue)" })
    }

    @Test
    func everyErrorFrom100To900HasACase() {
        let byHost: Set = [500, 501, 502, 503, 600, 601, 603, 604]
        let all = Set(VASTError.allCases.map(\.rawValue).filter { $0 <= 900 })
        #expect(all == byHost.union(Self.cases.map(\.code).filter { $0 <= 900 }))
    }

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

extension AdErrorTests.Case {
    /// Behind a wrapper that blocks a category.
    nonisolated fileprivate func wrapped(blocking category: String) -> Self {
        var example = self
        example.document = VASTSamples.wrapper(to: "http://ads.test/next").replacingOccurrences(
            of: "<AdSystem>", with: "<BlockedAdCategories authority=\"i\">\(category)</BlockedAdCategories><AdSystem>")
        return example
    }
}
