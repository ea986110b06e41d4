#if VLC || GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// The audio of a queue. The tests run one after another, because all of them use the server in the environment.
@MainActor
@Suite(.serialized) struct EngineQueueAudioTests {
    private func queue(_ urls: [URL], _ engine: RealEngine) -> (QueuePlayer, EventRecorder) {
        let queue = QueuePlayer(items: urls.map { PlayerItem(url: $0) }, backend: engine.makeBackend(audio: .pulse))
        return (queue, EventRecorder(queue))
    }

    private func samples(_ body: @MainActor () async throws -> Void) async throws -> [Float] {
        let server = try await TestAudioServer()
        let devices = await TestDevices.acquire(audio: server.address)
        defer { devices.release() }
        return try await server.recording { try await body() }
    }

    /// The frequencies of four items. A busy machine loses audio, so the tests do not measure lengths, but listen for each item.
    private static let tones = [440.0, 660, 880, 1320]

    /// Items with different tones.
    private func items(_ count: Int, _ format: String = "flac") async throws -> [URL] {
        var urls: [URL] = []
        for tone in Self.tones.prefix(count) {
            urls.append(try await MediaFixtures.shared.file(format, frequency: tone))
        }
        return urls
    }

    /// Two items. The first is longer: a busy machine may need some seconds to do something before its end.
    private func unequalItems() async throws -> [URL] {
        let first = try await MediaFixtures.shared.audio("flac", frequency: Self.tones[0], seconds: 4)
        return [first, try await MediaFixtures.shared.file("flac", frequency: Self.tones[1])]
    }

    /// Plays a queue of four items from its start to its end, and expects to hear each of them once, in order, without a gap.
    private func playsInOrder(_ urls: [URL], _ engine: RealEngine, crossfade: Double = 0) async throws {
        let samples = try await samples {
            let (queue, recorder) = queue(urls, engine)
            queue.crossfade = crossfade
            queue.play()
            #expect(await isPlayed(queue, recorder))
            #expect(recorder.errors.isEmpty)
            #expect(recorder.events.allSatisfy { if case .log = $0 { false } else { true } })
        }
        #expect(ToneDetector.order(of: Self.tones, in: samples) == Self.tones)
        guard crossfade == 0 else {
            let overlap = 4 * MediaFixtures.duration - AudioRecording(samples).duration
            return #expect(overlap > crossfade * 1.5, "of 3 transitions, in seconds")
        }
        let gaps = zip(Self.tones, Self.tones.dropFirst()).map {
            ToneDetector.seconds(from: $0, to: $1, in: samples) ?? .infinity
        }
        // The player would cause a gap at each transition, a busy machine hardly at all. The benchmark `queue` measures each.
        #expect(gaps.min()! <= 0.025, "\(gaps) s")
    }

    /// Waits until the queue is over.
    private func isPlayed(_ queue: QueuePlayer, _ recorder: EventRecorder) async -> Bool {
        while queue.queue.currentItem != nil || queue.snapshot.state != .complete {
            guard await recorder.event(where: { $0 == .state(.complete) }) else {
                return false
            }
        }
        return true
    }

    /// Waits until an item has come so far.
    private func reaches(_ position: Double, _ recorder: EventRecorder) async -> Bool {
        await recorder.event {
            if case .position(let seconds) = $0 { seconds >= position } else { false }
        }
    }

    @Test(arguments: RealEngine.allCases, ["flac", "mp3", "mp4"])
    func itemsFollowWithoutAGap(engine: RealEngine, format: String) async throws {
        try await playsInOrder(try await items(4, format), engine)
    }

    @Test(arguments: RealEngine.allCases) func itemsOfDifferentRatesFollowWithoutAGap(engine: RealEngine) async throws {
        var urls: [URL] = []
        for (tone, rate) in zip(Self.tones, [44100, 48000, 96000, 44100]) {
            urls.append(try await MediaFixtures.shared.audio("flac", rate: rate, frequency: tone))
        }
        try await playsInOrder(urls, engine)
    }

    @Test(arguments: RealEngine.allCases) func aPauseBeforeTheEndDelaysTheNextItem(engine: RealEngine) async throws {
        let urls = try await unequalItems()
        let samples = try await samples {
            let (queue, recorder) = queue(urls, engine)
            queue.play()
            #expect(await reaches(2, recorder))
            queue.pause()
            #expect(!(await recorder.event(within: .seconds(1.5)) { $0 == .state(.complete) }))
            queue.play()
            #expect(await isPlayed(queue, recorder))
        }
        #expect(ToneDetector.order(of: Self.tones, in: samples) == Self.tones.dropLast(2))
        let silence = AudioRecording(samples).silences.map(\.length).max() ?? 0
        #expect(silence >= 1, "silent for \(silence) s of 1.5 s")
    }

    @Test(arguments: RealEngine.allCases) func aSeekBackFromTheEndDelaysTheNextItem(engine: RealEngine) async throws {
        let urls = try await unequalItems()
        let samples = try await samples {
            let (queue, recorder) = queue(urls, engine)
            queue.play()
            #expect(await reaches(2, recorder))
            queue.startSeek(to: 1)
            #expect(await recorder.event { $0 == .seek(.seeked, position: 1) })
            #expect(await isPlayed(queue, recorder))
            #expect(recorder.errors.isEmpty)
        }
        #expect(ToneDetector.order(of: Self.tones, in: samples) == Self.tones.dropLast(2))
    }

    @Test(arguments: RealEngine.allCases) func theVolumeChangesAtOnce(engine: RealEngine) async throws {
        let urls = try await unequalItems()
        let samples = try await samples {
            let (queue, recorder) = queue(urls, engine)
            queue.play()
            #expect(await reaches(1, recorder))
            queue.isMuted = true
            #expect(await isPlayed(queue, recorder))
        }
        // The second item is not heard at all.
        #expect(ToneDetector.order(of: Self.tones, in: samples) == [Self.tones[0]])
    }

    @Test(arguments: RealEngine.allCases) func oneItemFadesIntoTheNext(engine: RealEngine) async throws {
        try await playsInOrder(try await items(4), engine, crossfade: 1)
    }

    @Test(arguments: RealEngine.allCases) func aQueueContinuesByTheClockWithoutItsServer(engine: RealEngine)
        async throws
    {
        let urls = try await unequalItems()
        var server: TestAudioServer? = try await TestAudioServer()
        let devices = await TestDevices.acquire(audio: try #require(server?.address))
        defer { devices.release() }
        let (queue, recorder) = queue(urls, engine)
        queue.play()
        #expect(await reaches(1, recorder))
        server = nil
        #expect(await isPlayed(queue, recorder))
        #expect(recorder.errors.isEmpty)
        let codes = recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        // The next item may find no server before the current one loses its connection.
        #expect(codes.contains("audioServerGone"), "\(codes)")
    }
}
#endif
