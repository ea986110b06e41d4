import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing

@testable import Advertising

/// Each error of VAST from a server on the loopback interface, by a manual clock: the item plays within the time-out, the error is
/// reported once, and its tracker is called once.
@MainActor
@Suite struct AdFaultTests {
    @Test(arguments: AdFault.all.filter { !$0.isPlayedByEngine })
    func eachErrorIsReportedOnce(_ fault: AdFault) async throws { try await play(fault) }

    #if VLC || GStreamer
    @Test(arguments: AdEngineTests.Engine.some, AdFault.all.filter(\.isPlayedByEngine))
    func eachErrorOfAnEngineIsReportedOnce(_ engine: AdEngineTests.Engine, _ fault: AdFault) async throws {
        try await play(fault) { engine.makeBackend() }
    }
    #endif

    /// - Parameter engine: plays the media file; `nil` for a simulated one.
    private func play(_ fault: AdFault, in engine: (@MainActor () -> any PlaybackBackend)? = nil) async throws {
        let clock = ManualClock()
        let server = try await server(of: fault, clock)
        var options = AdOptions()
        fault.configure(&options)
        let world = ServedAdWorld(
            server: server, clock: clock, content: SimulatedMedia(duration: 10), options: options
        ) { engine?() ?? SimulatedBackend(clock: clock, media: fault.simulatedMedia) }
        let address = { (path: String) in AdBreak(adTags: [server.url(path).absoluteString]) }
        var media = MediaExternal(
            url: AdWorld.film,
            adSchedule: AdScheduleWaterfall(preAdBreak: address("/tag"), postAdBreak: address("/last-tag")))
        media.retryPolicy = .none
        await world.load(media)
        if let error = fault.reported {
            await world.run { world.ads.currentAd != nil }
            world.ads.didFail(with: error)
        }
        if engine != nil { try await waitForEngine(world, fault) }
        let lasting = fault.shown == .nothing ? 0 : 3.0
        #expect(await world.run(atMost: 5.2 + lasting) { world.view.state == .play }, "\(world.story)")
        #expect(world.position < 0.2)
        #expect(await world.run(atMost: 20) { world.view.state == .complete }, "\(world.story)")

        let reports = world.errors.filter { $0.type == .preRoll }.map(\.code)
        #expect(reports == (fault.reported == nil ? [fault.code] : []), "\(world.story)")
        let shown: AdFault.Shown =
            !world.delegate.lines.contains("play preRoll")
            ? .nothing : world.delegate.lines.contains("complete preRoll") ? .everything : .start
        #expect(shown == fault.shown)
        // The tracker of the last break is behind all others.
        try await server.request(for: "/last")
        let calls = server.requests.filter { $0.contains("/error") }
        #expect(calls == fault.trackers.map { "\($0)?code=\(fault.code)" })
    }

    private func server(of fault: AdFault, _ clock: ManualClock) async throws -> FaultyAdServer {
        let server = try await FaultyAdServer(faults: fault.faults, latePaths: fault.latePaths, clock: clock)
        try server.write(fault.document, to: "tag")
        try fault.next.map { try server.write($0, to: "next") }
        try server.write("<VAST version=\"3.0\"><Error>{s}/last</Error></VAST>", to: "last-tag")
        switch fault.media {
        case .simulated: break
        case .file(let seconds):
            try server.copy(try await MediaFixtures.shared.solid(colour: "blue", duration: seconds), to: "ad.mp4")
        case .page: try server.write("<!DOCTYPE html><html><body>Sign in</body></html>", to: "ad.mp4")
        }
        return server
    }

    /// Waits in real time for the engine. The time of the clock stays the same, so nothing but a file that comes too late can time out.
    private func waitForEngine(_ world: ServedAdWorld<FaultyAdServer>, _ fault: AdFault) async throws {
        guard fault.latePaths.isEmpty else { return try await world.server.request(for: "/ad.mp4") }
        let hasEnded = { (event: PlayerEvent) in event == .ad(.state(.idle, .preRoll)) }
        if world.recorder.events.contains(where: hasEnded) { return }
        #expect(await world.recorder.event(where: hasEnded))
    }

    @Test
    func everyErrorHasACase() {
        #expect(Set(AdFault.all.map(\.code)) == Set(VASTError.allCases.map(\.rawValue)))
    }

    @Test
    func theDocumentHasTheTable() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../Docs/Advertising.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- errors -->\n")).upperBound
        let end = try #require(text.range(of: "\n<!-- end of errors -->")).lowerBound
        if ProcessInfo.processInfo.environment["FLOWPLAYER_UPDATE_GOLDEN"] != nil {
            try Data(text.replacingCharacters(in: start..<end, with: AdFault.table).utf8).write(to: file)
        } else {
            #expect(text[start..<end] == AdFault.table, "FLOWPLAYER_UPDATE_GOLDEN=1 writes the table.")
        }
    }
}
