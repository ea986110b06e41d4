import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Precision of seeks, skips, loops and scrubbing.
@MainActor
@Suite struct SeekingTests {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private static let clip = MediaExternal(url: URL(filePath: "/media/clip.mp4"))

    /// A view that plays an item from its beginning.
    private func playing(
        _ media: SimulatedMedia = SimulatedMedia(), without features: Set<BackendCapabilities.Feature> = []
    ) async throws -> (FlowplayerView, EventRecorder, SimulatedBackend) {
        let all = SimulatedBackend.everything.features
        let backend = SimulatedBackend(
            clock: clock, capabilities: BackendCapabilities(features: all.subtracting(features)), media: media)
        let player = MediaPlayer(backend: backend, clock: clock)
        let view = FlowplayerView(avPlayer: player, notificationCenter: center)
        let recorder = EventRecorder(player)
        view.autoPlay = true
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        return (view, recorder, backend)
    }

    private func targets(_ recorder: EventRecorder) -> [Double] {
        recorder.events.compactMap { if case .seek(.seeking, let target) = $0 { target } else { nil } }
    }

    // MARK: Tolerance

    @Test func aSeekToAKeyframeGoesToTheOneBefore() async throws {
        let (view, recorder, _) = try await playing()
        view.avPlayer?.startSeek(to: 5.3, tolerance: .keyframe)
        #expect(view.position?.seconds == 5.3)
        await clock.advance(by: .seconds(0.1))
        #expect(recorder.events.contains(.seek(.seeked, position: 4)))
        view.avPlayer?.startSeek(to: 5.3)
        await clock.advance(by: .seconds(0.1))
        #expect(recorder.events.contains(.seek(.seeked, position: 5.3)))
    }

    @Test func aBackendWithoutKeyframesSeeksExactly() async throws {
        let (view, recorder, backend) = try await playing(without: [.keyframeSeeking])
        view.avPlayer?.startSeek(to: 5.3, tolerance: .keyframe)
        await clock.advance(by: .seconds(0.1))
        #expect(recorder.events.contains(.seek(.seeked, position: 5.3)))
        #expect(backend.commands.contains(.seek(Generation(rawValue: 1), to: 5.3)))
        #expect(recorder.notices.isEmpty)
    }

    @Test func theNewestOfManySeeksHasItsOwnTolerance() async throws {
        let (view, recorder, _) = try await playing()
        view.avPlayer?.startSeek(to: 3, tolerance: .keyframe)
        view.avPlayer?.startSeek(to: 5, tolerance: .keyframe)
        view.avPlayer?.startSeek(to: 7)
        await clock.advance(by: .seconds(1))
        #expect(recorder.events.contains(.seek(.seeked, position: 7)))
    }

    // MARK: Skips

    @Test func skipsAddUpAndStayInTheItem() async throws {
        let (view, recorder, _) = try await playing(SimulatedMedia(duration: 60, seekDelay: 1))
        let start = try #require(view.position?.seconds)
        for _ in 1...3 { view.skip(by: 10) }
        #expect(view.position?.seconds == start + 30)
        await clock.advance(by: .seconds(5))
        #expect(recorder.events.contains(.seek(.seeked, position: start + 30)))
        view.skip(by: -1000)
        #expect(view.position?.seconds == 0)
        view.skip(by: 1000)
        #expect(view.position?.seconds == 60)
    }

    // MARK: Loops

    @Test func aLoopIsRepeatedWithEventsAsSeeks() async throws {
        let (view, recorder, _) = try await playing()
        view.loop = 2...4
        await clock.advance(by: .seconds(20))
        #expect(targets(recorder).count > 5)
        #expect(targets(recorder).allSatisfy { $0 == 2 })
        #expect(recorder.positions.allSatisfy { $0 < 4.3 })
        view.pause()
        await clock.advance(by: .seconds(20))
        #expect(view.loop == 2...4)
        view.play()
        await clock.advance(by: .seconds(20))
        #expect((2...4.3).contains(view.position?.seconds ?? 0))
        view.loop = nil
        await clock.advance(by: .seconds(20))
        #expect(view.state == .complete)
    }

    @Test func aLoopToTheEndReplacesTheEnd() async throws {
        let (view, recorder, _) = try await playing()
        view.queue?.append([PlayerItem(url: Self.clip.url)])
        view.loop = 8...100
        await clock.advance(by: .seconds(60))
        #expect(!recorder.states.contains(.complete))
        #expect(targets(recorder).count > 5 && targets(recorder).allSatisfy { $0 == 8 })
        #expect(view.state == .play)
    }

    @Test func aLoopEndsWithItsItem() async throws {
        let (view, recorder, backend) = try await playing(SimulatedMedia(isSeekable: false))
        view.loop = 2...4
        await clock.advance(by: .seconds(60))
        #expect(view.state == .complete && targets(recorder).isEmpty, "an item that cannot seek plays to its end")
        view.load(external: Self.clip)
        #expect(view.loop == nil)
        view.loop = 3...3
        #expect(view.loop == nil)
        #expect(recorder.notices.map(\.code) == ["invalidLoop"])
        view.stop()
        view.loop = 2...4
        #expect(view.loop == nil, "there is no item")
        #expect(!backend.commands.contains(.seek(Generation(rawValue: 1), to: 2)))
    }

    // MARK: Live streams

    @Test func aLiveStreamReturnsToItsEdge() async throws {
        let (view, recorder, _) = try await playing(.live(window: 60))
        #expect(view.isAtLiveEdge)
        view.avPlayer?.startSeek(to: 20)
        await clock.advance(by: .seconds(10))
        let (end, position) = (try #require(view.dvrWindow?.end), view.snapshot.position)
        #expect(view.liveOffset == end - position)
        #expect(!view.isAtLiveEdge && end - position > 30)
        view.seekToLive()
        await clock.advance(by: .seconds(1))
        #expect(recorder.events.contains(.seek(.seeked, position: end)))
        #expect(view.isAtLiveEdge && view.avPlayer?.isAtLiveEdge == true)
        view.pause()
        await clock.advance(by: .seconds(30))
        #expect(!view.isAtLiveEdge, "the edge moves on during a pause")
    }

    @Test func theEdgeIsWhereTheStreamIsJoined() async throws {
        var media = SimulatedMedia.live(window: 60)
        media.liveDelay = 18
        let (view, recorder, _) = try await playing(media)
        #expect(view.isAtLiveEdge && (15...20).contains(view.liveOffset ?? 0))
        view.avPlayer?.startSeek(to: 5)
        await clock.advance(by: .seconds(1))
        #expect(!view.isAtLiveEdge)
        let end = try #require(view.dvrWindow?.end)
        view.seekToLive()
        await clock.advance(by: .seconds(1))
        #expect(recorder.events.contains(.seek(.seeked, position: end - 18)))
    }

    @Test func anItemThatIsNotLiveHasNoEdge() async throws {
        let (view, recorder, _) = try await playing()
        view.seekToLive()
        await clock.advance(by: .seconds(1))
        #expect(!view.isAtLiveEdge && view.liveOffset == nil && targets(recorder).isEmpty)
    }

    // MARK: Scrubbing

    #if VLC
    /// Counts the positions of the frames. Their brightness grows with time.
    private final class Screen: VideoFrameSink {
        private let levels = Mutex<[UInt8]>([])

        /// The levels of grey, without repetitions.
        var shown: [UInt8] { levels.withLock(\.self) }

        func receive(_ frame: VideoFrame) {
            guard let level = frame.pixel(x: frame.width / 2, y: frame.height / 2)?.green else { return }
            levels.withLock { if $0.last != level { $0.append(level) } }
        }
    }

    /// A new seek is requested every 20 ms, before the previous one can finish.
    @Test(arguments: [true, false])
    func scrubbingShowsFramesOnTheWay(plays: Bool) async throws {
        let screen = Screen()
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        player.videoOutput = .frames(screen)
        let recorder = EventRecorder(player)
        player.load(try await MediaFixtures.shared.ramp().appending(component: "ramp.mp4"), autoPlay: plays)
        try #require(await recorder.reaches(plays ? .play : .ready))
        let before = screen.shown.count
        // On a busy machine, libVLC drops most frames of a paused item.
        let expected = plays ? 12 : 4
        var step = 0
        let isShown = await eventually {
            step += 1
            player.startSeek(to: Double(step * 7 % 8))
            return screen.shown.count >= before + expected
        }
        let events = recorder.events.suffix(10).map(\.text)
        #expect(isShown, "\(step) seeks showed \(screen.shown.count - before) frames. \(events)")
        // No seek before was to a place near this one.
        player.startSeek(to: 12)
        let isThere = await recorder.event { $0 == .seek(.seeked, position: 12) }
        #expect(isThere, "\(recorder.events.suffix(10).map(\.text))")
        // On a busy machine, a paused item may keep the frame of an earlier seek: see KNOWN_ISSUES.md.
        guard plays else { return }
        // Black is the luma 20, and a second adds 12.
        let times = { screen.shown.map { luma -> Double in (Double(luma) * 219 / 255 - 4) / 12 } }
        #expect(await eventually { times().contains { abs($0 - 12) < 1 } })
    }
    #endif
}
