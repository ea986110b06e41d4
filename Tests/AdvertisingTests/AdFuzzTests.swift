import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Advertising

/// Mutated documents: nothing traps, and all that they lead to is within its limits. A million documents in the long form.
struct AdFuzzTests {
    /// A document with each element that is read.
    private static let whole: String = {
        let icon = """
            <Icons><Icon program="p" width="16" height="16" xPosition="right" yPosition="top" offset="00:00:01" duration="00:00:02">
            <StaticResource creativeType="image/png">http://a.test/i.png</StaticResource><IconClicks><IconClickThrough>http://a.test/</IconClickThrough>
            <IconClickTracking>http://a.test/c</IconClickTracking></IconClicks><IconViewTracking>http://a.test/v</IconViewTracking></Icon></Icons>
            """
        let others = """
            <Creative id="x" sequence="1" adId="y"><UniversalAdId idRegistry="r" idValue="v">v</UniversalAdId>
            <CompanionAds required="any"><Companion id="c" width="300" height="250"><HTMLResource>x</HTMLResource>
            <TrackingEvents><Tracking event="creativeView">http://a.test/cv</Tracking></TrackingEvents></Companion></CompanionAds></Creative>
            <Creative><NonLinearAds><NonLinear width="300" height="50" minSuggestedDuration="00:00:05"><IFrameResource>http://a.test/</IFrameResource>
            </NonLinear><TrackingEvents><Tracking event="start">http://a.test/n</Tracking></TrackingEvents></NonLinearAds></Creative>
            """
        let rest = """
            <Category authority="a">IAB1</Category><Expires>60</Expires><Pricing model="cpm" currency="EUR">1.5</Pricing>
            <ViewableImpression><Viewable>http://a.test/</Viewable></ViewableImpression><Extensions><Extension><A b="c">d</A></Extension></Extensions>
            <AdVerifications><Verification vendor="v"><TrackingEvents><Tracking event="verificationNotExecuted">http://a.test/[REASON]</Tracking>
            </TrackingEvents></Verification></AdVerifications>
            """
        return VASTSamples.inline(sequence: 1, skip: "25%", extra: rest)
            .replacingOccurrences(of: "<MediaFiles>", with: icon + "<MediaFiles>")
            .replacingOccurrences(of: "<Creatives>", with: "<Creatives>" + others)
            .replacingOccurrences(
                of: "<TrackingEvents><Tracking event=\"start\">",
                with:
                    "<TrackingEvents><Tracking event=\"progress\" offset=\"00:00:01\">http://a.test/p</Tracking><Tracking event=\"start\">"
            )
    }()

    private static let pieces = [
        "<Ad>", "</Ad>", "<![CDATA[", "]]>", "&amp;", "00:00:01", "%", "offset=\"", "sequence=\"2\"",
        "<VAST version=\"3.0\">",
        "<Wrapper>", "<VASTAdTagURI>http://ads.test/</VASTAdTagURI>", "file:///etc/passwd", "[ERRORCODE]", "%5B",
        "repeatAfter=\"",
        "timeOffset=\"", "<!DOCTYPE", "<!--", "-->", "<?", "99:99:99",
    ]

    private static let samples = [
        whole, VASTSamples.wrapper(to: "http://ads.test/next"), VMAPTests.sample,
    ].map { Array($0.utf8) }

    private func walk(_ seed: UInt64, short: Int, _ body: (Data) async -> Bool) async -> Int {
        var mutator = Mutator(seed: seed, pieces: Self.pieces)
        var read = 0
        for number in 0..<Fuzzing.count(short: short) {
            await Fuzzing.giveWay(number)
            if await body(Data(mutator.mutant(of: Self.samples))) { read += 1 }
        }
        return read
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddSchedulesAreReadAndPlayed(seed: UInt64) async {
        let read = await walk(seed, short: 250) { data in
            guard let plans = try? AdBreakPlan.plans(in: data) else { return false }
            #expect(plans.count <= AdBreakPlan.mostBreaks)
            check(plans)
            for case .document(let document) in plans.flatMap(\.sources) {
                #expect(document.ads.count <= VASTDocument.mostAds)
                for ad in document.ads { check(ad) }
            }
            return true
        }
        #expect(read > 25)
    }

    /// Each document that wrappers lead to is another mutant.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddWrappersEnd(seed: UInt64) async {
        let mutator = Mutex(Mutator(seed: seed, pieces: Self.pieces))
        let requests = Mutex(0)
        var found = 0
        for number in 0..<Fuzzing.count(short: 200) {
            await Fuzzing.giveWay(number)
            requests.withLock { $0 = 0 }
            let resolver = VASTResolver { _, _ throws(VASTError) in
                requests.withLock { $0 += 1 }
                return (Data(mutator.withLock { $0.mutant(of: Self.samples) }), URL(filePath: "/"))
            }
            let outcome = await resolver.resolve("http://ads.test/\(number)")
            #expect(requests.withLock(\.self) <= VASTResolver.mostDocuments)
            #expect(outcome.ads.count <= VASTDocument.mostAds)
            #expect(outcome.replacements.count <= VASTDocument.mostAds)
            #expect(Set(outcome.failures.map(\.error)).count == outcome.failures.count)
            #expect(outcome.failures.allSatisfy { $0.trackers.count <= VASTDocument.mostTrackers })
            for ad in outcome.ads { check(ad) }
            found += outcome.ads.count
        }
        #expect(found > 10)
    }

    /// The breaks and trackers of a session.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddSessionsAreReadAndTracked(seed: UInt64) async {
        let pieces = [
            "{", "}", "[", "]", "null", "1e308", "-1", "0.5", "\"", ",", "\"adId\":", "[ERRORCODE]", "\\u0000",
        ]
        var mutator = Mutator(seed: seed, pieces: pieces)
        let samples = [[12.0], [0, 30, 60]].map { Array(SessionDocument.text($0).utf8) }
        var read = 0
        for number in 0..<Fuzzing.count(short: 250) {
            await Fuzzing.giveWay(number)
            guard let breaks = SessionBreak.breaks(in: Data(mutator.mutant(of: samples))) else { continue }
            read += 1
            #expect(breaks.count <= AdBreakPlan.mostBreaks)
            for sessionBreak in breaks {
                #expect(sessionBreak.start >= 0 && sessionBreak.end > sessionBreak.start && sessionBreak.end <= 1e9)
                #expect((1...VASTDocument.mostAds).contains(sessionBreak.ads.count))
                #expect(sessionBreak.tracking.count <= VASTDocument.mostTrackers)
                for ad in sessionBreak.ads {
                    #expect(ad.start >= 0 && ad.start <= 1e9)
                    check(ad.ad)
                }
            }
        }
        #expect(read > 10)
    }

    // MARK: Limits

    /// The schedule plays an item from its start to its end.
    private func check(_ plans: [AdBreakPlan]) {
        var machine = AdScheduleMachine()
        var effects = machine.handle(.planned(plans)) + machine.handle(.item(duration: 3600, isLive: false))
        effects += machine.handle(.wanted)
        for position in [0, 1, 10, 100, 1000, 3600.0] {
            effects += machine.handle(.position(position)) + machine.handle(.breakEnded)
        }
        effects += machine.handle(.ended) + machine.handle(.breakEnded)
        #expect(effects.count <= 4 * AdBreakPlan.mostBreaks)
        #expect(machine.markers.count <= AdScheduleMachine.mostRepetitions)
        #expect(machine.markers.allSatisfy { $0.isFinite && $0 >= 0 })
    }

    private func check(_ ad: VASTAd) {
        let linear = ad.linear
        for count in [ad.impressions.count, ad.errors.count, linear?.tracking.count ?? 0] {
            #expect(count <= VASTDocument.mostTrackers)
        }
        let times = [ad.expires, linear?.duration] + (linear?.icons ?? []).flatMap { [$0.offset, $0.duration] }
        #expect(times.allSatisfy { ($0 ?? 0).isFinite && $0 ?? 0 >= 0 })
        let sizes =
            (linear?.mediaFiles ?? []).flatMap { [$0.width, $0.height, $0.bitrate] }
            + ad.companions.flatMap { [$0.width, $0.height] } + ad.nonLinears.flatMap { [$0.width, $0.height] }
        #expect(sizes.allSatisfy { $0 ?? 1 > 0 })
        let files = (try? linear?.playableFiles(within: AdMediaLimits())) ?? []
        #expect(Set(files.map(\.url)).isSubset(of: Set((linear?.mediaFiles ?? []).map(\.url))))
        var tracker = AdTracker(ad)
        let events: [AdTracker.Event] = [
            .loaded, .playing, .position(0.5), .paused, .playing, .position(.nan), .position(1e9), .completed,
        ]
        let trackers = events.flatMap { tracker.handle($0) }
        let all = ad.impressions.count + ad.viewable.count + (linear?.tracking.count ?? 0)
        #expect(trackers.count <= all, "Each is called once.")
        let macros = AdMacros().fresh()
        for address in trackers { _ = macros.address(address) }
    }
}
