#if VLC
import FlowplayerFaults
import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import TestSupport
import Testing

@testable import FlowplayerIsolation

#if GStreamer
import GStreamerBackend
#endif

/// Playback through a separate process, which is killed, stopped, or replaced by another program.
@MainActor
@Suite struct IsolatedPlaybackTests {
    /// A busy machine delays calls, so that they last longer than by default.
    private func backend() -> IsolatedBackend { IsolatedBackend(options: ["callTimeout": "20"]) }

    /// Counts frames, and keeps the newest one.
    private final class Viewer: VideoFrameSink {
        private let state = Mutex((count: 0, newest: VideoFrame?.none))

        var count: Int { state.withLock(\.count) }
        var newest: VideoFrame? { state.withLock(\.newest) }

        func receive(_ frame: VideoFrame) { state.withLock { $0 = ($0.count + 1, frame) } }
    }

    private func player(
        _ backend: IsolatedBackend, seconds: Double = 120
    ) async throws -> (MediaPlayer, EventRecorder) {
        let player = MediaPlayer(backend: backend)
        let recorder = EventRecorder(player)
        player.load(try await MediaFixtures.shared.long(seconds: seconds), autoPlay: true)
        return (player, recorder)
    }

    private func reaches(_ position: Double, _ player: MediaPlayer) async -> Bool {
        await eventually { player.position.seconds >= position }
    }

    private func restarts(_ recorder: EventRecorder) -> Int {
        recorder.notices.count { $0.code == "engineRestarted" }
    }

    /// The process of the engine. Between two processes it waits for the next one.
    ///
    /// - Parameter old: a process that has been killed.
    private func engine(of backend: IsolatedBackend, after old: pid_t = 0) async throws -> pid_t {
        var engine: pid_t?
        _ = await eventually {
            engine = await backend.status?.processIdentifier
            return engine != nil && engine != old
        }
        return try #require(engine)
    }

    @Test(arguments: [SIGKILL, SIGSEGV, SIGSTOP])
    func playbackContinuesAfterASignal(signal: Int32) async throws {
        let backend = backend()
        let (player, recorder) = try await player(backend)
        #expect(await reaches(1, player))
        player.volume = 0.25
        let engine = try await engine(of: backend)
        kill(engine, signal)
        #expect(await eventually { restarts(recorder) == 1 })
        let position = player.position.seconds
        #expect(await reaches(position + 1, player))
        #expect(try await self.engine(of: backend, after: engine) != engine)
        #expect(recorder.states.contains(.buffer) && recorder.statesWithoutStalls == [.load, .ready, .play])
        #expect(recorder.errors.isEmpty && player.position.seconds < position + 60)
    }

    #if GStreamer
    @Test func gstreamerPlaysSeeksAndContinuesAfterItsEnd() async throws {
        let backend = IsolatedBackend(
            running: "gstreamer", options: ["audio": "none"], capabilities: LibGStreamerBackend.installedCapabilities)
        let (player, recorder) = try await player(backend)
        #expect(await reaches(1, player), "\(recorder.errors)")
        player.startSeek(to: 60)
        #expect(await recorder.event { $0 == .seek(.seeked, position: 60) })
        #expect(await reaches(61, player))
        let viewer = Viewer()
        player.videoOutput = .frames(viewer)
        #expect(await eventually { viewer.count > 3 })
        kill(try await engine(of: backend), SIGKILL)
        #expect(await eventually { restarts(recorder) == 1 })
        let (position, count) = (player.position.seconds, viewer.count)
        #expect(await reaches(position + 1, player))
        #expect(position >= 61 && viewer.count > count)
        #expect(recorder.errors.isEmpty, "\(recorder.errors)")
    }

    /// The engine's process reaches the HLS proxy only, which is in it.
    @Test func gstreamerPlaysAStream() async throws {
        let playlist = try await MediaFixtures.shared.file("m3u8")
        let server = try await FaultServer.start(serving: playlist.deletingLastPathComponent())
        let backend = IsolatedBackend(
            running: "gstreamer", options: ["audio": "none"], capabilities: LibGStreamerBackend.installedCapabilities)
        let player = MediaPlayer(backend: backend)
        let recorder = EventRecorder(player)
        player.load(PlayerItem(unlimited: server.url(for: "/" + playlist.lastPathComponent)), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        await server.stop()
    }
    #endif

    @Test func aPausedItemContinuesWhenItIsPlayed() async throws {
        let backend = backend()
        let (player, recorder) = try await player(backend)
        #expect(await reaches(1, player))
        player.pause()
        #expect(await eventually { player.snapshot.state == .pause })
        let position = player.position.seconds
        kill(try await engine(of: backend), SIGKILL)
        #expect(await eventually { restarts(recorder) == 1 })
        #expect(player.snapshot.state == .pause)
        player.play()
        #expect(await reaches(position + 1, player))
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .pause, .play])
    }

    @Test func anItemWhoseEngineCrashesAgainAndAgainFails() async throws {
        let backend = backend()
        let (player, recorder) = try await player(backend)
        var engine: pid_t = 0
        for round in 0...3 {
            #expect(await eventually { player.snapshot.state == .play })
            engine = try await self.engine(of: backend, after: engine)
            kill(engine, SIGABRT)
            if round < 3 { #expect(await eventually { restarts(recorder) == round + 1 }) }
        }
        #expect(await recorder.reaches(.failure))
        let error = try #require(recorder.errors.first)
        #expect(error.code == .engineCrashed)
        let path = try #require(error.summary.split(separator: "Report: ").last)
        let report = try String(contentsOfFile: String(path), encoding: .utf8)
        #expect(report.contains("> open") && report.contains("signal 6"))
        try? FileManager.default.removeItem(atPath: String(path))
        player.play()
        #expect(await eventually { player.snapshot.state == .play }, "the next attempt has an engine again")
    }

    @Test func eachItemHasItsOwnRestarts() async throws {
        let backend = backend()
        let (player, recorder) = try await player(backend)
        var engine: pid_t = 0
        for round in 1...4 {
            #expect(await eventually { player.snapshot.state == .play })
            engine = try await self.engine(of: backend, after: engine)
            kill(engine, SIGKILL)
            #expect(await eventually { restarts(recorder) == round })
            if round == 3 { player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true) }
        }
        #expect(await reaches(1, player))
        #expect(recorder.errors.isEmpty)
    }

    /// A stream that the engine reads itself needs a process with other access. The old one hangs, and nobody waits for its answers.
    @Test func aReplacedProcessThatHangsIsKilled() async throws {
        let backend = backend()
        let (player, _) = try await player(backend)
        #expect(await reaches(1, player))
        let engine = try await engine(of: backend)
        kill(engine, SIGSTOP)
        player.load(try #require(URL(string: "rtmp://127.0.0.1:1/nobody")), autoPlay: true)
        #expect(try await self.engine(of: backend, after: engine) != engine)
        #expect(await eventually { kill(engine, 0) != 0 })
        #expect(await eventually { player.snapshot.state == .failure })
    }

    @Test func framesArriveAndStayAsTheyAre() async throws {
        let backend = backend()
        let viewer = Viewer()
        let player = MediaPlayer(backend: backend)
        player.videoOutput = .frames(viewer)
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true)
        #expect(await eventually { viewer.count > 3 })
        let kept = try #require(viewer.newest)
        let pixels = kept.withUnsafeBytes { Data($0) }
        let count = viewer.count
        #expect(await eventually { viewer.count > count + 20 })
        #expect(kept.withUnsafeBytes { Data($0) } == pixels)
        kill(try await engine(of: backend), SIGKILL)
        let before = viewer.count
        #expect(await eventually { viewer.count > before + 5 })
        #expect(kept.withUnsafeBytes { Data($0) } == pixels, "the memory outlives its process")
    }

    // MARK: Other programs in the place of the engine's

    @Test func withoutTheProgramAnItemFailsWithARemedy() async throws {
        let missing = URL(filePath: "/no/such/flowplayer-engine")
        let (player, recorder) = try await player(IsolatedBackend(program: missing))
        #expect(await recorder.reaches(.failure))
        let error = try #require(recorder.errors.first)
        #expect(error.code == .backendUnavailable)
        #expect(error.summary.contains("/no/such/flowplayer-engine"))
        #expect(player.snapshot.state == .failure)
    }

    @Test func anUnknownEngineFails() async throws {
        let (player, recorder) = try await player(IsolatedBackend(running: "nothing"))
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.first?.summary.contains("no engine \"nothing\"") == true)
        #expect(player.snapshot.state == .failure)
    }

    /// The messages of a program that is no engine, as a Python expression for a list of bytes.
    enum Nonsense: String, CaseIterable {
        case randomBytes = "[random.randbytes(1 << 20)]"
        case hugeMessage = "[b'\\xff\\xff\\xff\\x7f' + b'x' * 100]"
        case unknownMessage = "[struct.pack('<I', 12) + b'{\"what\":{}}  ']"
        case endlessMessages = "[struct.pack('<I', 11) + b'{\"pong\":{}}'] * 1000000"
        case unknownFrameMessage = "[struct.pack('<5q', 9, 0, 0, 0, 0)]"
        case shortFrameMessage = "[b'x']"
        case memoryWithoutFile = "[struct.pack('<5q', 0, 1, 4096, 0, 0)]"
        case frameWithoutMemory = "[struct.pack('<5q', 1, 1, 4, 4, 16)]"
        case endlessFrameMessages = "[struct.pack('<5q', 2, 1, 0, 0, 0)] * 1000000"

        /// The descriptor of the connection: that for messages, or that for frames.
        var socket: Int {
            switch self {
            case .randomBytes, .hugeMessage, .unknownMessage, .endlessMessages: 3
            default: 4
            }
        }
    }

    @Test(arguments: Nonsense.allCases)
    func aProgramThatSendsNonsenseIsKilled(nonsense: Nonsense) async throws {
        let program = FileManager.default.temporaryDirectory.appending(path: "engine-\(UUID().uuidString).py")
        defer { try? FileManager.default.removeItem(at: program) }
        let script = """
            #!/usr/bin/python3
            import random, socket, struct, time
            host = socket.socket(fileno=\(nonsense.socket))
            for message in \(nonsense.rawValue): host.sendall(message)
            time.sleep(600)
            """
        try await Command.writeScript(script, to: program)
        let (player, recorder) = try await player(IsolatedBackend(program: program))
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [.engineCrashed])
        #expect(restarts(recorder) == 3)
        #expect(recorder.errors.first?.summary.contains("violated the protocol") == true)
        #expect(player.snapshot.state == .failure)
    }

    @Test func theEngineCannotBeStartedByHand() async throws {
        let result = try await Command(built: "flowplayer-engine", []).run()
        #expect(result.status == 64)
        #expect(result.errors.contains("IsolatedBackend"))
    }
}
#endif
