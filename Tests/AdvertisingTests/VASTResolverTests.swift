import Foundation
import Synchronization
import Testing

@testable import Advertising

extension VASTResolver {
    /// Resolves the document at an address of the host.
    func resolve(_ address: String) async -> Outcome {
        await resolve(.address(address), of: AdBreakPlan(position: .start, sources: []))
    }
}

struct VASTResolverTests {
    private static let server = URL(string: "http://ads.test")!

    /// A resolver whose documents are in a table.
    private func resolver(_ documents: [String: String]) -> VASTResolver {
        VASTResolver { address, _ throws(VASTError) in
            guard let text = documents[address] else { throw .wrapperFailed }
            return (Data(text.utf8), Self.server)
        }
    }

    @Test
    func wrappersAddTheirTrackers() async {
        let resolver = resolver([
            "a": VASTSamples.wrapper(to: "b", server: "http://one.test"),
            "b": VASTSamples.wrapper(to: "c", server: "http://two.test"), "c": VASTSamples.inline(),
        ])
        let outcome = await resolver.resolve("a")
        #expect(outcome.failures == [] && outcome.ads.count == 1)
        let ad = outcome.ads.first
        #expect(
            ad?.impressions == [
                "http://one.test/impression", "http://two.test/impression", "http://ads.test/ad/impression",
            ])
        let starts = ad?.linear?.tracking.filter { $0.event == "start" }.map(\.address)
        #expect(starts == ["http://one.test/start", "http://two.test/start", "http://ads.test/ad/start"])
    }

    @Test
    func fiveWrappersAreFollowedAndASixthIsNot() async {
        func chain(_ length: Int) -> [String: String] {
            var documents = ["\(length)": VASTSamples.inline()]
            for number in 0..<length {
                documents["\(number)"] = VASTSamples.wrapper(to: "\(number + 1)", server: "http://\(number).test")
            }
            return documents
        }
        #expect(await resolver(chain(5)).resolve("0").ads.count == 1)
        let outcome = await resolver(chain(6)).resolve("0")
        #expect(outcome.ads == [])
        #expect(outcome.failures.map(\.error) == [.tooManyWrappers])
        #expect(outcome.failures.first?.trackers.count == 6)
    }

    /// Otherwise a slow server would take the time of the others.
    @Test
    func theWrappersOfAPodAreRequestedAtTheSameTime() async {
        let wrappers = (1...3).map {
            "<Ad sequence=\"\($0)\"><Wrapper><VASTAdTagURI>\($0)</VASTAdTagURI></Wrapper></Ad>"
        }
        let list = "<VAST version=\"3.0\">\(wrappers.joined())</VAST>"
        let arrived = Mutex(0)
        let resolver = VASTResolver { address, _ throws(VASTError) in
            guard address != "start" else { return (Data(list.utf8), Self.server) }
            // Each waits until all have arrived.
            arrived.withLock { $0 += 1 }
            while arrived.withLock(\.self) < 3 { await Task.yield() }
            return (Data(VASTSamples.inline(id: address).utf8), Self.server)
        }
        let outcome = await resolver.resolve("start")
        #expect(outcome.ads.map(\.id) == ["1", "2", "3"] && outcome.failures == [])
    }

    @Test
    func ofSeveralIconsForOneProgramTheInnermostCounts() async throws {
        func icons(_ program: String, _ names: [String]) -> String {
            let icons = names.map { "<Icon program=\"\(program)\"><HTMLResource>\($0)</HTMLResource></Icon>" }
            return "<Icons>\(icons.joined())</Icons><MediaFiles>"
        }
        let inner = VASTSamples.inline().replacing("<MediaFiles>", with: icons("AdChoices", ["inner"]))
        let outer = VASTSamples.wrapper(to: "b").replacing(
            "</TrackingEvents>",
            with: "</TrackingEvents><Icons><Icon program=\"AdChoices\"><HTMLResource>outer</HTMLResource></Icon>"
                + "<Icon program=\"Other\"><HTMLResource>other</HTMLResource></Icon></Icons>")
        let ad = try #require(await resolver(["a": outer, "b": inner]).resolve("a").ads.first)
        #expect(ad.linear?.icons.map(\.resources) == [[.html("inner")], [.html("other")]])
    }

    @Test
    func aLoopOfWrappersIsFound() async {
        let outcome = await resolver(["a": VASTSamples.wrapper(to: "b"), "b": VASTSamples.wrapper(to: "a")]).resolve(
            "a")
        #expect(outcome.failures.map(\.error) == [.tooManyWrappers])
    }

    @Test
    func aThousandWrappersMakeAFewRequests() async {
        let count = Mutex(0)
        let ads = (0..<1000).map {
            "<Ad sequence=\"\($0 + 1)\"><Wrapper><VASTAdTagURI>x\($0)</VASTAdTagURI></Wrapper></Ad>"
        }
        let list = "<VAST version=\"3.0\">\(ads.joined())</VAST>"
        let resolver = VASTResolver { address, _ throws(VASTError) in
            count.withLock { $0 += 1 }
            return (Data(list.utf8), Self.server)
        }
        let outcome = await resolver.resolve("start")
        #expect(outcome.ads == [])
        #expect(count.withLock(\.self) == VASTResolver.mostDocuments)
    }

    @Test(arguments: [
        ("missing", VASTError.wrapperFailed), ("none", .noAdvertisement), ("html", .invalidSchema), ("text", .notXML),
        ("conditional", .conditionalRejected),
    ])
    func eachFailureHasItsNumber(address: String, error: VASTError) async {
        let conditional = VASTSamples.inline().replacingOccurrences(of: "<Ad id", with: "<Ad conditionalAd=\"true\" id")
        let outcome = await resolver([
            "none": "<VAST version=\"3.0\"><Error>http://ads.test/none</Error></VAST>", "html": "<html/>", "text": "no",
            "conditional": conditional, "w": VASTSamples.wrapper(to: address),
        ]).resolve("w")
        #expect(outcome.ads == [] && outcome.failures.map(\.error) == [error])
        #expect(outcome.failures.first?.trackers.first == "http://wrap.test/error?code=[ERRORCODE]")
    }

    @Test
    func aWrapperWithoutMultipleAdsPlaysOne() async {
        let pod =
            "<VAST version=\"3.0\">\(VASTSamples.ad(id: "a", sequence: 1))\(VASTSamples.ad(id: "b", sequence: 2))\(VASTSamples.ad(id: "c"))</VAST>"
        let documents = [
            "one": VASTSamples.wrapper(to: "pod"),
            "all": VASTSamples.wrapper(to: "pod", attributes: " allowMultipleAds=\"true\""), "pod": pod,
        ]
        #expect(await resolver(documents).resolve("one").ads.map(\.id) == ["c"])
        #expect(await resolver(documents).resolve("all").ads.map(\.id) == ["a", "b"])
        #expect(await resolver(documents).resolve("all").replacements.map(\.id) == ["c"])
    }

    @Test
    func aWrapperWithoutMultipleAdsHasNoReplacements() async {
        let list = "<VAST version=\"3.0\">\(["a", "b", "c"].map { VASTSamples.ad(id: $0) }.joined())</VAST>"
        let outcome = await resolver(["one": VASTSamples.wrapper(to: "list"), "list": list]).resolve("one")
        #expect(outcome.ads.map(\.id) == ["a"] && outcome.replacements == [])
    }

    /// An inner wrapper cannot allow what an outer one forbids.
    @Test
    func everyWrapperMayForbidMultipleAds() async {
        let pod = [("b", 2), ("a", 1)].map { VASTSamples.ad(id: $0.0, sequence: $0.1) }.joined()
        let outcome = await resolver([
            "outer": VASTSamples.wrapper(to: "inner"),
            "inner": VASTSamples.wrapper(to: "pod", attributes: " allowMultipleAds=\"true\""),
            "pod": "<VAST version=\"3.0\">\(pod)</VAST>",
        ]).resolve("outer")
        #expect(outcome.ads.map(\.id) == ["a"])
    }

    @Test
    func anInvalidAdDoesNotSpoilItsDocument() async {
        let bad = VASTSamples.ad(id: "bad", sequence: 1, linear: "<Duration>soon</Duration>")
        let pod = "<VAST version=\"3.0\">\(bad)\(VASTSamples.ad(id: "b", sequence: 2))</VAST>"
        let outcome = await resolver(["pod": pod]).resolve("pod")
        #expect(outcome.ads.map(\.id) == ["b"])
        let failure = VASTResolver.Failure(
            error: .invalidSchema, trackers: ["http://ads.test/bad/error?code=[ERRORCODE]"])
        #expect(outcome.failures == [failure])
        let wrapper = VASTSamples.wrapper(to: "pod").replacing(
            "<Linear>", with: "<Linear><Duration>soon</Duration>")
        let wrapped = await resolver(["wrapper": wrapper, "pod": pod]).resolve("wrapper")
        #expect(wrapped.ads == [] && wrapped.failures.map(\.error) == [.invalidSchema])
    }

    /// A wrapper has trackers for the parts of its advertisement, and images for one without.
    @Test
    func companionsAndNonLinearPartsHaveTheTrackersOfWrappers() async throws {
        func parts(_ server: String, image: String) -> String {
            """
            <Creative><CompanionAds><Companion width="300" height="250">\(image)
              <CompanionClickTracking>\(server)/click</CompanionClickTracking><TrackingEvents>
              <Tracking event="creativeView">\(server)/view</Tracking></TrackingEvents></Companion></CompanionAds></Creative>
            <Creative><NonLinearAds><NonLinear><NonLinearClickTracking>\(server)/touch</NonLinearClickTracking></NonLinear>
              <TrackingEvents><Tracking event="creativeView">\(server)/shown</Tracking></TrackingEvents></NonLinearAds></Creative>
            """
        }
        let image = "<HTMLResource>x</HTMLResource>"
        func wrapper(_ address: String, _ image: String) -> String {
            VASTSamples.wrapper(to: address).replacing("<Creatives>", with: "<Creatives>" + parts("w", image: image))
        }
        let inline = VASTSamples.inline().replacing("<Creatives>", with: "<Creatives>" + parts("a", image: image))
        let resolver = resolver([
            "trackers": wrapper("a", ""), "images": wrapper("none", image), "a": inline, "none": VASTSamples.inline(),
        ])
        let ad = try #require(await resolver.resolve("trackers").ads.first)
        #expect(ad.companions.map(\.viewTracking) == [["w/view", "a/view"]])
        #expect(ad.companions.map(\.clickTracking) == [["w/click", "a/click"]])
        #expect(ad.nonLinears.map(\.clickTracking) == [["w/touch", "a/touch"]])
        let shown = ad.creatives.flatMap(\.nonLinearTracking).map(\.address)
        #expect(shown == ["w/shown", "a/shown"])
        let other = try #require(await resolver.resolve("images").ads.first)
        #expect(other.companions.map(\.viewTracking) == [["w/view"]])
    }

    @Test
    func anotherAdReplacesAMissingOne() async {
        func list(_ fallback: Bool) -> String {
            "<VAST version=\"3.0\"><Ad sequence=\"1\"><Wrapper fallbackOnNoAd=\"\(fallback)\"><VASTAdTagURI>none</VASTAdTagURI></Wrapper></Ad>\(VASTSamples.ad(id: "spare"))</VAST>"
        }
        let documents = ["with": list(true), "without": list(false), "none": "<VAST version=\"3.0\"></VAST>"]
        #expect(await resolver(documents).resolve("with").ads.map(\.id) == ["spare"])
        #expect(await resolver(documents).resolve("without").ads == [])
    }

    @Test
    func aWrapperMayForbidOthers() async {
        let outcome = await resolver([
            "a": VASTSamples.wrapper(to: "b", attributes: " followAdditionalWrappers=\"false\""),
            "b": VASTSamples.wrapper(to: "c"), "c": VASTSamples.inline(),
        ]).resolve("a")
        #expect(outcome.ads == [] && outcome.failures.map(\.error) == [.tooManyWrappers])
    }

    @Test(arguments: ["IAB2", "IAB1, IAB2", " IAB1 IAB2 "])
    func aBlockedCategoryIsNotPlayed(list: String) async {
        let wrapper = VASTSamples.wrapper(to: "b").replacingOccurrences(
            of: "<AdSystem>", with: "<BlockedAdCategories authority=\"iab\">\(list)</BlockedAdCategories><AdSystem>")
        let documents = [
            "a": wrapper, "b": VASTSamples.inline(extra: "<Category authority=\"iab\">IAB2</Category>"),
        ]
        #expect(await resolver(documents).resolve("a").failures.map(\.error) == [.blockedCategory])
    }
}
