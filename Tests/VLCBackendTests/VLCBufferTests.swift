#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// The received parts of items from slow servers, through real libVLC.
@MainActor
@Suite struct VLCBufferTests {
    private static let duration = 40.0

    /// A player, and its ranges so far.
    @MainActor private final class Viewer {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder: EventRecorder
        private(set) var ranges: [ClosedRange<Double>] = []
        private var observation: NSKeyValueObservation?

        init() {
            recorder = EventRecorder(player)
            observation = player.observe(\.bufferedRanges) { [weak self] _, change in
                self?.ranges += change.newValue ?? []
            }
        }
    }

    /// Plays an item from a slow server, and seeks in it.
    private func play(_ url: URL) async {
        let viewer = Viewer()
        viewer.player.load(PlayerItem(unlimited: url), autoPlay: true)
        #expect(await viewer.recorder.reaches(.play))
        #expect(await eventually { Set(viewer.ranges.map(\.upperBound)).count >= 4 }, "\(viewer.ranges)")
        let (first, last) = (viewer.ranges.first?.upperBound ?? 0, viewer.ranges.last?.upperBound ?? 0)
        #expect(first < last && first < Self.duration, "\(viewer.ranges)")
        let target = Self.duration - 8
        viewer.player.startSeek(to: target)
        #expect(await viewer.recorder.event { $0 == .seek(.seeked, position: target) })
        #expect(await eventually { viewer.player.bufferedRanges.contains { $0.contains(target) } })
        let stray = viewer.ranges.first { $0.lowerBound < 0 || $0.upperBound > Self.duration + 0.2 }
        #expect(stray == nil)
        viewer.player.stop()
        #expect(viewer.player.bufferedRanges.isEmpty)
    }

    @Test func theRangeOfAFileGrowsAndFollowsASeek() async throws {
        let file = try Data(contentsOf: try await MediaFixtures.shared.long(seconds: Self.duration))
        let server = try await FaultServer.start(serving: ["/film.mp4": file])
        let plan = FaultPlan(.drip(bytesPerSecond: file.count / 8))
        await play(server.url(for: "/film.mp4", plan: plan))
        await server.stop()
    }

    @Test func theRangeOfAStreamGrowsAndFollowsASeek() async throws {
        let folder = try await MediaFixtures.shared.segments(seconds: Int(Self.duration))
        let size = try Data(contentsOf: folder.appending(path: "1.ts")).count
        let server = try await FaultServer.start(serving: folder)
        let plan = FaultPlan(.drip(bytesPerSecond: size * 3), on: .on(.segments))
        await play(server.url(for: "/all.m3u8", plan: plan))
        await server.stop()
    }

    @Test func aPausedItemIsReadAhead() async throws {
        let file = try Data(contentsOf: try await MediaFixtures.shared.long(seconds: Self.duration))
        let server = try await FaultServer.start(serving: ["/film.mp4": file])
        let viewer = Viewer()
        viewer.player.load(server.url(for: "/film.mp4", plan: FaultPlan(.drip(bytesPerSecond: file.count / 4))))
        #expect(await viewer.recorder.reaches(.ready))
        #expect(await eventually { viewer.player.bufferedRanges == [0...(viewer.player.snapshot.duration ?? 0)] })
        #expect(viewer.ranges.count > 1, "it grows")
        viewer.player.stop()
        await server.stop()
    }

    @Test func aLocalFileIsOneRange() async throws {
        let viewer = Viewer()
        viewer.player.load(try await MediaFixtures.shared.file("mp4"))
        #expect(await viewer.recorder.reaches(.ready))
        #expect(viewer.player.bufferedRanges == [0...(viewer.player.snapshot.duration ?? 0)])
    }
}
#endif
