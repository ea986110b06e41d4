#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// Adaptive and live streams from a server on the loopback interface, through real libVLC.
@MainActor
@Suite struct VLCStreamTests {
    private func player(_ output: VideoOutput = .none) -> (MediaPlayer, EventRecorder) {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        player.videoOutput = output
        return (player, EventRecorder(player))
    }

    @Test func theQualityFollowsTheVariant() async throws {
        let master = try await MediaFixtures.shared.variants(seconds: 60)
        let server = try await LoopbackServer(files: master.deletingLastPathComponent())
        let (player, recorder) = player(.frames(NoSink()))
        player.load(PlayerItem(unlimited: server.base.appending(path: "master.m3u8")), autoPlay: true)
        #expect(await recorder.event(after: 0) { $0 == .quality(.hd) })
        let reported = recorder.events.compactMap { if case .quality(let quality) = $0 { quality } else { nil } }
        #expect(reported.first == .sd144, "it begins low and climbs")
        #expect(player.snapshot.playbackType == .vod)
        #expect(await recorder.event(after: 0) { $0.reaches(6) })
        let lists = recorder.events.count { if case .tracks = $0 { true } else { false } }
        #expect(lists == 1, "another variant has the same tracks")
    }

    @Test(arguments: [(1_000_000.0, 360), (500_000, 180), (10_000, 180), (9_000_000, 720)])
    func noVariantAboveThePeakBitRateIsFetched(limit: Double, highest: Int) async throws {
        let master = try await MediaFixtures.shared.variants(seconds: 60)
        let log = RequestLog()
        let server = try await LoopbackServer(files: master.deletingLastPathComponent(), log: log)
        let (player, recorder) = player(.frames(NoSink()))
        var item = PlayerItem(url: server.base.appending(path: "master.m3u8"), preferredPeakBitRate: limit)
        item.retryPolicy = .unlimited
        player.load(item, autoPlay: true)
        #expect(await recorder.event { $0.reaches(4) })
        let fetched = {
            log.paths.filter { $0.hasSuffix(".ts") }.compactMap { path in
                [180, 360, 720].first { path.hasPrefix("/\($0)") }
            }
        }
        #expect(await eventually { fetched().contains(highest) }, "\(log.paths)")
        #expect(fetched().max() == highest, "\(log.paths)")
    }

    @Test func aLiveStreamHasAWindowAndNoLength() async throws {
        let stream = try await LiveStream(window: 10)
        let (player, recorder) = player()
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
        #expect(await recorder.event { if case .position = $0 { true } else { false } })
        let position = player.position.seconds
        #expect(position > second.start - 5 && position < second.end + 5, "\(position) in \(second)")
        #expect(recorder.positions == recorder.positions.sorted())
    }

    @Test func aSeekInALiveStreamGoesBackInItsWindow() async throws {
        let stream = try await LiveStream(window: 60, seconds: 300)
        let (player, recorder) = player()
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        #expect(await recorder.event { $0.reaches(1) })
        #expect(player.canSeek)
        let window = try #require(player.snapshot.dvrWindow)
        let target = window.end - 30
        player.startSeek(to: target)
        #expect(await recorder.event { $0 == .seek(.seeked, position: target) })
        let sought = try #require(recorder.events.lastIndex(of: .seek(.seeked, position: target)))
        #expect(await recorder.event(after: sought) { $0.reaches(target + 1.5) })
        let reported = recorder.events[sought...].compactMap {
            if case .position(let position) = $0 { position } else { nil }
        }
        #expect(try #require(reported.first) < target + 2)
        player.startSeek(to: -100)
        #expect(
            await recorder.event {
                if case .seek(.seeked, let position) = $0 { position >= window.start } else { false }
            })
    }

    @Test func aPausedLiveStreamResumesAtItsPosition() async throws {
        let stream = try await LiveStream(window: 30)
        let (player, recorder) = player()
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        #expect(await recorder.reaches(.play))
        let start = player.position.seconds
        #expect(await recorder.event { $0.reaches(start + 2) })
        player.pause()
        // libVLC reports the position of HLS once a second, and a busy machine is late. The edge moves on meanwhile.
        _ = await recorder.event(within: .seconds(4)) { _ in false }
        let position = player.position.seconds
        #expect(!(await recorder.event(within: .seconds(4)) { $0.reaches(position + 1) }))
        let resumed = recorder.entries.count
        player.play()
        #expect(await recorder.event { $0.reaches(position + 6) })
        let entries = recorder.entries[resumed...]
        let reported = entries.compactMap { entry in
            if case .position(let position) = entry.event { (position: position, time: entry.time) } else { nil }
        }
        #expect(reported.map(\.position) == reported.map(\.position).sorted(), "it went back")
        let (played, first) = try (#require(entries.first { $0.event == .state(.play) }), #require(reported.first))
        #expect(first.position < position + 5 + (first.time - played.time) / .seconds(1), "it went to the edge")
        #expect(!recorder.events.contains { if case .seek = $0 { true } else { false } }, "nobody asked for a seek")
    }

    @Test func aLiveStreamEndsAfterItsLastSegment() async throws {
        let stream = try await LiveStream(window: 6, seconds: 10)
        let (player, recorder) = player()
        player.load(PlayerItem(unlimited: stream.url), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .complete] || recorder.states.contains(.buffer))
        #expect(recorder.errors.isEmpty)
    }

    @Test func aStreamReportsItsBufferAndAFileIsFull() async throws {
        _ = try await MediaFixtures.shared.file("m3u8")
        let server = try await LoopbackServer(files: MediaFixtures.shared.directory)
        let (player, recorder) = player()
        var first: PlayerSnapshot?
        let token = player.observe { event, snapshot in
            if event == .state(.play) { first = first ?? snapshot }
        }
        player.load(PlayerItem(unlimited: server.base.appending(path: "hls/clip.m3u8")), autoPlay: true)
        #expect(player.snapshot.bufferState == .empty)
        #expect(await recorder.reaches(.play))
        #expect(first?.bufferState == .keepUp)
        #expect(first?.bufferLevel.percentage == 100)
        token.cancel()
        player.load(try await MediaFixtures.shared.file("mp4"), autoPlay: true)
        #expect(await recorder.event { $0 == .state(.play) })
        #expect(player.snapshot.bufferState == .full)
        let reported = recorder.events.compactMap { if case .buffer(let state) = $0 { state } else { nil } }
        // A busy machine may stall.
        #expect(reported.first == .keepUp && reported.suffix(2) == [.empty, .full])
    }
}

private final class NoSink: VideoFrameSink {
    func receive(_ frame: VideoFrame) {}
}
#endif
