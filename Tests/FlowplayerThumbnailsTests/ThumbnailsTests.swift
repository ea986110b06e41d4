#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing
import FlowplayerThumbnails

/// Thumbnails of real media.
@MainActor
@Suite struct ThumbnailsTests {
    private func ramp() async throws -> PlayerItem {
        PlayerItem(url: try await MediaFixtures.shared.ramp().appending(path: "ramp.mp4"))
    }

    @Test func aThumbnailIsTheFrameOfItsPosition() async throws {
        let thumbnails = Thumbnails(of: try await ramp(), size: (32, 32))
        for position in [0.0, 8, 3.2, 12.6, 1, 8] {
            let frame = try await thumbnails[at: position]
            #expect(frame.width == 32 && frame.height == 32)
            #expect(abs(try #require(frame.rampPosition) - position) < 0.4, "at \(position)")
        }
    }

    @Test func onlyTheNewestQuestionIsAnsweredNext() async throws {
        let thumbnails = Thumbnails(of: try await ramp())
        let questions = [2.0, 4, 6, 8].map { position in Task { try await thumbnails[at: position] } }
        var answers: [Double?] = []
        for question in questions { answers.append(try? await question.value.rampPosition) }
        #expect(answers.map { $0 != nil } == [true, false, false, true])
        #expect(abs(try #require(answers[3]) - 8) < 0.4)
    }

    @Test func playbackIsNotDisturbed() async throws {
        // On a busy machine a short clip would end before the last frame is read.
        let item = PlayerItem(url: try await MediaFixtures.shared.long(seconds: 120))
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.load(item, autoPlay: true)
        try #require(await recorder.reaches(.play))
        let thumbnails = Thumbnails(of: item)
        for position in stride(from: 15.0, to: 1, by: -1) { _ = try await thumbnails[at: position] }
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play] && recorder.errors.isEmpty)
        #expect(player.snapshot.seek.number == 0)
    }

    @Test func anItemThatHangsIsGivenUp() async throws {
        let clip = try Data(contentsOf: try await MediaFixtures.shared.file("mp4"))
        let server = try await FaultServer.start(serving: ["/clip.mp4": clip])
        let url = server.url(for: "/clip.mp4", plan: try #require(FaultPlan("hang-before-headers")))
        let clock = ManualClock()
        let thumbnails = Thumbnails(of: PlayerItem(url: url), allowsNetwork: true, clock: clock) {
            LibVLCBackend(audioOutput: .none)
        }
        var error: (any Error)?
        let question = Task {
            do { _ = try await thumbnails[at: 1] } catch let problem { error = problem }
        }
        while error == nil {
            await clock.advance(by: .seconds(1))
            await Task.yield()
        }
        await question.value
        #expect((error as? PlaybackError)?.code == .timedOut)
        await server.stop()
    }

    @Test func byDefaultAServerIsNotAsked() async throws {
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data("film".utf8)])
        let item = PlayerItem(url: server.url(for: "/clip.mp4"))
        await #expect(throws: ThumbnailError.networkNotAllowed) { try await Thumbnails(of: item)[at: 1] }
        #expect(server.requests.isEmpty)
        // The same item is asked for if the host allows it.
        await #expect(throws: PlaybackError.self) { try await Thumbnails(of: item, allowsNetwork: true)[at: 1] }
        #expect(!server.requests.isEmpty)
        await server.stop()
    }

    @Test func networkAndLiveStreamsAreRefused() async throws {
        let live = try await LiveStream(window: 10, seconds: 60)
        let item = PlayerItem(url: live.url)
        await #expect(throws: ThumbnailError.networkNotAllowed) { try await Thumbnails(of: item)[at: 1] }
        await #expect(throws: ThumbnailError.liveStream) {
            try await Thumbnails(of: item, allowsNetwork: true)[at: 1]
        }
        withExtendedLifetime(live) {}
    }

    @Test func anItemWithoutVideoHasNoThumbnails() async throws {
        let thumbnails = Thumbnails(of: PlayerItem(url: try await MediaFixtures.shared.file("flac")))
        let error = await #expect(throws: PlaybackError.self) { try await thumbnails[at: 1] }
        #expect(error?.code == .noPlayableStream)
    }
}
#endif
