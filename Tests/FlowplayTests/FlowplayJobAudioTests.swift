#if VLC
import FlowplayerSDK
import Foundation
import TestSupport
import Testing

/// The audio of a job that Ctrl-Z has stopped.
@Suite(.serialized) struct FlowplayJobAudioTests {
    @Test func theToneContinuesThroughTheStop() async throws {
        let server = try await TestAudioServer()
        let file = try await MediaFixtures.shared.long(seconds: 120).path()
        let job = try await FlowplayJob("--background audio \(file)", audio: server)
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.plays(for: 0.5))
        #expect(try await job.leaves())
        try await job.terminal.enter("echo prompt $((6 * 7))")
        #expect(try await job.terminal.shows("prompt 42"))
        try await job.terminal.enter("bg")
        #expect(try await job.terminal.shows("already in background"))
        #expect(job.stat?.isStopped == false)
        let samples = try await server.recording {
            let plays = try await job.plays(for: 2)
            #expect(plays)
        }
        // A player that pauses in the background is silent for all of the two seconds. A busy machine leaves gaps.
        let heard = ToneDetector.seconds(of: MediaFixtures.frequency, in: samples)
        #expect(heard >= 0.5, "\(heard) s")
        #expect(try await job.returnsToForeground("foreground: still playing"))
        #expect(try await job.terminal.shows("play     0:"))
        // Straight back, without `bg`.
        #expect(try await job.leaves())
        #expect(try await job.returnsToForeground("foreground: still playing"))
        #expect(try job.states == [.load, .ready, .play])
    }

    @Test func pausedIsSilent() async throws {
        let server = try await TestAudioServer()
        let file = try await MediaFixtures.shared.long(seconds: 120).path()
        let job = try await FlowplayJob("--resume \(file)", audio: server)
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.plays(for: 0.5))
        #expect(try await job.leaves())
        #expect(await job.reaches(.stopped))
        let stopped = try job.played
        let silence = try await server.recording { #expect(job.stat?.isStopped == true) }
        #expect(ToneDetector.seconds(of: MediaFixtures.frequency, in: silence) <= 0.3, "what was buffered is heard")
        #expect(try await job.returnsToForeground("foreground: resumed"))
        let again = try await server.recording {
            let plays = try await job.plays(for: 1)
            #expect(plays)
        }
        #expect(ToneDetector.seconds(of: MediaFixtures.frequency, in: again) > 0)
        #expect(try job.played < stopped + 8, "the time of the stop does not count")
    }
}
#endif
