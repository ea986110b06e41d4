import Foundation
import Playback
import Testing

@testable import Advertising

struct VASTDocumentTests {
    private func document(_ text: String) throws -> VASTDocument { try VASTDocument(Data(text.utf8)) }

    @Test(arguments: ["2.0", "2.0.1", "3.0", "4.0", "4.1", "4.2"])
    func everyVersionIsRead(version: String) throws {
        let document = try document(VASTSamples.inline(version: version, skip: "00:00:01"))
        let ad = try #require(document.ads.first)
        #expect(document.version == version)
        #expect(ad.title == "Title of ad" && ad.system == "Test server")
        #expect(ad.impressions == ["http://ads.test/ad/impression"])
        #expect(ad.errors == ["http://ads.test/ad/error?code=[ERRORCODE]"])
        let linear = try #require(ad.linear)
        #expect(linear.duration == 2 && linear.skipOffset == .seconds(1))
        #expect(linear.clickThrough == "http://shop.test/?a=1&b=2")
        #expect(linear.mediaFiles.map(\.url.absoluteString) == ["http://ads.test/ad.mp4"])
        #expect(linear.tracking.count == 8)
    }

    @Test(arguments: [
        ("", VASTError.notXML), ("<VAST", .notXML), ("{}", .notXML), ("<html></html>", .invalidSchema),
        ("<VAST></VAST>", .invalidSchema), ("<VAST version=\"1.0\"></VAST>", .unsupportedVersion),
        ("<VAST version=\"5.0\"></VAST>", .unsupportedVersion),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><VAST version=\"3.0\"></VAST>", .notXML),
    ])
    func damagedDocumentsHaveTheirError(text: String, error: VASTError) {
        #expect(throws: error) { try document(text) }
    }

    /// The others of its document can be played.
    @Test(arguments: [
        VASTSamples.ad(linear: "<Duration>two seconds</Duration>"),
        "<Ad id=\"ad\"><Wrapper><Error>http://ads.test/ad/error?code=[ERRORCODE]</Error></Wrapper></Ad>",
    ])
    func anInvalidAdvertisementHasItsError(ad: String) throws {
        let document = try document("<VAST version=\"3.0\">\(ad)\(VASTSamples.ad(id: "b"))</VAST>")
        #expect(document.ads.map(\.failure) == [.invalidSchema, nil])
        #expect(document.ads.first?.errors == ["http://ads.test/ad/error?code=[ERRORCODE]"])
    }

    @Test
    func anEmptyFrameworkIsNone() throws {
        let file = "<MediaFile type=\"video/mp4\" apiFramework=\"\">http://ads.test/a.mp4</MediaFile>"
        let document = try VASTDocument(Data(VASTSamples.inline(linear: "<MediaFiles>\(file)</MediaFiles>").utf8))
        #expect(try document.ads.first?.linear?.playableFiles(within: AdMediaLimits()).count == 1)
    }

    @Test
    func tenMegabytesAreRefused() {
        let text = "<VAST version=\"3.0\">" + String(repeating: "<Ad></Ad>", count: 1_200_000) + "</VAST>"
        #expect(throws: VASTError.notXML) { try document(text) }
    }

    @Test
    func whatTheViewShowsIsKept() throws {
        let extra = """
            <Advertiser>Shop</Advertiser><Pricing model="cpm" currency="EUR">1.20</Pricing>
            <Category authority="iab">IAB1</Category><Survey>http://ads.test/survey</Survey><Expires>60</Expires>
            <ViewableImpression><Viewable>http://ads.test/seen</Viewable></ViewableImpression>
            <AdVerifications><Verification vendor="v"><TrackingEvents>
              <Tracking event="verificationNotExecuted">http://ads.test/not?[REASON]</Tracking>
            </TrackingEvents></Verification></AdVerifications>
            <Extensions><Extension type="x"><ns:Price unit="a"> 5 </ns:Price></Extension></Extensions>
            """
        let linear = """
            <Duration>00:00:10.500</Duration><AdParameters>{"a":1}</AdParameters>
            <MediaFiles><Mezzanine>http://ads.test/raw.mov</Mezzanine>
              <InteractiveCreativeFile apiFramework="SIMID">http://ads.test/simid</InteractiveCreativeFile>
            </MediaFiles>
            <Icons><Icon program="AdChoices" width="20" height="10" xPosition="right" yPosition="top" offset="00:00:01">
              <StaticResource creativeType="image/png">http://ads.test/i.png</StaticResource>
              <IconClicks><IconClickThrough>http://ads.test/why</IconClickThrough></IconClicks>
              <IconViewTracking>http://ads.test/iv</IconViewTracking></Icon></Icons>
            </Linear></Creative>
            <Creative><CompanionAds><Companion id="c" width="300" height="250" adSlotId="side"
              expandedWidth="600" apiFramework="MRAID"><AdParameters>b=2</AdParameters><HTMLResource><![CDATA[<b>x</b>]]></HTMLResource><AltText>A shop</AltText>
              <TrackingEvents><Tracking event="creativeView">http://ads.test/cv</Tracking></TrackingEvents>
            </Companion></CompanionAds></Creative>
            <Creative><CreativeExtensions><CreativeExtension type="y"><Size>9</Size></CreativeExtension></CreativeExtensions>
              <UniversalAdId idRegistry="ad-id" idValue="old">new</UniversalAdId>
              <NonLinearAds><NonLinear width="480" height="70" minSuggestedDuration="00:00:05"
              expandedHeight="140" apiFramework="SIMID">
              <IFrameResource>http://ads.test/frame</IFrameResource></NonLinear></NonLinearAds></Creative><Creative><Linear>
            """
        let ad = try #require(try document(VASTSamples.inline(linear: linear, extra: extra)).ads.first)
        #expect(ad.advertiser == "Shop" && ad.pricing?.currency == "EUR" && ad.categories.first?.value == "IAB1")
        #expect(ad.surveys == ["http://ads.test/survey"] && ad.expires == 60 && ad.viewable == ["http://ads.test/seen"])
        #expect(ad.verifications.first?.notExecuted == ["http://ads.test/not?[REASON]"])
        #expect(ad.extensions.first?.children.first?.text == "5")
        #expect(ad.creatives.flatMap(\.extensions).first?.children.first?.text == "9")
        #expect(ad.linear?.duration == 10.5 && ad.linear?.adParameters == "{\"a\":1}")
        #expect(ad.linear?.mediaFiles == [] && ad.linear?.interactiveFrameworks == ["SIMID"])
        let icon = try #require(ad.linear?.icons.first)
        #expect(icon.x == "right" && icon.offset == 1 && icon.resources.count == 1)
        #expect(icon.clickThrough?.absoluteString == "http://ads.test/why")
        let companion = try #require(ad.companions.first)
        #expect(companion.slotID == "side" && companion.resources == [.html("<b>x</b>")])
        #expect(companion.viewTracking == ["http://ads.test/cv"] && companion.altText == "A shop")
        #expect(companion.expandedWidth == 600 && companion.apiFramework == "MRAID" && companion.adParameters == "b=2")
        let nonLinear = try #require(ad.nonLinears.first)
        #expect(nonLinear.minimumDuration == 5 && nonLinear.expandedHeight == 140 && nonLinear.apiFramework == "SIMID")
        #expect(ad.creatives.contains { $0.universalAdIDs.first?.value == "old" })
    }

    @Test(arguments: [
        ("00:00:05", VASTOffset.seconds(5)), ("01:01:01.500", .seconds(3661.5)), ("25%", .fraction(0.25)),
        ("100%", .fraction(1)), ("101%", nil), ("-5%", nil), ("5", nil), ("00:05", nil), ("a:b:c", nil), ("", nil),
        ("-00:00:01", nil), ("+1:0:0", nil), ("0x1:0:0", nil), ("1e3:0:0", nil), ("nan:0:0", nil), ("::", nil),
    ])
    func offsetsAreRead(text: String, offset: VASTOffset?) { #expect(VASTOffset(text) == offset) }

    @Test
    func aPodPlaysInItsOrder() throws {
        let ads = [("c", 3), ("a", 1), ("x", nil), ("b", 2)].map { VASTSamples.ad(id: $0.0, sequence: $0.1) }.joined()
        let pod = try document("<VAST version=\"3.0\">\(ads)</VAST>").pod
        #expect(pod.ads.map(\.id) == ["a", "b", "c"])
        #expect(pod.replacements.map(\.id) == ["x"])
    }

    @Test
    func theBestFileIsChosen() throws {
        func file(_ name: String, _ type: String, _ bitrate: Int, _ width: Int, api: String = "") -> String {
            "<MediaFile delivery=\"progressive\" type=\"\(type)\" bitrate=\"\(bitrate)\" width=\"\(width)\" height=\"\(width / 2)\"\(api)>http://a.test/\(name)</MediaFile>"
        }
        func choice(_ files: String, _ limits: AdMediaLimits = .init()) throws -> [String] {
            let linear = "<Duration>00:00:01</Duration><MediaFiles>\(files)</MediaFiles>"
            let ad = try #require(try document(VASTSamples.inline(linear: linear)).ads.first?.linear)
            return try ad.playableFiles(within: limits).map { $0.url.lastPathComponent }
        }
        let files =
            file("low", "video/mp4", 200, 320) + file("high", "video/mp4", 4000, 1920)
            + file("middle", "video/MP4; codecs=avc1", 1000, 640) + file("flash", "video/x-flv", 900, 640)
        let program = file("program", "application/javascript", 1, 1, api: " apiFramework=\"VPAID\"")
        #expect(try choice(files + program) == ["high", "middle", "low"])
        #expect(try choice(files, .init(bitRate: 1_500_000)) == ["middle", "low", "high"])
        #expect(try choice(files, .init(size: VideoSize(width: 400, height: 300))) == ["low", "middle", "high"])
        #expect(throws: VASTError.programNotSupported) { try choice(program) }
        #expect(throws: VASTError.noSupportedMedia) { try choice(file("flash", "video/x-flv", 9, 9)) }
        #expect(throws: VASTError.noSupportedMedia) { try choice("") }
    }

    @Test
    func thePartsOfAnAdvertisementAreLimited() throws {
        func many(_ element: String) -> String { String(repeating: element, count: 1000) }
        let file = "<MediaFile type=\"video/mp4\">http://a.test/a.mp4</MediaFile>"
        let linear = "<MediaFiles>\(many(file))</MediaFiles><Icons>\(many("<Icon/>"))</Icons>"
        let parts =
            "<CompanionAds>\(many("<Companion/>"))</CompanionAds><NonLinearAds>\(many("<NonLinear/>"))</NonLinearAds>"
        let text = VASTSamples.inline(linear: linear).replacing(
            "</Creatives>", with: "<Creative>\(parts)</Creative>\(many("<Creative/>"))</Creatives>")
        let ad = try #require(try document(text).ads.first)
        #expect(ad.creatives.count == 10 && ad.companions.count == 20 && ad.nonLinears.count == 20)
        #expect(ad.linear?.mediaFiles.count == 50 && ad.linear?.icons.count == 20)
    }

    @Test
    func everyErrorHasItsOwnNumberAndAnErrorForTheDelegate() {
        let numbers = VASTError.allCases.map(\.rawValue)
        #expect(numbers == numbers.sorted() && numbers.allSatisfy { (100...902).contains($0) })
        #expect(VASTError.tooManyWrappers.adError == .vastTooManyRedirects)
        #expect(VASTError.noSupportedMedia.adError == .vastLinearAssetMismatch)
    }
}
