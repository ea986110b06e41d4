#if VLC
import EventLog
import FlyingFox
import Foundation
import TestSupport
import Testing

/// Advertisements that try to reach past the player: what the process opens and whom it calls is traced by the system.
@Suite struct FlowplayHostileAdsTests {
    /// The other engine and a separate process in the long form only.
    private static let engines: [[String]] =
        ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil
        ? [[]] : [[], ["--isolate"], ["--engine", "gstreamer"], ["--isolate", "--engine", "gstreamer"]]

    /// A break that goes wrong, and its error.
    private struct Break {
        let source: String
        let error: Int
        /// Documents and media files, by path.
        var answers: [String: String] = [:]
    }

    private static func vast(_ media: String, type: String = "video/mp4", _ rest: String = "") -> String {
        """
        <VAST version="4.2"><Ad adType="hybrid"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\(rest)<Creatives><Creative><Linear>
        <Duration>00:00:01</Duration><MediaFiles><MediaFile delivery="progressive" type="\(type)">\(media)</MediaFile></MediaFiles>
        </Linear></Creative></Creatives></InLine></Ad></VAST>
        """
    }

    private static func wrapper(to address: String) -> String {
        "<VAST version=\"3.0\"><Ad><Wrapper><VASTAdTagURI>\(address)</VASTAdTagURI></Wrapper></Ad></VAST>"
    }

    private static func data(_ document: String) -> String { "<VASTAdData>\(document)</VASTAdData>" }

    private static let segment = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n{secret}.ts\n#EXT-X-ENDLIST\n"

    private static let breaks = [
        // The document.
        Break(source: "<AdTagURI>{secret}.xml</AdTagURI>", error: 300),
        Break(source: "<AdTagURI>{web}/to-document</AdTagURI>", error: 300),
        // A wrapper.
        Break(source: data(wrapper(to: "{secret}.xml")), error: 300),
        Break(source: data(wrapper(to: "{web}/to-document")), error: 300),
        Break(source: data(wrapper(to: "FILE://localhost{path}.xml")), error: 300),
        Break(source: data(wrapper(to: "ftp://127.0.0.1:1/a")), error: 300),
        // The media file.
        Break(source: data(vast("{secret}.mp4")), error: 400),
        Break(source: data(vast("{web}/to-media.mp4")), error: 400),
        Break(source: data(vast("ftp://127.0.0.1:1/a.mp4")), error: 400),
        Break(source: data(vast("mmsh://127.0.0.1:1/a.mp4")), error: 400),
        Break(
            source: data(vast("{web}/segment.m3u8", type: "application/x-mpegurl")), error: 400,
            answers: ["/segment.m3u8": segment]),
        Break(
            source: data(vast("{web}/list.mp4")), error: 405,
            answers: ["/list.mp4": "#EXTM3U\n#EXTINF:1,x\n{secret}.mp4\n"]),
        Break(
            source: data(vast("{web}/asx.mp4")), error: 405,
            answers: ["/asx.mp4": "<asx><entry><ref href=\"{secret}.mp4\"/></entry></asx>"]),
        // The XML.
        Break(
            source: "<AdTagURI>{web}/entity</AdTagURI>", error: 100,
            answers: ["/entity": "<!DOCTYPE VAST [<!ENTITY a SYSTEM \"{secret}.xml\">]>" + vast("&a;")]),
    ]

    /// An advertisement that plays. Nothing but its media file and its trackers is opened.
    private static let good = vast(
        "{web}/clip.mp4",
        """
        <Error>{secret}.txt</Error><Impression>{secret}.txt</Impression><Impression>{web}/to-tracker</Impression><Impression>{web}/pixel</Impression>
        <AdVerifications><Verification><JavaScriptResource>{web}/unwanted.js</JavaScriptResource></Verification></AdVerifications>
        <Survey>{web}/unwanted</Survey>
        """
    ).replacing(
        "<Creatives>",
        with: """
            <Creatives><Creative><CompanionAds><Companion><StaticResource creativeType="image/png">{web}/unwanted.png</StaticResource>
            <IFrameResource>{secret}.txt</IFrameResource></Companion></CompanionAds></Creative>
            """
    ).replacing(
        "<MediaFiles>",
        with: """
            <Icons><Icon><StaticResource creativeType="image/png">{web}/unwanted.png</StaticResource></Icon></Icons>
            <VideoClicks><ClickThrough>{secret}.txt</ClickThrough></VideoClicks><MediaFiles><Mezzanine>{web}/unwanted.mp4</Mezzanine>
            <InteractiveCreativeFile apiFramework="SIMID">{web}/unwanted.html</InteractiveCreativeFile>
            <ClosedCaptionFiles><ClosedCaptionFile type="text/vtt">{secret}.vtt</ClosedCaptionFile></ClosedCaptionFiles>
            """)

    private static let schedule: String = {
        let document = "<!DOCTYPE VMAP SYSTEM \"{secret}.dtd\"><?xml-stylesheet href=\"{secret}.xsl\"?>"
        let sources = breaks.map(\.source) + [data(good)]
        let elements = sources.map {
            "<AdBreak timeOffset=\"start\" breakType=\"linear\"><AdSource>\($0)</AdSource></AdBreak>"
        }
        return document + "<VMAP version=\"1.0\">\(elements.joined())</VMAP>"
    }()

    private static let answer: Trap.Answer = { path, _, bait in
        let texts = breaks.reduce(into: ["/schedule": schedule]) { $0.merge($1.answers) { $1 } }
        switch path {
        case "/to-document": return Trap.redirect(to: bait.secret + ".xml")
        case "/to-media.mp4": return Trap.redirect(to: bait.secret + ".mp4")
        case "/to-tracker": return Trap.redirect(to: bait.secret + ".txt")
        case "/film.mp4", "/clip.mp4": return HTTPResponse(statusCode: .ok, body: bait.clip)
        default: break
        }
        guard let text = texts[path] else { return HTTPResponse(statusCode: .ok) }
        let filled = text.replacing("{secret}", with: bait.secret).replacing("{web}", with: bait.server)
            .replacing("{path}", with: URL(string: bait.secret)?.path() ?? "")
        return Trap.text(filled, path.hasSuffix(".m3u8") ? "application/x-mpegurl" : "application/xml")
    }

    @Test(arguments: engines)
    func advertisementsReachNothingElse(engine: [String]) async throws {
        let trap = try await Trap(Self.answer)
        defer { trap.remove() }
        for name in ["SECRET.xml", "SECRET.txt", "SECRET.dtd", "SECRET.xsl", "SECRET.vtt"] {
            _ = try trap.write(Self.vast("WEB/clip.mp4"), to: name)
        }
        let address = { (path: String) in trap.server.base.appending(path: path).absoluteString }
        let trace = try await trap.play(
            address("film.mp4"), engine + ["--ad-timeout", "100", "--ads", address("schedule")])
        try trap.expectContained(trace)
        #expect(trace.status == 0)
        let ads = try EventLogReader.entries(in: trace.log).map(\.event).filter { $0.name == "ad" }
        #expect(ads.compactMap(\.vast) == Self.breaks.map(\.error) + [409, 410], "\(trace.log)")
        #expect(ads.filter { $0.state == "complete" }.count == 1)
        #expect(!trace.called.contains("127.0.0.1:1"))
        #expect(trap.requests.paths.contains("/pixel"))
        #expect(!trap.requests.paths.contains { $0.contains("unwanted") }, "\(trap.requests.paths)")
    }

    /// The trap is seen when it is opened: a schedule of this machine may name files.
    @Test func aScheduleHereNamesFiles() async throws {
        let trap = try await Trap(Self.answer)
        defer { trap.remove() }
        let media = trap.folder.appending(path: "SECRET.mp4").absoluteString
        let source = "<AdSource>\(Self.data(Self.vast(media)))</AdSource>"
        let text = "<VMAP version=\"1.0\"><AdBreak timeOffset=\"start\">\(source)</AdBreak></VMAP>"
        let schedule = try trap.write(text, to: "schedule.xml")
        let film = trap.server.base.appending(path: "film.mp4").absoluteString
        let trace = try await trap.play(film, ["--ad-timeout", "100", "--ad-schedule", schedule])
        #expect(trace.status == 0 && trace.opens("SECRET.mp4"))
    }
}
#endif
