#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing
import VLCBackend

/// The frames match the position after a start, a seek and a retry.
@MainActor
@Suite struct VLCPlaceTests {
    /// Reads the time of frames from their brightness, which grows with time.
    private final class Watcher: VideoFrameSink {
        private let state = Mutex<[(place: Double, time: ContinuousClock.Instant)]>([])

        var seen: [(place: Double, time: ContinuousClock.Instant)] { state.withLock(\.self) }

        func receive(_ frame: VideoFrame) {
            guard let grey = frame.pixel(x: frame.width / 2, y: frame.height / 2)?.green else { return }
            let place = (Double(grey) * 219 / 255 + 16 - 20) / 12
            state.withLock { $0.append((place, .now)) }
        }
    }

    /// Refused addresses are as good as ever.
    private struct Insistent: MediaURLProvider {
        func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL { item.url }
    }

    /// How far apart frame and position may be, in seconds. libVLC reports the time of HLS once a second, and a busy machine is late. A
    /// player that resumes at another segment is off by four seconds.
    private static let tolerance = 3.0
    /// How far apart two frames may be, in seconds. A busy machine skips frames, a player that loses its position skips a segment of 4 s.
    private static let longestStep = 3.5

    private let watcher = Watcher()
    private let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
    private let recorder: EventRecorder

    init() {
        recorder = EventRecorder(player)
        player.videoOutput = .frames(watcher)
        player.urlProvider = Insistent()
    }

    /// Plays up to a position, and compares each frame with the position reported before it.
    private func play(to end: Double) async throws {
        var reported: [(position: Double, time: ContinuousClock.Instant)] = []
        let token = player.observe { event, snapshot in
            if case .position(let position) = event, snapshot.isPlaying { reported.append((position, .now)) }
        }
        let arrives = await recorder.event { event in
            if case .position(let position) = event { position >= end } else { event == .state(.failure) }
        }
        token.cancel()
        #expect(arrives && recorder.errors.isEmpty, "\(recorder.errors)")
        // A busy machine shows few frames. Those that it shows are the right ones.
        for frame in watcher.seen where frame.time <= reported.last?.time ?? frame.time {
            guard let sample = reported.last(where: { $0.time <= frame.time }) else { continue }
            // Playback may stall after the sample.
            let elapsed = (frame.time - sample.time) / .seconds(1)
            let range = sample.position - Self.tolerance...sample.position + elapsed + Self.tolerance
            #expect(range.contains(frame.place), "position \(sample.position), frame \(frame.place)")
        }
    }

    @Test(arguments: ["ramp.mp4", "ramp.m3u8"])
    func aSeekReachesItsTarget(name: String) async throws {
        let server = try await FaultServer.start(serving: try await MediaFixtures.shared.ramp())
        player.load(PlayerItem(unlimited: server.url(for: "/" + name)), autoPlay: true)
        try await play(to: 1.5)
        player.startSeek(to: 6.5)
        #expect(await recorder.event { $0 == .seek(.seeked, position: 6.5) })
        let mark = ContinuousClock.now
        #expect(await eventually { watcher.seen.contains { $0.time > mark && $0.place > 6.3 } })
        try await play(to: 9)
        // The decoder may still hand out a frame that it had finished before the seek. After the first new frame, no old one comes.
        let shown = watcher.seen.filter { $0.time > mark }.map(\.place).drop { $0 < 6.3 }
        #expect(shown.allSatisfy { $0 > 6.3 }, "\(shown)")
        await server.stop()
    }

    @Test(arguments: ["ramp.mp4", "ramp.m3u8"])
    func playbackStartsAtTheStartPosition(name: String) async throws {
        let server = try await FaultServer.start(serving: try await MediaFixtures.shared.ramp())
        player.load(PlayerItem(unlimited: server.url(for: "/" + name)), autoPlay: true, startPosition: 6)
        try await play(to: 8)
        let first = try #require(watcher.seen.first)
        #expect(first.place > 5.7 && first.place < 8, "within the segment of the position")
        await server.stop()
    }

    /// The second segment, from 4 s on, is refused or breaks off once.
    @Test(arguments: ["status=403@segment2@1", "reset-mid-body@segment2@1", "outage=2@segment2@1"])
    func aBrokenDownloadResumesAtItsPosition(plan: String) async throws {
        let server = try await FaultServer.start(serving: try await MediaFixtures.shared.ramp())
        let item = PlayerItem(unlimited: server.url(for: "/ramp.m3u8", plan: try FaultPlan(parsing: plan)))
        player.load(item, autoPlay: true)
        try await play(to: 7)
        let steps = zip(watcher.seen, watcher.seen.dropFirst()).map { $1.place - $0.place }
        #expect((steps.min() ?? -1) > -Self.longestStep, "nothing is seen again")
        #expect((steps.max() ?? 9) < Self.longestStep, "nothing is left out")
        await server.stop()
    }
}
#endif
