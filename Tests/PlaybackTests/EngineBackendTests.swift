import Foundation
import Playback
import Synchronization
import Testing

/// Engines whose calls do not return in time.
@Suite struct EngineBackendTests {
    private enum Library {}

    /// Hangs in its commands until the gate opens.
    private actor HangingEngine: BackendEngine {
        nonisolated let queue: WatchdogQueue
        nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
        private let gate: DispatchSemaphore
        private let closed: @Sendable () -> Void

        init(_ queue: WatchdogQueue, _ gate: DispatchSemaphore, closed: @escaping @Sendable () -> Void) {
            (self.queue, self.gate, self.closed) = (queue, gate, closed)
        }

        func handle(_ command: BackendCommand, _ settings: BackendSettings) { gate.wait() }

        func setVideoOutput(_ output: VideoOutput) {}

        func shutDown() { closed() }
    }

    /// It still has players, requests and threads.
    @Test(.timeLimit(.minutes(4))) func anEngineThatWasLeftBehindClosesWhenItsCallReturns() async {
        let gate = DispatchSemaphore(value: 0)
        let engines = Mutex(0)
        let (findings, finding) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Int>.makeStream()
        let backend = EngineBackend<Library>(
            label: "test", library: "Test", capabilities: BackendCapabilities(), callTimeout: 0.1,
            make: { queue, _, _ in
                let number = engines.withLock { count in
                    count += 1
                    return count
                }
                return HangingEngine(queue, gate) { end.yield(number) }
            }, onStuck: { finding.yield() })
        backend.send(.play(.none))
        var found = findings.makeAsyncIterator()
        await found.next()
        gate.signal()
        var ended = ends.makeAsyncIterator()
        #expect(await ended.next() == 1)
        withExtendedLifetime(backend) {}
    }

    /// The host may release the player while its engine hangs.
    @Test(.timeLimit(.minutes(4))) func anEngineWithoutABackendClosesWhenItsCallReturns() async {
        let gate = DispatchSemaphore(value: 0)
        let (findings, finding) = AsyncStream<Void>.makeStream()
        let queue = WatchdogQueue(label: "test", timeout: 0.1) { _ in finding.yield() }
        let (ends, end) = AsyncStream<Void>.makeStream()
        let engine = HangingEngine(queue, gate) { end.yield() }
        var backend: EngineBackend<Library>? = EngineBackend(
            label: "unused", library: "Test", capabilities: BackendCapabilities(), callTimeout: 60,
            make: { _, _, _ in engine })
        engine.perform { $0.handle(.play(.none), BackendSettings()) }
        var found = findings.makeAsyncIterator()
        await found.next()
        backend = nil
        gate.signal()
        var ended = ends.makeAsyncIterator()
        await ended.next()
        withExtendedLifetime(backend) {}
    }
}
