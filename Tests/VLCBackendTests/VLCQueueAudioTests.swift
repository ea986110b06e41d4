#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// What is heard of a queue. One after another: all of them play through the server that the environment names.
@MainActor
@Suite(.serialized) struct VLCQueueAudioTests {
    private func queue(_ urls: [URL]) -> (QueuePlayer, EventRecorder) {
        let queue = QueuePlayer(items: urls.map { PlayerItem(url: $0) }, backend: VLCBackend(audioOutput: .pulse))
        return (queue, EventRecorder(queue))
    }

    private func recording(_ body: @MainActor () async throws -> Void) async throws -> [Float] {
        let turn = await Turn.take()
        defer { withExtendedLifetime(turn) {} }
        let server = try await TestAudioServer()
        setenv("PULSE_SERVER", server.address, 1)
        defer { unsetenv("PULSE_SERVER") }
        return try await server.recording { try await body() }
    }

    /// What is heard of a queue from its begin to its end, and that it is never silent.
    private func wholeSound(of urls: [URL], crossfade: Double = 0) async throws -> Double {
        let samples = try await AudioRecording.cleanest {
            try await recording {
                let (queue, recorder) = queue(urls)
                queue.crossfade = crossfade
                queue.play()
                #expect(await isPlayed(queue, recorder))
                #expect(recorder.errors.isEmpty)
                #expect(recorder.events.allSatisfy { if case .log = $0 { false } else { true } })
            }
        }
        let silence = ToneDetector.longestSilence(in: samples)
        #expect(silence <= AudioRecording.longestSilence, "\(silence) s")
        return heard(samples)
    }

    /// Waits until the queue is over.
    private func isPlayed(_ queue: QueuePlayer, _ recorder: EventRecorder) async -> Bool {
        while queue.queue.currentItem != nil || queue.snapshot.state != .complete {
            guard await recorder.event(within: .seconds(10), where: { $0 == .state(.complete) }) else {
                return false
            }
        }
        return true
    }

    /// Waits until an item has come so far.
    private func reaches(_ position: Double, _ recorder: EventRecorder) async -> Bool {
        await recorder.event(within: .seconds(10)) {
            if case .position(let seconds) = $0 { seconds >= position } else { false }
        }
    }

    private func heard(_ samples: [Float]) -> Double {
        ToneDetector.seconds(of: MediaFixtures.frequency, in: samples)
    }

    @Test(arguments: ["flac", "mp3", "mp4"])
    func itemsFollowWithoutAGap(format: String) async throws {
        let url = try await MediaFixtures.shared.medium(format)
        let heard = try await wholeSound(of: [url, url, url])
        #expect(abs(heard - 3 * MediaFixtures.duration) <= 0.2, "heard \(heard) s")
    }

    @Test func itemsOfDifferentRatesFollowWithoutAGap() async throws {
        var urls: [URL] = []
        for rate in [44100, 48000, 96000] { urls.append(try await MediaFixtures.shared.sound("flac", rate: rate)) }
        let heard = try await wholeSound(of: urls)
        #expect(abs(heard - 3 * MediaFixtures.duration) <= 0.2, "heard \(heard) s")
    }

    @Test func aPauseJustBeforeTheEndIsSilentAndNothingIsLost() async throws {
        let url = try await MediaFixtures.shared.medium("flac")
        var pause = 0.0
        let samples = try await recording {
            let (queue, recorder) = queue([url, url])
            queue.play()
            #expect(await reaches(1.5, recorder))
            queue.pause()
            let clock = ContinuousClock()
            let start = clock.now
            #expect(!(await recorder.event(within: .seconds(1.5)) { $0 == .state(.complete) }), "it goes on")
            queue.play()
            pause = (clock.now - start) / .seconds(1)
            #expect(await isPlayed(queue, recorder))
        }
        let silence = ToneDetector.longestSilence(in: samples)
        #expect(abs(silence - pause) <= 0.3, "silent for \(silence) s of \(pause) s")
        #expect(abs(heard(samples) - 2 * MediaFixtures.duration) <= 0.25, "heard \(heard(samples)) s")
    }

    @Test func aSeekBackFromTheEndHoldsWhatComesNext() async throws {
        let url = try await MediaFixtures.shared.medium("flac")
        let samples = try await recording {
            let (queue, recorder) = queue([url, url])
            queue.play()
            #expect(await reaches(1.7, recorder))
            queue.seek(0.5)
            #expect(await recorder.event(within: .seconds(5)) { $0 == .seek(.seeked, position: 0.5) })
            #expect(await isPlayed(queue, recorder))
            #expect(recorder.errors.isEmpty)
        }
        let length = 2 * MediaFixtures.duration + 1.2
        #expect(abs(heard(samples) - length) <= 0.4, "heard \(heard(samples)) s")
    }

    @Test func theVolumeActsAtOnce() async throws {
        let url = try await MediaFixtures.shared.medium("flac")
        let samples = try await recording {
            let (queue, recorder) = queue([url, url])
            queue.play()
            #expect(await reaches(1, recorder))
            queue.isMuted = true
            #expect(await isPlayed(queue, recorder))
        }
        // Positions are told every quarter of a second.
        #expect(heard(samples) <= 1.5, "heard \(heard(samples)) s")
        #expect(heard(samples) >= 0.8, "heard \(heard(samples)) s")
    }

    @Test func oneFadesIntoTheOther() async throws {
        let url = try await MediaFixtures.shared.medium("flac")
        let heard = try await wholeSound(of: [url, url], crossfade: 1)
        #expect(abs(heard - (2 * MediaFixtures.duration - 1)) <= 0.3, "heard \(heard) s")
    }

    @Test func withoutItsServerAQueueGoesOnByTheClock() async throws {
        let url = try await MediaFixtures.shared.medium("flac")
        let turn = await Turn.take()
        defer { withExtendedLifetime(turn) {} }
        var server: TestAudioServer? = try await TestAudioServer()
        setenv("PULSE_SERVER", try #require(server?.address), 1)
        defer { unsetenv("PULSE_SERVER") }
        let (queue, recorder) = queue([url, url, url])
        queue.play()
        #expect(await reaches(1, recorder))
        server = nil
        #expect(await isPlayed(queue, recorder))
        #expect(recorder.errors.isEmpty)
        let codes = recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(codes.first == "soundServerGone")
    }
}
#endif
