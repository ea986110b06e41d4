import Foundation
import Testing

/// Documents of each version, with the requests that a player makes for them. `{s}` stands for the address of the server.
///
/// The item lasts four seconds, an advertisement one second.
struct AdDocument: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    /// The trackers, in order.
    let trackers: [String]
    /// Further documents, by their names.
    var others: [String: String] = [:]
    /// The states of the advertisements, in order; `nil` for one advertisement before the item.
    var states: [String]?
    /// The time after which the viewer skips, in seconds.
    var skipsAfter: Double?

    var testDescription: String { name }
}

extension AdDocument {
    private static let events = [
        "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "mute", "pause", "resume",
        "skip",
        "loaded",
    ]

    /// An advertisement of one second.
    ///
    /// - Parameters:
    ///   - id: the first part of the paths of its trackers.
    ///   - before: elements before the creatives.
    ///   - linear: elements in the linear part, before its files.
    ///   - creative: elements beside the linear part.
    static func ad(
        _ id: String = "a", sequence: Int? = nil, attributes: String = "", before: String = "", linear: String = "",
        linearAttributes: String = "", creative: String = "", media: String? = nil, creatives: String = ""
    ) -> String {
        let tracking = events.map { "<Tracking event=\"\($0)\"><![CDATA[{s}/\(id)/\($0)]]></Tracking>" }.joined()
        let file =
            media
            ?? "<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"320\" height=\"180\" bitrate=\"300\"><![CDATA[{s}/media/ad.mp4]]></MediaFile>"
        return """
            <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")\(attributes)><InLine>
            <AdSystem version="1">Server</AdSystem><AdTitle>\(id)</AdTitle>
            <Error>{s}/\(id)/error/[ERRORCODE]</Error><Impression id="i">{s}/\(id)/impression</Impression>\(before)
            <Creatives>\(creatives)<Creative id="c" sequence="1">\(creative)<Linear\(linearAttributes)><Duration>00:00:01</Duration>
            <TrackingEvents>\(tracking)</TrackingEvents>\(linear)<MediaFiles>\(file)</MediaFiles></Linear></Creative></Creatives>
            </InLine></Ad>
            """
    }

    static func vast(_ version: String, _ ads: String...) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<VAST version=\"\(version)\">\(ads.joined())</VAST>"
    }

    private static func wrapper(_ id: String, to next: String, attributes: String = "", version: String = "3.0")
        -> String
    {
        vast(
            version,
            """
            <Ad id="\(id)"><Wrapper\(attributes)><AdSystem>W</AdSystem><VASTAdTagURI><![CDATA[{s}/doc/\(next)]]></VASTAdTagURI>
            <Error>{s}/\(id)/error/[ERRORCODE]</Error><Impression>{s}/\(id)/impression</Impression><Creatives><Creative><Linear>
            <TrackingEvents><Tracking event="start">{s}/\(id)/start</Tracking><Tracking event="complete">{s}/\(id)/complete</Tracking>
            </TrackingEvents></Linear></Creative></Creatives></Wrapper></Ad>
            """)
    }

    static func vmap(_ breaks: [(offset: String, source: String)], attributes: String = "") -> String {
        let elements = breaks.map { offset, source in
            """
            <vmap:AdBreak timeOffset="\(offset)" breakType="linear" breakId="b"\(attributes)><vmap:AdSource>\(source)</vmap:AdSource>
            <vmap:TrackingEvents><vmap:Tracking event="breakStart">{s}/break/start</vmap:Tracking>
            <vmap:Tracking event="breakEnd">{s}/break/end</vmap:Tracking>
            <vmap:Tracking event="error">{s}/break/error/[ERROR_CODE]/[ERROR_MESSAGE]</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>
            """
        }
        return
            "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(elements.joined())</vmap:VMAP>"
    }

    private static func data(_ document: String) -> String { "<vmap:VASTAdData>\(document)</vmap:VASTAdData>" }
    private static func tag(_ name: String) -> String {
        "<vmap:AdTagURI templateType=\"vast3\"><![CDATA[{s}/doc/\(name)]]></vmap:AdTagURI>"
    }

    /// The trackers of an advertisement that plays to its end.
    static func whole(_ id: String = "a") -> [String] {
        ["loaded", "impression", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"].map
        {
            "\(id)/\($0)"
        }
    }

    private static func states(_ types: String...) -> [String] {
        types.flatMap { type in ["start", "loaded", "play", "complete", "idle"].map { "\($0) \(type)" } }
    }

    private static func inserting(_ new: [String], after old: String, in trackers: [String]) -> [String] {
        trackers.flatMap { $0 == old ? [$0] + new : [$0] }
    }

    private static let clicks =
        "<VideoClicks><ClickThrough>{s}/shop</ClickThrough><ClickTracking>{s}/a/click</ClickTracking></VideoClicks>"

    /// Thirty documents.
    static let all: [AdDocument] = [
        AdDocument(name: "2.0", text: vast("2.0", ad()), trackers: whole()),
        AdDocument(name: "2.0 two advertisements", text: vast("2.0", ad(), ad("b")), trackers: whole()),
        AdDocument(
            name: "2.0 wrapper", text: wrapper("w", to: "inner", version: "2.0"),
            trackers: [
                "a/loaded", "w/impression", "a/impression", "a/creativeView", "w/start", "a/start", "a/firstQuartile",
                "a/midpoint", "a/thirdQuartile", "w/complete", "a/complete",
            ], others: ["inner": vast("2.0", ad())]),
        AdDocument(
            name: "2.0 companions and non-linear part",
            text: vast(
                "2.0",
                ad(
                    creatives: """
                        <Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/png">{s}/c.png</StaticResource>
                        <TrackingEvents><Tracking event="creativeView">{s}/a/companion</Tracking></TrackingEvents></Companion></CompanionAds></Creative>
                        <Creative><NonLinearAds><NonLinear width="300" height="50"><HTMLResource>x</HTMLResource></NonLinear></NonLinearAds></Creative>
                        """)), trackers: whole()),
        AdDocument(name: "3.0", text: vast("3.0", ad()), trackers: whole()),
        AdDocument(
            name: "3.0 pod", text: vast("3.0", ad("b", sequence: 2), ad("a", sequence: 1)),
            trackers: whole() + whole("b"),
            states: [
                "start preRoll", "loaded preRoll", "play preRoll", "complete preRoll", "loaded preRoll", "play preRoll",
                "complete preRoll", "idle preRoll",
            ]),
        AdDocument(
            name: "3.0 skippable, skipped",
            text: vast("3.0", ad(linearAttributes: " skipoffset=\"00:00:00.200\"")).replacing(
                "/media/ad.mp4", with: "/media/long.mp4"),
            trackers: ["a/loaded", "a/impression", "a/creativeView", "a/start", "a/skip"],
            states: ["start preRoll", "loaded preRoll", "play preRoll", "skip preRoll", "idle preRoll"], skipsAfter: 0.2
        ),
        AdDocument(
            name: "3.0 skippable, not skipped", text: vast("3.0", ad(linearAttributes: " skipoffset=\"50%\"")),
            trackers: whole()),
        AdDocument(
            name: "3.0 progress",
            text: vast("3.0", ad()).replacing(
                "<TrackingEvents>",
                with: "<TrackingEvents><Tracking event=\"progress\" offset=\"00:00:00.400\">{s}/a/progress</Tracking>"),
            trackers: inserting(["a/progress"], after: "a/firstQuartile", in: whole())),
        AdDocument(
            name: "3.0 icons",
            text: vast(
                "3.0",
                ad(
                    linear: """
                        <Icons><Icon program="AdChoices" width="16" height="16" xPosition="right" yPosition="top"><StaticResource
                        creativeType="image/png">{s}/i.png</StaticResource><IconViewTracking>{s}/a/icon</IconViewTracking></Icon></Icons>
                        """)), trackers: whole()),
        AdDocument(
            name: "3.0 two wrappers", text: wrapper("w", to: "v"),
            trackers: [
                "a/loaded", "w/impression", "v/impression", "a/impression", "a/creativeView", "w/start", "v/start",
                "a/start",
                "a/firstQuartile", "a/midpoint", "a/thirdQuartile", "w/complete", "v/complete", "a/complete",
            ], others: ["v": wrapper("v", to: "inner"), "inner": vast("3.0", ad())]),
        AdDocument(
            name: "3.0 wrapper of a pod", text: wrapper("w", to: "inner", attributes: " allowMultipleAds=\"true\""),
            trackers: ["a", "b"].flatMap { (id: String) -> [String] in
                [
                    "\(id)/loaded", "w/impression", "\(id)/impression", "\(id)/creativeView", "w/start", "\(id)/start",
                    "\(id)/firstQuartile", "\(id)/midpoint", "\(id)/thirdQuartile", "w/complete", "\(id)/complete",
                ]
            }, others: ["inner": vast("3.0", ad("a", sequence: 1), ad("b", sequence: 2))],
            states: [
                "start preRoll", "loaded preRoll", "play preRoll", "complete preRoll", "loaded preRoll", "play preRoll",
                "complete preRoll", "idle preRoll",
            ]),
        AdDocument(
            name: "3.0 no advertisement",
            text: "<VAST version=\"3.0\"><Error>{s}/none/error/[ERRORCODE]</Error></VAST>",
            trackers: ["none/error/303"], states: ["start preRoll", "failed preRoll 303", "idle preRoll"]),
        AdDocument(
            name: "3.0 missing file",
            text: vast(
                "3.0",
                ad(media: "<MediaFile delivery=\"progressive\" type=\"video/mp4\">{s}/missing.mp4</MediaFile>")),
            trackers: ["a/error/401"], states: ["start preRoll", "failed preRoll 401", "idle preRoll"]),
        AdDocument(
            name: "3.0 replacement",
            text: vast("3.0", ad("a", attributes: "").replacing("/media/ad.mp4", with: "/missing.mp4"), ad("b")),
            trackers: ["a/error/401"] + whole("b"),
            states: [
                "start preRoll", "failed preRoll 401", "loaded preRoll", "play preRoll", "complete preRoll",
                "idle preRoll",
            ]),
        AdDocument(
            name: "3.0 no file of a supported type",
            text: vast(
                "3.0", ad(media: "<MediaFile delivery=\"progressive\" type=\"video/x-flv\">{s}/x.flv</MediaFile>")),
            trackers: ["a/error/403"], states: ["start preRoll", "failed preRoll 403", "idle preRoll"]),
        AdDocument(name: "4.0", text: vast("4.0", ad()), trackers: whole()),
        AdDocument(
            name: "4.0 mezzanine and universal id",
            text: vast(
                "4.0",
                ad(
                    before: "<Category authority=\"{s}/list\">IAB1</Category>",
                    creative: "<UniversalAdId idRegistry=\"r\" idValue=\"v\">v</UniversalAdId>",
                    media: """
                        <Mezzanine delivery="progressive" type="video/mp4" width="4096" height="2160">{s}/mezzanine.mp4</Mezzanine>
                        <MediaFile delivery="progressive" type="video/mp4" width="320" height="180" bitrate="300">{s}/media/ad.mp4</MediaFile>
                        """)), trackers: whole()),
        AdDocument(
            name: "4.0 viewable impression",
            text: vast(
                "4.0",
                ad(
                    before:
                        "<ViewableImpression id=\"v\"><Viewable>{s}/a/viewable</Viewable><NotViewable>{s}/a/not</NotViewable></ViewableImpression>",
                    linearAttributes: " skipoffset=\"00:00:02\""
                )
            ).replacing("/media/ad.mp4", with: "/media/long.mp4").replacing("00:00:01", with: "00:00:30"),
            trackers: ["a/loaded", "a/impression", "a/creativeView", "a/start", "a/viewable", "a/skip"],
            states: ["start preRoll", "loaded preRoll", "play preRoll", "skip preRoll", "idle preRoll"], skipsAfter: 2.5
        ),
        AdDocument(
            name: "4.0 conditional", text: vast("4.0", ad(attributes: " conditionalAd=\"true\"")),
            trackers: ["a/error/408"],
            states: ["start preRoll", "failed preRoll 408", "idle preRoll"]),
        AdDocument(name: "4.1", text: vast("4.1", ad(before: "<AdServingId>s-1</AdServingId>")), trackers: whole()),
        AdDocument(
            name: "4.1 audio",
            text: vast(
                "4.1",
                ad(
                    attributes: " adType=\"audio\"",
                    media:
                        "<MediaFile delivery=\"progressive\" type=\"audio/mpeg\" bitrate=\"64\">{s}/media/ad.mp3</MediaFile>"
                )),
            trackers: whole()),
        AdDocument(
            name: "4.1 verification",
            text: vast(
                "4.1",
                ad(
                    before: """
                        <AdVerifications><Verification vendor="v"><JavaScriptResource apiFramework="omid">{s}/v.js</JavaScriptResource><TrackingEvents>
                        <Tracking event="verificationNotExecuted">{s}/a/not/[REASON]</Tracking></TrackingEvents></Verification></AdVerifications>
                        """)),
            trackers: inserting(["a/not/2", "a/error/410"], after: "a/start", in: whole()),
            states: [
                "start preRoll", "loaded preRoll", "play preRoll", "failed preRoll 410", "complete preRoll",
                "idle preRoll",
            ]),
        AdDocument(
            name: "4.2",
            text: vast(
                "4.2",
                ad(
                    before:
                        "<Expires>60</Expires><Extensions><Extension type=\"x\"><A b=\"c\"/></Extension></Extensions>")),
            trackers: whole()),
        AdDocument(
            name: "4.2 interactive file",
            text: vast("4.2", ad()).replacing(
                "<MediaFiles>",
                with:
                    "<MediaFiles><InteractiveCreativeFile type=\"text/html\" apiFramework=\"SIMID\">{s}/x.html</InteractiveCreativeFile>"
            ),
            trackers: inserting(["a/error/409"], after: "a/start", in: whole()),
            states: [
                "start preRoll", "loaded preRoll", "play preRoll", "failed preRoll 409", "complete preRoll",
                "idle preRoll",
            ]),
        AdDocument(
            name: "4.2 macros",
            text: vast("4.2", ad(before: "<Impression>{s}/a/at/[ADTYPE]/[PODSEQUENCE]/[CONTENTPLAYHEAD]</Impression>")),
            trackers: inserting(["a/at/video/-1/00:00:00.000"], after: "a/impression", in: whole())),
        AdDocument(
            name: "VMAP pre-roll", text: vmap([("start", data(vast("3.0", ad())))]),
            trackers: ["a/loaded", "break/start"] + whole().dropFirst() + ["break/end"]),
        AdDocument(
            name: "VMAP mid-roll at a tag", text: vmap([("00:00:01", tag("inner"))]),
            trackers: ["a/loaded", "break/start"] + whole().dropFirst() + ["break/end"],
            others: ["inner": vast("3.0", ad())], states: states("midRoll")),
        AdDocument(
            name: "VMAP three breaks",
            text: vmap([
                ("start", data(vast("3.0", ad()))), ("50%", data(vast("4.0", ad("b")))),
                ("end", data(vast("4.2", ad("c")))),
            ]),
            trackers: ["a/loaded", "break/start"] + whole().dropFirst() + ["break/end"] + ["b/loaded", "break/start"]
                + whole("b").dropFirst()
                + ["break/end", "c/loaded", "break/start"] + whole("c").dropFirst() + ["break/end"],
            states: states("preRoll", "midRoll", "postRoll")),
        AdDocument(
            name: "VMAP failed tag", text: vmap([("start", tag("nothing"))]),
            trackers: ["break/error/300/wrapperFailed"],
            states: ["start preRoll", "failed preRoll 300", "idle preRoll"]),
    ]
}
