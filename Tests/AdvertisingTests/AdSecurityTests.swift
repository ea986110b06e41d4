import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing

@testable import Advertising

/// An advertisement may open nothing that its item may not open.
@MainActor
@Suite struct AdSecurityTests {
    /// The part that leads to a forbidden address.
    enum Part: String, CaseIterable {
        case document = "tag"
        case wrapper = "next"
        case mediaFile = "ad.mp4"
        case tracker = "pixel"
    }

    enum Way: CaseIterable {
        case named, redirected
    }

    enum Target: CaseIterable {
        /// A file of this machine that would play.
        case file
        /// A server with a scheme that the policy does not have.
        case scheme
    }

    nonisolated struct Leak: Sendable, CustomTestStringConvertible {
        let part: Part
        let way: Way
        let target: Target

        var testDescription: String { "\(part) \(way) \(target)" }

        /// The host itself may name a file.
        static let all: [Leak] = Part.allCases.flatMap { part -> [Leak] in
            Way.allCases.flatMap { way -> [Leak] in Target.allCases.map { Leak(part: part, way: way, target: $0) } }
        }.filter { $0.part != .document || $0.way != .named || $0.target != .file }
    }

    @Test(arguments: Leak.all)
    func forbiddenAddressesAreNotOpened(_ leak: Leak) async throws {
        let (clock, silent) = (ManualClock(), try SilentServer())
        let server = try await FaultyAdServer(clock: clock)
        let address = { (part: Part) in
            guard part == leak.part else { return server.url("/" + part.rawValue) }
            let place = leak.target == .file ? "file://" + server.folder.path() : "https://127.0.0.1:\(silent.port)"
            let target = "\(place)/\(part.rawValue)"
            return leak.way == .named
                ? URL(string: target)! : server.url("/" + part.rawValue, fault: .redirect(to: target))
        }
        try server.write(VASTSamples.wrapper(to: address(.wrapper).absoluteString, server: "{s}/w"), to: "tag")
        let pixel = "<Impression>\(address(.tracker).absoluteString)</Impression>"
        let ad = VASTSamples.inline(server: "{s}", extra: pixel).replacingOccurrences(
            of: "{s}/ad.mp4", with: address(.mediaFile).absoluteString)
        try server.write(ad, to: "next")
        try server.write("", to: "pixel")
        try server.copy(try await MediaFixtures.shared.solid(colour: "blue", duration: 2), to: "ad.mp4")

        let world = ServedAdWorld(server: server, clock: clock) { makeBackend(leak, clock) }
        var media = MediaExternal(
            url: AdWorld.film,
            adSchedule: AdScheduleWaterfall(preAdBreak: AdBreak(adTags: [address(.document).absoluteString])))
        media.retryPolicy = .none
        if leak.target == .scheme { media.securityPolicy = MediaSecurityPolicy(allowedSchemes: ["http"]) }
        await world.load(media)
        let isOver = { (event: PlayerEvent) in event == .ad(.state(.idle, .preRoll)) }
        if leak.part == .mediaFile {
            if !world.recorder.events.contains(where: isOver) { #expect(await world.recorder.event(where: isOver)) }
        }
        #expect(await world.run(atMost: 5) { world.view.state == .play }, "\(world.story)")
        let error: [Part: Int] = [.document: 300, .wrapper: 300, .mediaFile: 400]
        #expect(world.errors.map(\.code) == (error[leak.part].map { [$0] } ?? []))
        #expect(world.delegate.lines.contains("play preRoll") == (leak.part == .tracker))
        switch leak.part {
        case .document: break
        case .wrapper, .mediaFile: try await server.request(for: "/w/error")
        case .tracker: try await server.request(for: "/ad/complete")
        }
        #expect(!silent.isCalled)
    }

    /// An address keeps its signature when its macros are replaced.
    @Test
    func theAddressOfAMediaFileIsEncodedOnce() async {
        let file = "http://ads.test/ad.mp4?s=a%2Fb,"
        let world = AdWorld([
            "http://ads.test/tag": VASTSamples.inline().replacing("http://ads.test/ad.mp4", with: file + "[CLICKTYPE]")
        ])
        await world.load(Self.tag)
        await world.run { world.view.playbackState == .ads }
        let addresses = world.adBackend?.commands.compactMap { command in
            if case .open(let item) = command { item.item.url.absoluteString } else { nil }
        }
        #expect(addresses == [file + "2"])
    }

    private static let tag = AdScheduleWaterfall(preAdBreak: AdBreak(adTags: ["http://ads.test/tag"]))

    /// The address of the document is one only after its macro is replaced.
    @Test
    func aDocumentWhosePortIsAMacroNamesNoFile() async {
        let world = AdWorld([
            "http://ads.test/tag": VASTSamples.wrapper(to: "http://ads.test:8[CLICKTYPE]/next"),
            "http://ads.test:82/next": VASTSamples.inline().replacing("http://ads.test/ad.mp4", with: "file:///ad.mp4"),
        ])
        await world.load(Self.tag)
        #expect(await world.run(atMost: 5) { world.view.state == .play })
        #expect(world.server.requests == ["http://ads.test/tag", "http://ads.test:82/next"])
        #expect(world.errors.map(\.code) == [400] && world.adBackend == nil)
    }

    /// The host opens pages and images of servers only.
    @Test(arguments: [
        ("http://shop.test/?type=[CLICKTYPE]", "http://shop.test/?type=2"), ("file:///etc/passwd", nil),
        ("javascript:alert(1)", nil), ("https://shop.test/", nil),
    ])
    func forbiddenPagesAreRemoved(address: String, page: String?) async throws {
        let image = "<StaticResource creativeType=\"image/png\">\(address)</StaticResource>"
        let part = """
            <Creative><CompanionAds><Companion>\(image)<CompanionClickThrough>\(address)</CompanionClickThrough></Companion>
            </CompanionAds><NonLinearAds><NonLinear>\(image)<NonLinearClickThrough>\(address)</NonLinearClickThrough></NonLinear>
            </NonLinearAds></Creative>
            """
        let icons = """
            <Icons><Icon>\(image)<IconClicks><IconClickThrough>\(address)</IconClickThrough></IconClicks></Icon></Icons>
            """
        let document = VASTSamples.inline().replacing("<Creatives>", with: "<Creatives>" + part)
            .replacing("<VideoClicks>", with: icons + "<VideoClicks>")
            .replacing("http://shop.test/?a=1&b=2", with: address)
        let world = AdWorld(["http://ads.test/tag": document])
        var media = MediaExternal(url: AdWorld.film, adSchedule: Self.tag)
        media.securityPolicy = MediaSecurityPolicy(allowedSchemes: ["http", "file"])
        await world.load(media)
        await world.run { world.ads.currentAd != nil }
        let ad = try #require(world.ads.currentAd)
        let companion = try #require(ad.companions.first)
        let (nonLinear, icon) = (try #require(ad.nonLinears.first), try #require(ad.linear?.icons.first))
        let pages = [companion.clickThrough, nonLinear.clickThrough, icon.clickThrough]
        #expect(pages.map { $0?.absoluteString } == [page, page, page])
        let images = page.flatMap { URL(string: $0) }.map { [VASTResource.file($0, type: "image/png")] } ?? []
        #expect([companion.resources, nonLinear.resources, icon.resources] == [images, images, images])
        #expect((ad.linear?.clickThrough == nil) == (page == nil))
        world.view.clickAd()
        #expect(world.delegate.pages.map(\.absoluteString) == [page].compactMap(\.self))
    }

    /// Only the engine follows the redirects of a media file.
    private func makeBackend(_ leak: Leak, _ clock: ManualClock) -> any PlaybackBackend {
        #if VLC || GStreamer
        if leak.part == .mediaFile { return AdEngineTests.Engine.allCases[0].makeBackend() }
        #endif
        return SimulatedBackend(clock: clock, media: SimulatedMedia(duration: 2))
    }
}
