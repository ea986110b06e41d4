#if GStreamer
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import TestSupport
import Testing

/// DASH streams from a server on the loopback interface, through real GStreamer.
@MainActor
@Suite struct GStreamerDASHTests {
    private let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
    private let recorder: EventRecorder

    init() { recorder = EventRecorder(player) }

    private func load(_ manifest: URL, peakBitRate: Double? = nil) async throws -> FaultServer {
        let server = try await FaultServer.start(serving: manifest.deletingLastPathComponent())
        play(server.url(for: "/" + manifest.lastPathComponent), peakBitRate: peakBitRate)
        return server
    }

    private func play(_ url: URL, peakBitRate: Double? = nil) {
        var item = PlayerItem(url: url, preferredPeakBitRate: peakBitRate)
        item.retryPolicy = .unlimited
        player.load(item, autoPlay: true)
    }

    // MARK: On demand

    @Test(arguments: MediaFixtures.dashForms)
    func aStreamPlaysToItsEnd(form: String) async throws {
        let server = try await load(try await MediaFixtures.shared.dash(form))
        #expect(await recorder.reaches(.complete), "\(recorder.states) \(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        #expect(player.snapshot.playbackType == .vod)
        #expect(player.snapshot.container == "DASH")
        #expect(abs((player.duration?.seconds ?? 0) - 4) < 0.2)
        #expect(recorder.positions == recorder.positions.sorted())
        #expect(player.snapshot.tracks?.audio.map(\.lang) == ["eng", "deu"])
        await server.stop()
    }

    @Test func aLocalManifestPlays() async throws {
        player.load(try await MediaFixtures.shared.dash(), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
    }

    @Test func aSeekReachesItsTargetWithTheOtherLanguage() async throws {
        let server = try await load(try await MediaFixtures.shared.dash(seconds: 16))
        #expect(await recorder.event { $0.reaches(1) })
        let german = try #require(player.snapshot.tracks?.audio.last)
        player.selectAudio(id: german.id)
        // The last is near the end, because a busy machine needs time before each seek.
        for target in [6.5, 2, 13] {
            let before = recorder.entries.count
            player.startSeek(to: target)
            #expect(await recorder.event { $0 == .seek(.seeked, position: target) }, "\(recorder.errors)")
            #expect(
                await recorder.event(after: before) { $0.reaches(target + 0.5) },
                "\(recorder.events.suffix(20).map(\.text))")
        }
        #expect(player.snapshot.audio == german.id)
        #expect(recorder.errors.isEmpty)
        player.stop()
        await server.stop()
    }

    // MARK: Qualities

    /// The lines of the representations that were requested, in the order of the requests of their segments.
    private func heights(_ server: FaultServer) -> [Int] {
        server.requests.compactMap { request in
            request.path.firstMatch(of: /chunk-stream([012])-/).flatMap { Int($0.1) }.map { [90, 180, 360][$0] }
        }
    }

    @Test(arguments: [(500_000.0, 180), (9_000_000, 360)])
    func noQualityAboveThePeakBitRateIsRequested(limit: Double, highest: Int) async throws {
        let manifest = try await MediaFixtures.shared.dash(seconds: 60)
        let server = try await load(manifest, peakBitRate: limit)
        #expect(await eventually { heights(server).contains(highest) }, "\(heights(server))")
        #expect(await recorder.event { $0.reaches(4) })
        #expect(heights(server).max() == highest, "\(heights(server))")
        #expect(recorder.errors.isEmpty)
        player.stop()
        await server.stop()
    }

    @Test(arguments: ["stream.mpd", "master.m3u8"])
    func theQualityFollowsTheNetwork(name: String) async throws {
        let manifest = try await MediaFixtures.shared.dash(seconds: 60)
        let server = try await load(manifest.deletingLastPathComponent().appending(path: name))
        await expectAdaptation(to: server)
    }

    /// A quick network leads to the best quality, and a slow one to another.
    private func expectAdaptation(to server: FaultServer) async {
        let frames = FrameSizes()
        player.videoOutput = .frames(frames)
        #expect(await eventually { heights(server).contains(360) }, "\(heights(server)) \(recorder.errors)")
        if player.snapshot.playbackType == .vod { player.defaultRate = 4 }
        server.set(.drip(bytesPerSecond: 30_000), for: "/")
        let before = heights(server).count
        #expect(await eventually { heights(server).count > before + 3 }, "\(heights(server))")
        #expect(heights(server)[before + 3] < 360, "\(heights(server))")
        let best = VideoSize(width: 640, height: 360)
        #expect(await eventually { frames.received.contains(best) }, "\(frames.received)")
        #expect(recorder.errors.isEmpty)
        player.stop()
        await server.stop()
    }

    /// The seek that sets the rate falls into the first change of the quality.
    @Test func aStreamStartsAtAnotherRateWhileTheQualityChanges() async throws {
        let manifest = try await MediaFixtures.shared.dash(seconds: 12, segment: 2)
        let server = try await FaultServer.start(serving: manifest.deletingLastPathComponent())
        for _ in 0..<12 {
            let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
            let recorder = EventRecorder(player)
            player.defaultRate = 4
            player.load(PlayerItem(unlimited: server.url(for: "/stream.mpd")), autoPlay: true)
            #expect(await recorder.reaches(.play), "\(recorder.errors)")
            player.stop()
        }
        await server.stop()
    }

    // MARK: Live

    @Test(arguments: ["timeline", "numbers", "open"])
    func aLiveStreamHasAWindow(form: String) async throws {
        let stream = try await LiveManifest(form, window: 60, seconds: 150)
        play(stream.url)
        #expect(await recorder.event { $0.reaches(1) }, "\(recorder.errors)")
        #expect(player.snapshot.playbackType == .live)
        #expect(player.duration == nil)
        let window = try #require(player.snapshot.dvrWindow)
        #expect(abs(window.availableLength - 60) <= 1)
        let target = window.end - 20
        player.startSeek(to: target)
        let hasSought = await recorder.event {
            if case .seek(.seeked, let position) = $0 { abs(position - target) <= 0.5 } else { false }
        }
        #expect(hasSought, "\(recorder.errors)")
        #expect(await recorder.event { $0.reaches(target + 1) })
        player.seekToLive()
        let isLive = await recorder.event {
            if case .seek(.seeked, let position) = $0 { position > target + 10 } else { false }
        }
        #expect(isLive, "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        player.stop()
        withExtendedLifetime(stream) {}
    }

    @Test func theQualityOfALiveStreamFollowsTheNetwork() async throws {
        let folder = try await MediaFixtures.shared.dash(seconds: 150).deletingLastPathComponent()
        let server = try await FaultServer.start(serving: folder)
        let stream = try await LiveManifest(window: 60, seconds: 150, segments: server.url(for: "/"))
        play(stream.url)
        await expectAdaptation(to: server)
        withExtendedLifetime(stream) {}
    }

    /// A manifest ends as a static one, or names the duration and no further version.
    @Test(arguments: ["timeline", "numbers"], [false, true])
    func aLiveStreamEndsAfterItsLastSegment(form: String, staysDynamic: Bool) async throws {
        let stream = try await LiveManifest(form, window: 6, seconds: 12, staysDynamic: staysDynamic)
        play(stream.url)
        #expect(await recorder.reaches(.complete), "\(recorder.states) \(recorder.events.suffix(20).map(\.text))")
        #expect(recorder.errors.isEmpty)
        withExtendedLifetime(stream) {}
    }
}
#endif
