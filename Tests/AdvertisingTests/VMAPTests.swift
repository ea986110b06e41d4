import Foundation
import Testing

@testable import Advertising

struct VMAPTests {
    static let sample = """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
          <vmap:AdBreak timeOffset="start" breakType="linear" breakId="pre">
            <vmap:AdSource id="1" allowMultipleAds="false" followRedirects="true">
              <vmap:AdTagURI templateType="vast3"><![CDATA[http://ads.test/pre?n=[CACHEBUSTING]]]></vmap:AdTagURI>
            </vmap:AdSource>
            <vmap:TrackingEvents><vmap:Tracking event="breakStart">http://ads.test/bs</vmap:Tracking></vmap:TrackingEvents>
          </vmap:AdBreak>
          <vmap:AdBreak timeOffset="00:00:10" breakType="linear" repeatAfter="00:00:30"><vmap:AdSource>
            <vmap:VASTAdData>\(VASTSamples.inline(version: "3.0"))</vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
          <vmap:AdBreak timeOffset="50%" breakType="linear,display"><vmap:AdSource><vmap:AdTagURI>http://ads.test/m</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>
          <vmap:AdBreak timeOffset="00:00:20" breakType="display"><vmap:AdSource/></vmap:AdBreak>
          <vmap:AdBreak timeOffset="later" breakType="linear"><vmap:AdSource/></vmap:AdBreak>
          <vmap:AdBreak timeOffset="#2" breakType="linear"><vmap:AdSource/></vmap:AdBreak>
          <vmap:AdBreak timeOffset="75%" breakType="linear"><vmap:AdSource><vmap:VASTAdData><VAST version="9"/></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
          <vmap:AdBreak timeOffset="end" breakType="linear"><vmap:AdSource/></vmap:AdBreak>
        </vmap:VMAP>
        """

    /// A schedule of breaks that have their documents.
    static func schedule(_ breaks: [(offset: String, document: String)]) -> String {
        let elements = breaks.map {
            """
            <AdBreak timeOffset="\($0.offset)" breakType="linear">
              <AdSource><VASTAdData>\($0.document)</VASTAdData></AdSource>
              <TrackingEvents><Tracking event="breakStart">http://ads.test/\($0.offset)/breakStart</Tracking>
              <Tracking event="breakEnd">http://ads.test/\($0.offset)/breakEnd</Tracking></TrackingEvents>
            </AdBreak>
            """
        }
        return "<VMAP version=\"1.0\">\(elements.joined())</VMAP>"
    }

    @Test
    func aScheduleIsRead() throws {
        let plans = try AdBreakPlan.plans(in: Data(Self.sample.utf8))
        #expect(
            plans.map(\.position) == [.start, .time(.seconds(10)), .time(.fraction(0.5)), .time(.fraction(0.75)), .end])
        #expect(plans.map(\.type) == [.preRoll, .midRoll, .midRoll, .midRoll, .postRoll])
        #expect(plans[0].id == "pre" && !plans[0].allowsMultipleAds)
        #expect(plans[0].sources == [.address("http://ads.test/pre?n=[CACHEBUSTING]")])
        #expect(plans[0].tracking.first?.event == "breakStart")
        #expect(plans[1].repeatsAfter == 30)
        guard case .document(let document)? = plans[1].sources.first else {
            Issue.record("The break has no document.")
            return
        }
        #expect(document.ads.count == 1)
        #expect(plans[3].sources == [.failed(.unsupportedVersion)])
        #expect(plans[4].sources == [.failed(.invalidSchema)])
    }

    @Test(arguments: ["start", "00:00:00", "0%"])
    func aBreakAtTheStartRepeatsInTheItem(offset: String) throws {
        let text = Self.schedule([(offset, VASTSamples.inline())]).replacing(
            "breakType", with: "repeatAfter=\"00:05:00\" breakType")
        let plans = try AdBreakPlan.plans(in: Data(text.utf8))
        #expect(plans.map(\.type) == [.preRoll, .midRoll] && plans.map(\.repeatsAfter) == [nil, 300])
        #expect(plans.last?.position == .time(.seconds(300)))
    }

    @Test
    func aVASTDocumentIsOneBreakAtTheStart() throws {
        let plans = try AdBreakPlan.plans(in: Data(VASTSamples.inline().utf8))
        #expect(plans.map(\.position) == [.start])
    }

    @Test(arguments: [
        ("<VMAP></VMAP>", VASTError.unsupportedVersion), ("<VMAP version=\"1.0\">", .notXML),
        ("<other/>", .invalidSchema),
    ])
    func damagedSchedulesHaveTheirError(text: String, error: VASTError) {
        #expect(throws: error) { try AdBreakPlan.plans(in: Data(text.utf8)) }
    }
}
