#if GStreamer
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import TestSupport
import Testing

/// HLS streams from a server on the loopback interface, through real GStreamer.
@MainActor
@Suite struct GStreamerStreamTests {
    private let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
    private let recorder: EventRecorder

    init() { recorder = EventRecorder(player) }

    /// A stream of 16 s in segments of 4 s, on a server with faults.
    private func load(
        _ plan: String = "none", from start: Double = 0, autoPlay: Bool = true, rate: Float = 4
    ) async throws -> FaultServer {
        let server = try await FaultServer.start(serving: try await MediaFixtures.shared.ramp())
        let item = PlayerItem(unlimited: server.url(for: "/ramp.m3u8", plan: try FaultPlan(parsing: plan)))
        player.defaultRate = rate
        player.load(item, autoPlay: autoPlay, startPosition: start)
        return server
    }

    // MARK: On demand

    @Test(arguments: ["medium", "separate", "encrypted", "joined"])
    func aStreamPlaysToItsEnd(kind: String) async throws {
        let media = MediaFixtures.shared
        let playlist =
            switch kind {
            case "separate": try await media.separate(seconds: 4)
            case "joined": try await media.joined(seconds: 4)
            case "encrypted": try await media.encrypted().appending(path: "clip.m3u8")
            default: try await media.file("m3u8")
            }
        let server = try await LoopbackServer(files: playlist.deletingLastPathComponent())
        player.load(PlayerItem(unlimited: server.base.appending(path: playlist.lastPathComponent)), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.states) \(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        #expect(player.snapshot.playbackType == .vod)
        #expect(player.snapshot.container == "HLS")
        let duration = ["separate", "joined"].contains(kind) ? 4.0 : 2.0
        #expect(abs((player.duration?.seconds ?? 0) - duration) < 0.2)
        #expect(recorder.positions == recorder.positions.sorted())
        withExtendedLifetime(server) {}
    }

    @Test func aLocalPlaylistPlays() async throws {
        player.load(try await MediaFixtures.shared.file("m3u8"), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
    }

    @Test func aSeekReachesItsTarget() async throws {
        // The last is near the end, because a busy machine needs time before each seek.
        let server = try await load(rate: 1)
        #expect(await recorder.event { $0.reaches(1) })
        for target in [6.5, 2, 13] {
            let before = recorder.entries.count
            player.startSeek(to: target)
            #expect(await recorder.event { $0 == .seek(.seeked, position: target) }, "\(recorder.errors)")
            #expect(await recorder.event(after: before) { $0.reaches(target + 0.5) })
        }
        #expect(recorder.errors.isEmpty)
        await server.stop()
    }

    @Test func playbackStartsAtTheStartPosition() async throws {
        let server = try await load(from: 10)
        #expect(await recorder.reaches(.play))
        #expect(recorder.positions.allSatisfy { $0 >= 10 }, "\(recorder.positions)")
        #expect(await recorder.reaches(.complete))
        await server.stop()
    }

    /// A pipeline changes its rate with a seek, which requests the segment again.
    @Test func aRateThatIsSetBeforeTheStartPositionIsReachedHolds() async throws {
        let server = try await load("late=2@segment3", from: 9, rate: 1)
        _ = try await server.request { $0.path.hasSuffix("/ramp2.ts") }
        // On a busy machine, the pipeline has also read ahead before it seeks to the start position.
        let before = server.requests.count { $0.path.hasSuffix("/ramp2.ts") }
        player.rate = 2
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(server.requests.count { $0.path.hasSuffix("/ramp2.ts") } > before, "\(server.requests.map(\.path))")
        await server.stop()
    }

    // MARK: Faults

    @Test(arguments: [
        "reset-mid-body@segment2@1", "outage=2@segment2@1", "late=2@segment2@1", "status=503@segment2@1",
        "length-too-long=1000@segment2@1",
    ])
    func aFaultThatPassesIsNoFailure(plan: String) async throws {
        let server = try await load(plan)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        #expect(recorder.positions == recorder.positions.sorted())
        await server.stop()
    }

    /// The player plays everything before the missing segment, which begins at 8 s.
    @Test(arguments: [403, 404])
    func aMissingSegmentFailsWithItsStatus(status: Int) async throws {
        let server = try await load("status=\(status)@segment3")
        #expect(await recorder.reaches(.failure), "\(recorder.states)")
        #expect(recorder.errors.map(\.httpStatus) == [status])
        #expect((recorder.positions.max() ?? 0) > 6, "\(recorder.events.map(\.text)) \(server.requests.map(\.path))")
        await server.stop()
    }

    /// GStreamer's own source for HTTP crashed here, because libsoup fails if a request is cancelled as its response arrives.
    @Test func aStreamThatWaitsForASegmentCanBeClosed() async throws {
        let server = try await FaultServer.start(serving: try await MediaFixtures.shared.ramp())
        let plan = try FaultPlan(parsing: "hang-before-headers@segment1+hang-before-headers@segment2")
        let item = PlayerItem(unlimited: server.url(for: "/ramp.m3u8", plan: plan))
        for number in 1...200 {
            player.load(item, autoPlay: true)
            try #require(await eventually { server.requests.count { $0.path.hasSuffix("/ramp0.ts") } >= number })
            player.stop()
        }
        #expect(recorder.errors.isEmpty)
        await server.stop()
    }

    /// The same source crashed here too.
    @Test func seeksMayFollowEachOtherQuickly() async throws {
        let server = try await FaultServer.start(serving: try await MediaFixtures.shared.ramp())
        player.load(PlayerItem(unlimited: server.url(for: "/ramp.m3u8")))
        #expect(await recorder.reaches(.ready))
        for number in 1...200 {
            let before = server.requests.count
            player.startSeek(to: number % 2 == 0 ? 1 : 9.5)
            try #require(await eventually { server.requests.count > before || player.snapshot.seek.state != .seeking })
        }
        // The last event may have come already.
        #expect(await eventually { player.snapshot.seek.state == .seeked })
        #expect(player.snapshot.seek.position == 1)
        #expect(recorder.errors.isEmpty)
        player.stop()
        await server.stop()
    }

    @Test func aSegmentThatIsCutOffAndNotCompletedFailsWithItsReason() async throws {
        let server = try await FaultServer.start(serving: try await MediaFixtures.shared.ramp())
        let plan = try FaultPlan(parsing: "reset-mid-body@segment2@1+status=503@segment2@2-")
        var item = PlayerItem(unlimited: server.url(for: "/ramp.m3u8", plan: plan))
        (item.retryPolicy.attempts, item.retryPolicy.firstDelay) = (2, 0.01)
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.failure), "\(recorder.states)")
        #expect(recorder.errors.map(\.httpStatus) == [503])
        await server.stop()
    }

    @Test(arguments: ["status=403", "status=404", "status=403@segment1", "garbage@segment1+garbage@segment2"])
    func aStreamThatCannotBeOpenedFailsOnce(plan: String) async throws {
        let server = try await load(plan)
        #expect(await recorder.reaches(.failure), "\(recorder.states)")
        #expect(recorder.errors.count == 1)
        if plan.hasPrefix("status") {
            #expect(recorder.errors.first?.httpStatus == Int(plan.dropFirst(7).prefix(3)))
        }
        await server.stop()
    }

    /// A seek leads back to what arrived before the failure of a later segment.
    @Test func aSeekAfterAMissingSegmentPlays() async throws {
        let server = try await load("status=404@segment4", from: 5, autoPlay: false)
        _ = try await server.request { $0.status == 404 && $0.ending == .sent }
        player.startSeek(to: 1)
        #expect(await recorder.event { $0 == .seek(.seeked, position: 1) }, "\(recorder.errors)")
        player.play()
        #expect(await recorder.event { $0.reaches(2) })
        player.stop()
        await server.stop()
    }

    /// Gives the same address again, which the server then accepts.
    private struct Insistent: MediaURLProvider {
        func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL { item.url }
    }

    @Test func anExpiredAddressIsReplaced() async throws {
        player.urlProvider = Insistent()
        let server = try await load("status=403@segment3@1")
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        #expect(recorder.positions == recorder.positions.sorted())
        await server.stop()
    }

    /// GStreamer recognises the format of each segment. A playlist in place of a segment could name any address.
    @Test func aSegmentLeadsToNoOtherServer() async throws {
        let other = try await FaultServer.start(serving: [:])
        let id3 = Data([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 10]) + Data(count: 10)
        let nested = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nADDRESS\n#EXT-X-ENDLIST\n"
        let segment = Data(nested.replacing("ADDRESS", with: other.url(for: "/other.ts").absoluteString).utf8)
        let playlist = nested.replacing("ADDRESS", with: "segment.ts")
        for content in [segment, id3 + segment] {
            let server = try await FaultServer.start(
                serving: ["/clip.m3u8": Data(playlist.utf8), "/segment.ts": content])
            player.load(PlayerItem(unlimited: server.url(for: "/clip.m3u8")), autoPlay: true)
            #expect(await recorder.reaches(.failure), "\(recorder.states)")
            await server.stop()
        }
        #expect(other.requests.isEmpty)
        await other.stop()
    }

    // MARK: Qualities

    @Test(arguments: [(500_000.0, 180), (9_000_000, 720)])
    func noVariantAboveThePeakBitRateIsRequested(limit: Double, highest: Int) async throws {
        let master = try await MediaFixtures.shared.variants(seconds: 60)
        let log = RequestLog()
        let server = try await LoopbackServer(files: master.deletingLastPathComponent(), log: log)
        var item = PlayerItem(url: server.base.appending(path: "master.m3u8"), preferredPeakBitRate: limit)
        item.retryPolicy = .unlimited
        player.load(item, autoPlay: true)
        let heights = {
            log.paths.filter { $0.hasSuffix(".ts") }.compactMap { path in
                [180, 360, 720].first { path.hasPrefix("/\($0)") }
            }
        }
        #expect(await eventually { heights().contains(highest) }, "\(log.paths)")
        #expect(await recorder.event { $0.reaches(4) })
        #expect(heights().max() == highest, "\(log.paths)")
        #expect(recorder.errors.isEmpty)
        player.stop()
        withExtendedLifetime(server) {}
    }

    // MARK: Live

    @Test func aLiveStreamHasAWindowAndNoDuration() async throws {
        let stream = try await LiveStream(window: 10)
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        #expect(await recorder.reaches(.play))
        #expect(player.snapshot.playbackType == .live)
        #expect(player.duration == nil)
        let first = try #require(player.snapshot.dvrWindow)
        #expect(first.availableLength == 10)
        #expect(await recorder.event { if case .dvrWindow = $0 { true } else { false } })
        let second = try #require(player.snapshot.dvrWindow)
        #expect(second.start > first.start)
        #expect(second.availableLength == 10)
        player.stop()
        withExtendedLifetime(stream) {}
    }

    /// Position 0 is the start of the first playlist.
    @Test func eachWindowIsThatOfAPlaylist() async throws {
        let stream = try await LiveStream(window: 10, seconds: 60, missed: 30)
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        func windows() -> [ClosedRange<Double>] {
            recorder.events.compactMap {
                if case .dvrWindow(let window) = $0 { window.start...window.end } else { nil }
            }
        }
        #expect(await eventually { windows().count > 3 }, "\(recorder.errors)")
        let first = try #require(stream.windows.first?.lowerBound)
        for window in windows() {
            let isTrue = stream.windows.contains { playlist in
                let (start, end) = (Double(playlist.lowerBound - first), Double(playlist.upperBound - first))
                return abs(start - window.lowerBound) < 0.1 && abs(end - window.upperBound) < 0.1
            }
            #expect(isTrue, "\(window) \(stream.windows) from \(first)")
        }
        player.stop()
    }

    /// The times in fragmented mp4 count from the start of the stream, which the player has missed.
    @Test(arguments: [false, true]) func aSeekInALiveStreamGoesBackInItsWindow(isFragmented: Bool) async throws {
        let stream = try await LiveStream(window: 60, seconds: 150, missed: 30, isFragmented: isFragmented)
        let frames = FrameCounter()
        player.videoOutput = .frames(frames)
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        #expect(await recorder.event { $0.reaches(1) })
        #expect(player.canSeek)
        let window = try #require(player.snapshot.dvrWindow)
        #expect(abs(window.availableLength - 60) <= 1)
        let target = window.end - 20
        player.startSeek(to: target)
        let hasSought = await recorder.event {
            if case .seek(.seeked, let position) = $0 { abs(position - target) <= 0.5 } else { false }
        }
        #expect(hasSought, "\(recorder.errors)")
        let shown = frames.count
        #expect(await eventually { frames.count > shown + 3 })
        #expect(player.position.seconds < target + 20, "the frames would be 30 s late")
        #expect(await recorder.event { $0.reaches(target + 1) })
        player.seekToLive()
        #expect(
            await recorder.event {
                if case .seek(.seeked, let position) = $0 { position > target + 5 } else { false }
            })
        #expect(recorder.errors.isEmpty)
        player.stop()
        withExtendedLifetime(stream) {}
    }

    /// The playlist moves by more segments than GStreamer has left to play.
    @Test func aLiveStreamEndsWithoutAGap() async throws {
        let stream = try await LiveStream(window: 6, seconds: 12, isHeld: true)
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        #expect(await recorder.event { $0.reaches(1) }, "\(recorder.errors)")
        stream.end()
        #expect(await recorder.reaches(.complete), "\(recorder.events)")
        #expect(recorder.errors.isEmpty)
        #expect(stream.requests.suffix(6) == (6..<12).map { "\($0).ts" }, "\(stream.requests)")
    }

    /// GStreamer waits for the next version of the playlist, which drops one segment.
    @Test func aLiveStreamEndsAfterAStall() async throws {
        let stream = try await LiveStream(window: 6, seconds: 7, isHeld: true)
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        #expect(await recorder.event { $0.reaches(1) }, "\(recorder.errors)")
        #expect(await recorder.reaches(.buffer), "\(recorder.states)")
        stream.end()
        #expect(await recorder.reaches(.complete), "\(recorder.states)")
        #expect(recorder.errors.isEmpty)
        #expect(stream.requests.last == "6.ts", "\(stream.requests)")
    }

    @Test func aLiveStreamEndsAfterItsLastSegment() async throws {
        let stream = try await LiveStream(window: 6, seconds: 10)
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        withExtendedLifetime(stream) {}
    }
}
#endif
