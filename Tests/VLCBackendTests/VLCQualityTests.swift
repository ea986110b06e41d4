#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// The selection of a variant, through real libVLC and a server that writes down the requests.
@MainActor
@Suite struct VLCQualityTests {
    private let log = RequestLog()
    private let player: MediaPlayer
    private let recorder: EventRecorder

    init() {
        player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        player.videoOutput = .frames(NoSink())
        recorder = EventRecorder(player)
    }

    private func stream() async throws -> (server: LoopbackServer, item: PlayerItem) {
        let master = try await MediaFixtures.shared.variants(seconds: 60)
        let server = try await LoopbackServer(files: master.deletingLastPathComponent(), log: log)
        return (server, PlayerItem(unlimited: server.base.appending(path: "master.m3u8")))
    }

    /// The heights of the requested segments since a request.
    private func heights(since first: Int = 0) -> [Int] {
        log.paths.dropFirst(first).filter { $0.hasSuffix(".ts") }.compactMap { path in
            [180, 360, 720].first { path.hasPrefix("/\($0)") }
        }
    }

    private func shows(_ height: Int) async -> Bool {
        await eventually { player.snapshot.videoSize?.height == height && player.snapshot.isPlaying }
    }

    @Test func theSelectedQualityIsRequestedAndShown() async throws {
        let (server, item) = try await stream()
        player.load(item, autoPlay: true)
        #expect(await eventually { player.qualities.map(\.height) == [720, 360, 180] })
        #expect(await recorder.event { $0.reaches(1) })
        for quality in [player.qualities[0], player.qualities[1]] {
            // The player's own position runs ahead of libVLC's on a busy machine.
            let before = recorder.positions.max() ?? 0
            let first = log.paths.count
            player.select(quality: quality)
            #expect(player.selectedQuality == quality)
            #expect(await shows(quality.height), "\(recorder.events)")
            #expect(player.position.seconds >= before - 0.1)
            let start = player.position.seconds
            #expect(await eventually { player.position.seconds > start + 1 })
            // Segments of the previous quality may be on their way.
            let requested = heights(since: first)
            let change = try #require(requested.firstIndex(of: quality.height), "\(log.paths.dropFirst(first))")
            #expect(Set(requested[change...]) == [quality.height], "\(log.paths.dropFirst(first))")
        }
        player.select(quality: nil)
        #expect(player.selectedQuality == nil)
        #expect(await eventually { Set(heights().suffix(2)) != [360] }, "it adapts again")
        #expect(recorder.errors.isEmpty && !recorder.states.contains(.complete))
        player.stop()
        withExtendedLifetime(server) {}
    }

    @Test func aSelectionBeforeTheLoadHoldsForIt() async throws {
        let (server, item) = try await stream()
        player.load(item)
        #expect(await eventually { player.qualities.count == 3 })
        let quality = try #require(player.qualities.first { $0.height == 360 })
        player.stop()
        player.select(quality: quality)
        player.load(item, autoPlay: true)
        #expect(await shows(360))
        #expect(await eventually { player.position.seconds > 2 })
        // A segment of the first load may be on its way until the second one.
        let first = try #require(log.paths.lastIndex(of: "/master.m3u8"))
        #expect(Set(heights(since: first)) == [360], "\(log.paths.dropFirst(first))")
        #expect(player.selectedQuality == quality)
        player.stop()
        withExtendedLifetime(server) {}
    }

    @Test func aLargerVariantThanTheMaximumIsNeverRequested() async throws {
        var (server, item) = try await stream()
        item.maximumResolution = .init(width: 640, height: 360)
        player.load(item, autoPlay: true)
        #expect(await shows(360), "it climbs to the maximum")
        #expect(await eventually { player.position.seconds > 4 })
        #expect(player.qualities.map(\.height) == [360, 180])
        #expect(heights().max() == 360)
        #expect(!log.paths.contains { $0.hasPrefix("/720") }, "\(log.paths)")
        player.stop()
        withExtendedLifetime(server) {}
    }

    @Test func aSelectionWhilePausedStaysPaused() async throws {
        let (server, item) = try await stream()
        player.load(item, autoPlay: true)
        #expect(await recorder.event { $0.reaches(2) })
        player.pause()
        #expect(await eventually { player.snapshot.state == .pause && player.qualities.count == 3 })
        let position = player.position.seconds
        let quality = player.qualities[0]
        player.select(quality: quality)
        #expect(await eventually { heights().last == quality.height })
        #expect(player.snapshot.state == .pause)
        player.play()
        #expect(await shows(quality.height))
        #expect(abs(player.position.seconds - position) < 10)
        player.stop()
        withExtendedLifetime(server) {}
    }

    @Test func aFileHasNoQualities() async throws {
        player.load(try await MediaFixtures.shared.file("mp4"))
        #expect(await recorder.reaches(.ready))
        #expect(player.qualities.isEmpty)
        player.select(quality: VideoQuality(id: 0, width: 1, height: 1, bitRate: 1))
        #expect(recorder.notices.map(\.code) == ["noSuchQuality"])
    }
}

private final class NoSink: VideoFrameSink {
    func receive(_ frame: VideoFrame) {}
}
#endif
