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
        static let all = Part.allCases.flatMap { part in
            Way.allCases.flatMap { way in Target.allCases.map { Leak(part: part, way: way, target: $0) } }
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

    /// Only the engine follows the redirects of a media file.
    private func makeBackend(_ leak: Leak, _ clock: ManualClock) -> any PlaybackBackend {
        #if VLC || GStreamer
        if leak.part == .mediaFile { return AdEngineTests.Engine.allCases[0].makeBackend() }
        #endif
        return SimulatedBackend(clock: clock, media: SimulatedMedia(duration: 2))
    }
}
