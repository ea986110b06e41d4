#if VLC
    import FlowplayerSDK
    import FlowplayerTesting
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import VLCBackend

    /// Calls of libVLC that do not return.
    @MainActor
    @Suite(.serialized) struct VLCWatchdogTests {
        /// Takes a picture and does not give it back, so that libVLC cannot be stopped.
        private final class BlockingSink: VideoFrameSink {
            private let gate = DispatchSemaphore(value: 0)
            private let isEntered = Mutex(false)

            var hasFrame: Bool { isEntered.withLock(\.self) }

            func receive(_ frame: VideoFrame) {
                isEntered.withLock { $0 = true }
                gate.wait()
                gate.signal()
            }

            func letGo() { gate.signal() }
        }

        private func stuckPlayer() async throws -> (MediaPlayer, EventRecorder, BlockingSink) {
            let sink = BlockingSink()
            let player = MediaPlayer(backend: VLCBackend(audioOutput: .none, patience: 0.5))
            let recorder = EventRecorder(player)
            player.videoOutput = .frames(sink)
            player.load(try await MediaFixtures.shared.long(seconds: 12), autoPlay: true)
            try #require(await eventually { sink.hasFrame })
            return (player, recorder, sink)
        }

        @Test func whatIsLoadedNextIsPlayedByAFreshEngine() async throws {
            let before = VLCBackend.abandonedEngines
            let (player, recorder, sink) = try await stuckPlayer()
            defer { sink.letGo() }
            player.videoOutput = .none
            player.volume = 0.5
            let clock = ContinuousClock()
            let start = clock.now
            player.load(try await MediaFixtures.shared.medium("mp3"), autoPlay: true)
            #expect(clock.now - start < .milliseconds(100), "load is immediate")
            #expect(await recorder.reaches(.complete, within: .seconds(10)))
            #expect(VLCBackend.abandonedEngines == before + 1)
            #expect(recorder.errors.isEmpty, "the item that was left is not the one that plays")
            #expect(player.volume == 0.5)
        }

        @Test func stoppingIsImmediateAndTheNextItemPlays() async throws {
            let (player, recorder, sink) = try await stuckPlayer()
            defer { sink.letGo() }
            player.stop()
            #expect(player.snapshot.state == .idle)
            player.videoOutput = .none
            player.load(try await MediaFixtures.shared.medium("wav"), autoPlay: true)
            #expect(await recorder.reaches(.complete, within: .seconds(10)))
            #expect(recorder.errors.isEmpty)
        }
    }

    @Suite struct WatchedQueueTests {
        /// Tells when it goes.
        private final class Token: Sendable {
            private let gone: @Sendable () -> Void

            init(gone: @escaping @Sendable () -> Void) { self.gone = gone }

            deinit { gone() }
        }

        @Test func workIsDoneInOrderAndNothingIsTold() async {
            let log = Mutex<[Int]>([])
            await confirmation(expectedCount: 0) { stuck in
                let queue = WatchedQueue(label: "test", patience: 60) { stuck() }
                for number in 0..<100 { queue.async { log.withLock { $0.append(number) } } }
                await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
            }
            let done = log.withLock { $0 }
            #expect(done == Array(0..<100))
        }

        @Test func nothingIsDoneBehindWhatDoesNotReturn() async {
            let gate = DispatchSemaphore(value: 0)
            let isDone = Mutex(false)
            let (findings, finding) = AsyncStream<Void>.makeStream()
            let queue = WatchedQueue(label: "test", patience: 0.1) { finding.yield() }
            queue.async { gate.wait() }
            var found = findings.makeAsyncIterator()
            await found.next()
            gate.signal()
            await withCheckedContinuation { continuation in
                let token = Token { continuation.resume() }
                queue.async {
                    isDone.withLock { $0 = true }
                    withExtendedLifetime(token) {}
                }
            }
            let ran = isDone.withLock { $0 }
            #expect(!ran)
        }
    }
#endif
