import Foundation
import Playback
import Testing

@testable import FlowplayerTesting

@MainActor
@Suite struct ExpectEventsTests {
    let clock = ManualClock()
    let player: MediaPlayer

    init() { player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock) }

    nonisolated private static let url = URL(filePath: "/media/clip.mp4")
    private static let untilReady: [PlayerEvent] = [
        .media(url), .state(.load), .playbackType(.file), .duration(10), .tracks(SimulatedMedia().tracks),
        .selectedAudio(AudioTrack(id: 1, name: "Track 1")), .buffer(.full), .state(.ready),
        .quality(.sd360),
    ]

    @Test func exactlyTheseEventsComeFromAPlayer() async throws {
        let events = try await expectEvents(.exactly(Self.untilReady), from: player) {
            player.load(Self.url)
            await clock.advance(by: .seconds(1))
        }
        #expect(events == Self.untilReady)
    }

    @Test func exactlyTheseEventsComeOverAStream() async throws {
        try await expectEvents(.exactly(Self.untilReady), from: player.events(), within: .seconds(60)) {
            player.load(Self.url)
            await clock.advance(by: .seconds(1))
        }
        try await expectEvents(.exactly([.volume(0.5), .mute(true)]), from: player.events(), within: .seconds(60)) {
            player.volume = 0.5
            player.isMuted = true
        }
    }

    @Test func theseEventsComeAmongOthers() async throws {
        let recorder = EventRecorder(player)
        for _ in 1...2 {
            try await expectEvents(.atLeast([.state(.load), .state(.play), .state(.complete)]), from: recorder) {
                player.load(Self.url, autoPlay: true)
                await clock.advance(by: .seconds(20))
            }
        }
        try recorder.expect(.atLeast([.state(.complete), .state(.complete)]))
    }

    @Test func nothingComes() async throws {
        player.load(Self.url)
        await clock.advance(by: .seconds(1))
        try await expectEvents(.none, from: player) { await clock.advance(by: .seconds(3600)) }
        try await expectEvents(.none, from: player, within: .seconds(3600)) {}
        try await expectEvents(.none, from: player.events(), within: .milliseconds(10)) {}
        #expect(clock.hostTime == .seconds(7201))
    }

    @Test func positionsCountIfTheyAreAskedFor() async throws {
        func isEarly(_ event: PlayerEvent) -> Bool {
            if case .position(let position) = event { (0.1..<0.6).contains(position) } else { false }
        }
        try await expectEvents(.exactly([.position(0.25), .position(0.5)]), from: player, where: isEarly) {
            player.load(Self.url, autoPlay: true)
            await clock.advance(by: .seconds(5))
        }
    }

    @Test func aManualClockIsMovedWithinTheBoundOnly() async throws {
        try await expectEvents(.atLeast([.state(.complete)]), from: player, within: .seconds(20)) {
            player.load(Self.url, autoPlay: true)
        }
        #expect(abs(clock.hostTime.inSeconds - 10.1) < 0.001)
        await #expect(throws: EventMismatch.self) {
            try await expectEvents(.atLeast([.state(.play)]), from: player, within: .seconds(3)) {}
        }
        #expect(abs(clock.hostTime.inSeconds - 13.1) < 0.001)
    }

    /// A busy machine gets more time.
    @Test func aFlagCanBeAwaitedAgain() async {
        let flag = Flag()
        #expect(await !flag.wait(upTo: .milliseconds(1), by: ContinuousClock()))
        let again = Task.immediate { await flag.wait(upTo: .seconds(120), by: ContinuousClock()) }
        flag.raise()
        #expect(await again.value)
    }

    @Test func inRealTimeWhatIsMissingIsWaitedFor() async throws {
        let media = SimulatedMedia(duration: 0.2, loadDelay: 0.01)
        let player = MediaPlayer(backend: SimulatedBackend(media: media))
        try await expectEvents(.atLeast([.state(.ready), .state(.complete)]), from: player) {
            player.load(Self.url, autoPlay: true)
        }
        try await expectEvents(.atLeast([.state(.ready), .state(.complete)]), from: player.events()) { player.play() }
        await #expect(throws: EventMismatch.self) {
            try await expectEvents(.atLeast([.state(.play)]), from: player, within: .milliseconds(10)) {}
        }
    }

    // MARK: Failures

    @Test func aFailureNamesItsPlaceAndShowsWhatDiffers() async throws {
        let line = #line + 2
        do {
            try await expectEvents(.exactly([.state(.load), .state(.failure)]), from: player, where: \.isState) {
                player.load(Self.url)
                await clock.advance(by: .seconds(1))
            }
            Issue.record("nothing was thrown")
        } catch let mismatch as EventMismatch {
            #expect(
                mismatch.description == """
                    FlowplayerTestingTests/ExpectEventsTests.swift:\(line): The events are not exactly those expected.
                      state load
                    - state failure
                    + state ready
                    """)
            #expect(mismatch.localizedDescription == mismatch.description)
        }
    }

    @Test func amongOthersOnlyWhatIsMissingIsMarked() async throws {
        let recorder = EventRecorder(player)
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(20))
        let mismatch = #expect(throws: EventMismatch.self) {
            try recorder.expect(.atLeast([.state(.load), .state(.pause), .state(.complete)]), where: \.isState)
        }
        #expect(
            mismatch?.difference == [
                "  state load", "- state pause", "  state ready", "  state play", "  state complete",
            ])
    }

    @Test func whatCameAlthoughNothingShouldIsShown() async throws {
        let mismatch = await #expect(throws: EventMismatch.self) {
            try await expectEvents(.none, from: player) { player.volume = 0.25 }
        }
        #expect(mismatch?.summary == "No events were expected.")
        #expect(mismatch?.difference == ["+ volume 0.25"])
    }

    @Test func theOrderCounts() async throws {
        await #expect(throws: EventMismatch.self) {
            try await expectEvents(.atLeast([.mute(true), .volume(0.5)]), from: player) {
                player.volume = 0.5
                player.isMuted = true
            }
        }
    }

    @Test func longRunsAreShortened() async throws {
        let mismatch = await #expect(throws: EventMismatch.self) {
            let volumes = (1...30).map { PlayerEvent.volume(Double($0) / 100) }
            try await expectEvents(.exactly(volumes + [.mute(false)]), from: player) {
                for step in 1...30 { player.volume = Float(step) / 100 }
                player.isMuted = true
            }
        }
        #expect(
            mismatch?.difference == [
                "  volume 0.01", "  volume 0.02", "  volume 0.03", "  ... 24 more lines", "  volume 0.28",
                "  volume 0.29",
                "  volume 0.3", "- mute false", "+ mute true",
            ])
    }

    @Test func eventsThatReadAlikeAreShownWhole() async throws {
        let mismatch = await #expect(throws: EventMismatch.self) {
            let notice = PlaybackNotice(code: "oddity", message: "Something is odd.")
            try await expectEvents(.exactly([.log(notice)]), from: player) {
                player.warn(PlaybackNotice(code: "oddity", message: "Something else is odd."))
            }
        }
        #expect(mismatch?.difference.first?.contains("Something is odd.") == true)
        #expect(mismatch?.difference.last?.contains("Something else is odd.") == true)
    }

    @Test func thousandsOfEventsAreComparedAtOnce() async throws {
        func any(_ event: PlayerEvent) -> Bool { true }
        let mismatch = await #expect(throws: EventMismatch.self) {
            try await expectEvents(.exactly([.state(.failure)]), from: player, where: any) {
                for step in 1...5000 { player.volume = Float(step) / 5000 }
            }
        }
        #expect(mismatch?.difference.count == 42)
        #expect(mismatch?.difference.contains("- state failure") == true)
    }

    @Test func anErrorOfTheBodyIsPassedOn() async throws {
        await #expect(throws: CancellationError.self) {
            try await expectEvents(.none, from: player) { throw CancellationError() }
        }
    }

    // MARK: Streams from elsewhere

    @Test func aStreamOfTheHostIsReadToItsEnd() async throws {
        let (events, continuation) = AsyncStream<PlayerEvent>.makeStream()
        try await expectEvents(.exactly([.volume(1)]), from: events) {
            continuation.yield(.volume(1))
            continuation.finish()
        }
        await #expect(throws: EventMismatch.self) {
            try await expectEvents(.exactly([.volume(1)]), from: events, within: .seconds(3600)) {}
        }
    }
}

extension PlayerEvent {
    fileprivate var isState: Bool { if case .state = self { true } else { false } }
}
