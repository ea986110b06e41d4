#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import VLCBackend

/// Calls of libVLC that do not return. One after another, because they count the engines that the process has left behind.
@MainActor
@Suite(.serialized) struct VLCWatchdogTests {
    /// Takes a frame and does not return it, so that libVLC cannot be stopped.
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

    /// In seconds. Long enough that a busy machine does not look stuck.
    private static let callTimeout = 4.0

    private func stuckPlayer() async throws -> (MediaPlayer, EventRecorder, BlockingSink) {
        let sink = BlockingSink()
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none, callTimeout: Self.callTimeout))
        let recorder = EventRecorder(player)
        player.videoOutput = .frames(sink)
        player.load(try await MediaFixtures.shared.long(seconds: 12), autoPlay: true)
        try #require(await eventually { sink.hasFrame })
        return (player, recorder, sink)
    }

    /// Never asked: the engine hangs before.
    private struct NoProvider: MediaURLProvider {
        func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL { throw error }
    }

    /// A player whose engine hangs in the item. Half of the file arrives, its address has
    /// expired, and the engine is left before another address is asked for.
    @MainActor
    private struct Hanging {
        let server: FaultServer
        let item: PlayerItem
        let player = QueuePlayer(backend: LibVLCBackend(audioOutput: .none, callTimeout: VLCWatchdogTests.callTimeout))
        let recorder: EventRecorder
        let sink = BlockingSink()

        init() async throws {
            let clip = try await MediaFixtures.shared.long(seconds: 4)
            server = try await FaultServer.start(serving: clip.deletingLastPathComponent())
            let plan = try FaultPlan(parsing: "expires-requests=1+reset-mid-body@1")
            var item = PlayerItem(unlimited: server.url(for: clip.lastPathComponent, plan: plan))
            item.retryPolicy.stallTimeout = 3
            self.item = item
            recorder = EventRecorder(player)
            player.urlProvider = NoProvider()
            player.videoOutput = .frames(sink)
        }
    }

    @Test func aStuckItemFailsOnce() async throws {
        let before = LibVLCBackend.abandonedEngines
        let hanging = try await Hanging()
        let (player, recorder, sink) = (hanging.player, hanging.recorder, hanging.sink)
        defer { sink.letGo() }
        player.load(hanging.item, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        let error = try #require(recorder.errors.first)
        #expect((error.code, error.url) == (.engineStuck, hanging.item.url.absoluteString))
        #expect(recorder.events.suffix(3) == [.error(error), .state(.failure), .playbackState(.idle)])
        #expect(recorder.notices.map(\.code) == ["engineStuck"])
        #expect(LibVLCBackend.abandonedEngines == before + 1)

        sink.letGo()
        #expect(!(await recorder.event(within: .seconds(1)) { _ in true }), "an event followed the failure")

        player.videoOutput = .none
        player.load(try await MediaFixtures.shared.file("mp3"), autoPlay: true)
        #expect(player.snapshot.state == .load)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.errors.count == 1)
        await hanging.server.stop()
    }

    @Test func aPreloadedItemPlaysAfterAStuckItem() async throws {
        let hanging = try await Hanging()
        defer { hanging.sink.letGo() }
        let next = PlayerItem(url: try await MediaFixtures.shared.file("mp3"))
        hanging.player.load([hanging.item, next], autoPlay: true)
        #expect(await eventually { hanging.player.snapshot.next?.status == .readyToPlay })
        #expect(await hanging.recorder.reaches(.complete))
        #expect(hanging.recorder.errors.map(\.code) == [.engineStuck])
        await hanging.server.stop()
    }

    @Test func aNewEnginePlaysTheNextItem() async throws {
        let before = LibVLCBackend.abandonedEngines
        let (player, recorder, sink) = try await stuckPlayer()
        defer { sink.letGo() }
        player.videoOutput = .none
        player.volume = 0.5
        let next = try await MediaFixtures.shared.file("mp3")
        player.load(next, autoPlay: true)
        #expect(player.snapshot.state == .load)
        #expect(await recorder.reaches(.complete))
        #expect(LibVLCBackend.abandonedEngines == before + 1)
        #expect(recorder.errors.isEmpty, "the item that was left is not the one that plays")
        #expect(player.volume == 0.5)
    }

    @Test func stopReturnsAtOnceAndTheNextItemPlays() async throws {
        let (player, recorder, sink) = try await stuckPlayer()
        defer { sink.letGo() }
        player.stop()
        #expect(player.snapshot.state == .idle)
        player.videoOutput = .none
        player.load(try await MediaFixtures.shared.file("wav"), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.errors.isEmpty)
    }

    @Test func simultaneousStartsShareOneInstance() async {
        VLCInstance.renew()
        let instances = await withTaskGroup(of: VLCInstance?.self) { group in
            for _ in 0..<4 { group.addTask { VLCInstance.shared } }
            var instances: [VLCInstance?] = []
            for await instance in group { instances.append(instance) }
            return instances
        }
        #expect(instances.count == 4)
        #expect(instances.allSatisfy { $0 != nil && $0 === VLCInstance.shared })
    }

    /// In a child process, because libVLC looks for its plugins once.
    @Test func unreadablePluginsDoNotBlockForever() async throws {
        let folder = MediaFixtures.shared.directory.appending(path: "dead-mount")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let clip = try await MediaFixtures.shared.file("wav")
        await #expect(processExitsWith: .success) { [folder = folder as URL, clip = clip as URL] in
            try await VLCWatchdogTests.playWithPlugins(of: folder, clip)
        }
    }

    static func playWithPlugins(of folder: URL, _ clip: URL) async throws {
        // libVLC reads it first, and waits for a writer.
        let index = folder.appending(path: "plugins.dat").path()
        try #require(mkfifo(index, 0o600) == 0)
        setenv("VLC_PLUGIN_PATH", folder.path(), 1)
        let players = (0..<2).map { _ in MediaPlayer(backend: LibVLCBackend(audioOutput: .none, callTimeout: 4)) }
        let recorders = players.map { EventRecorder($0) }
        for player in players { player.load(clip, autoPlay: true) }
        for recorder in recorders {
            #expect(await recorder.reaches(.failure))
            #expect(recorder.errors.map(\.code) == [.engineStuck])
        }
        // The mount is back.
        close(open(index, O_WRONLY))
        for (player, recorder) in zip(players, recorders) {
            player.load(clip, autoPlay: true)
            #expect(await recorder.reaches(.complete))
            #expect(recorder.errors.count == 1)
        }
    }
}

@Suite struct WatchedQueueTests {
    /// Calls a closure on deinit.
    private final class Token: Sendable {
        private let gone: @Sendable () -> Void

        init(gone: @escaping @Sendable () -> Void) { self.gone = gone }

        deinit { gone() }
    }

    @Test func workRunsInOrderWithoutAReport() async {
        let log = Mutex<[Int]>([])
        await confirmation(expectedCount: 0) { stuck in
            let queue = WatchdogQueue(label: "test", timeout: 60) { _ in stuck() }
            for number in 0..<100 { queue.async { log.withLock { $0.append(number) } } }
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        }
        let done = log.withLock { $0 }
        #expect(done == Array(0..<100))
    }

    /// In a child process, because the threads of the other tests work.
    @Test func aQueueOfAnIdleProcessIsStuckEarlier() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let queue = WatchdogQueue(label: "test", timeout: 3600, idleTimeout: 0.1) { _ in exit(7) }
            queue.async { DispatchSemaphore(value: 0).wait() }
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }

    @Test func aQueueOfABusyProcessHasItsWholeTimeout() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let start = ContinuousClock.now
            let queue = WatchdogQueue(label: "test", timeout: 2, idleTimeout: 0.1) { _ in
                exit(ContinuousClock.now - start >= .seconds(2) ? 7 : 1)
            }
            queue.async { DispatchSemaphore(value: 0).wait() }
            Thread { while true {} }.start()
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }

    /// Ctrl-Z in a terminal stops a process.
    @Test func theTimeOfAStoppedProcessDoesNotCount() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let queue = WatchdogQueue(label: "test", timeout: 8) { _ in exit(1) }
            queue.async {
                let resumed = Process()
                resumed.executableURL = URL(filePath: "/bin/sh")
                resumed.arguments = ["-c", "sleep 9; kill -CONT \(getpid())"]
                guard (try? resumed.run()) != nil else { exit(2) }
                raise(SIGSTOP)
                // The check that was due during the stop has run half a second later.
                resumed.waitUntilExit()
                let checked = DispatchSemaphore(value: 0)
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) { checked.signal() }
                checked.wait()
            }
            queue.async { exit(7) }
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }

    @Test func aStuckQueueDropsLaterWork() async {
        let gate = DispatchSemaphore(value: 0)
        let isDone = Mutex(false)
        let (findings, finding) = AsyncStream<Void>.makeStream()
        let queue = WatchdogQueue(label: "test", timeout: 0.1) { _ in finding.yield() }
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
