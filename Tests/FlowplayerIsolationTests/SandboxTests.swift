#if VLC
import FlowplayerFaults
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing
import VLCBackend

@testable import FlowplayerIsolation

/// The reach of an engine's process, whatever runs in it.
@MainActor
@Suite struct SandboxTests {
    /// A file that no item names.
    private static func secret() async throws -> URL {
        try await MediaFixtures.shared.bytes("secret.txt", Data("secret".utf8))
    }

    /// Runs the program `sandbox-probe`, or a script that starts it, until it has tried everything.
    private func probe(
        _ item: URL, _ options: [String: String], program: String? = nil
    ) async throws -> (events: EventRecorder, status: EngineStatus) {
        let backend = IsolatedBackend(
            running: "probe", options: options,
            program: URL(filePath: try program ?? Command(built: "sandbox-probe", []).program),
            capabilities: BackendCapabilities(features: []))
        let player = MediaPlayer(backend: backend)
        let recorder = EventRecorder(player)
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [.engineFailed])
        return (recorder, try #require(await backend.status))
    }

    /// Lets the program `sandbox-probe` try everything, and returns the outcomes: 0, or the number of an error.
    private func outcomes(
        _ item: URL, port: Int
    ) async throws -> (outcomes: [String: Int32], protections: Set<EngineProtection>) {
        let (events, status) = try await probe(item, ["secret": try await Self.secret().path(), "port": "\(port)"])
        let pairs = events.notices.filter { $0.code == "probe" }.map { notice in
            let parts = notice.message.split(separator: ": ")
            return (String(parts[0]), Int32(parts[1]) ?? -1)
        }
        return (Dictionary(uniqueKeysWithValues: pairs), status.protections)
    }

    /// Expects outcomes, if the kernel has the protection.
    private func expect(
        _ expected: [String: Int32], of outcomes: [String: Int32], by protection: EngineProtection,
        _ active: Set<EngineProtection>, _ location: SourceLocation = #_sourceLocation
    ) {
        guard active.contains(protection) else { return print("Skipped: the kernel has no \(protection).") }
        for (name, error) in expected {
            #expect(outcomes[name] == error, "\(name)", sourceLocation: location)
        }
    }

    @Test func anEngineReachesNothingButWhatItsItemNeeds() async throws {
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data()])
        let port = try #require(server.url(for: "/clip.mp4").port)
        let (outcomes, active) = try await outcomes(try await MediaFixtures.shared.file("mp4"), port: port)
        await server.stop()
        let isAllowed = [
            "read a file of the system", "write to the cache", "create a socket of this machine", "take 1 GB",
            "ask for the item",
        ]
        for name in isAllowed { #expect(outcomes[name] == 0, "\(name)") }
        #expect(outcomes["ask for a file of the user"] == EACCES)
        #expect(outcomes["ask for a connection"] == EACCES, "the item is a local file")
        expect(
            ["read a file of the user": EACCES, "read the item": EACCES, "write beside it": EACCES],
            of: outcomes, by: .fileAccess, active)
        expect(
            [
                "connect": EACCES, "listen": EACCES, "create a datagram socket": EACCES,
                "create a socket of IPv6": EACCES,
            ], of: outcomes, by: .networkAccess, active)
        expect(["start a program": EPERM, "change the root folder": EPERM], of: outcomes, by: .systemCalls, active)
        expect(["take 8 GB": ENOMEM], of: outcomes, by: .resourceLimits, active)
    }

    @Test func theHostConnectsForAnItemOnAServer() async throws {
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data()])
        let item = server.url(for: "/clip.mp4")
        let (outcomes, active) = try await outcomes(item, port: try #require(item.port))
        await server.stop()
        #expect(outcomes["ask for a connection"] == 0)
        expect(["connect": EACCES], of: outcomes, by: .networkAccess, active)
    }

    /// The security policy of the item allows everything, so the kernel alone protects the file.
    @Test(arguments: ["#EXTINF:2,\nFILE\n", "#EXT-X-MAP:URI=\"FILE\"\n#EXTINF:2,\nclip.ts\n"])
    func aPlaylistOfAServerLeadsToNoFile(lines: String) async throws {
        let clip = try await MediaFixtures.shared.file("ts")
        let text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n\(lines)#EXT-X-ENDLIST\n"
        let server = try await FaultServer.start(serving: [
            "/clip.m3u8": Data(text.replacing("FILE", with: clip.absoluteString).utf8),
            "/clip.ts": try Data(contentsOf: clip),
        ])
        var item = PlayerItem(url: server.url(for: "/clip.m3u8"))
        item.securityPolicy = MediaSecurityPolicy(allowsLocalFilesFromNetwork: true)
        let inside = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let insideEvents = EventRecorder(inside)
        inside.load(item, autoPlay: true)
        #expect(await insideEvents.reaches(.complete), "in the host's process the policy decides")
        let backend = IsolatedBackend(options: ["audio": "none", "callTimeout": "20"])
        let player = MediaPlayer(backend: backend)
        let recorder = EventRecorder(player)
        player.load(item, autoPlay: true)
        #expect(await recorder.event { event in if case .error = event { true } else { event == .state(.complete) } })
        if try #require(await backend.status).protections.contains(.fileAccess) {
            #expect(recorder.errors.map(\.code) == [.readFailed])
        } else {
            print("Skipped: the kernel has no fileAccess.")
        }
        await server.stop()
    }

    /// libVLC itself follows the playlist and writes the file: the kernel alone refuses.
    @Test(arguments: ["list.mp4", "clip.mp4"])
    func theKernelRefusesWhatLibVLCWouldOpen(name: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bare-\(UUID().uuidString)")
        // The engine may read the folder of a playlist.
        let media = folder.appending(path: "media")
        try FileManager.default.createDirectory(at: media, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (clip, server) = try await (MediaFixtures.shared.file("mp4"), FaultServer.start(serving: ["/a": Data()]))
        let port = try #require(server.url(for: "/a").port)
        let secret = folder.appending(path: "SECRET.mp4")
        try FileManager.default.copyItem(at: clip, to: secret)
        let list = "#EXTM3U\n\(secret.absoluteString)\nhttp://127.0.0.1:\(port)/a\nftp://127.0.0.1:\(port)/a\n"
        let item = media.appending(path: name)
        try name == "list.mp4" ? Data(list.utf8).write(to: item) : FileManager.default.copyItem(at: clip, to: item)

        let program = folder.appending(path: "engine")
        let built = try Command(built: "sandbox-probe", []).program
        let script =
            "#!/bin/sh\nexec strace -ff -e trace=open,openat,creat,connect -o '\(folder.path())/trace' '\(built)'\n"
        try await Command.writeScript(script, to: program)
        let out = folder.appending(path: "OUT").path()
        let options = name == "clip.mp4" ? ["bare": "", "out": out] : ["bare": ""]
        let protections = try await probe(item, options, program: program.path()).status.protections
        await server.stop()

        // Each thread has its own file, because lines of several threads could be torn.
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let lines = try files.filter { $0.lastPathComponent.hasPrefix("trace.") }.flatMap {
            try String(contentsOf: $0, encoding: .utf8).split(separator: "\n")
        }
        func expectRefusals(_ text: String, by protection: EngineProtection) {
            guard protections.contains(protection) else {
                return print("Skipped: the kernel has no \(protection).")
            }
            let attempts = lines.filter { $0.contains(text) }
            #expect(!attempts.isEmpty, "libVLC does not try \(text)")
            #expect(attempts.allSatisfy { $0.contains("= -1 EACCES") }, "\(attempts)")
        }
        if name == "clip.mp4" { return expectRefusals(out, by: .fileAccess) }
        expectRefusals("SECRET", by: .fileAccess)
        expectRefusals("sin_port=htons(\(port))", by: .networkAccess)
    }

    @Test func oneBackendPlaysItemsWithAllKindsOfAccess() async throws {
        let media = MediaFixtures.shared
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data(contentsOf: try await media.file("mp4"))]
        )
        let playlist = try await media.file("m3u8")
        let player = MediaPlayer(backend: IsolatedBackend(options: ["audio": "none", "callTimeout": "20"]))
        let recorder = EventRecorder(player)
        for url in [playlist, try await media.file("mp4"), server.url(for: "/clip.mp4"), playlist] {
            let count = recorder.states.count { $0 == .complete }
            player.load(url, autoPlay: true)
            #expect(await eventually { recorder.states.count { $0 == .complete } > count })
        }
        #expect(recorder.errors.isEmpty)
        #expect(recorder.notices.map(\.message) == [])
        await server.stop()
    }

    @Test(arguments: ["time", "capabilities", "position", "count", "size", "window"])
    func anEngineThatSendsImpossibleValuesIsKilled(lie: String) async throws {
        let backend = IsolatedBackend(
            running: "probe", options: ["lie": lie],
            program: URL(filePath: try Command(built: "sandbox-probe", []).program),
            capabilities: BackendCapabilities(features: []))
        let player = MediaPlayer(backend: backend)
        let recorder = EventRecorder(player)
        player.load(try await MediaFixtures.shared.file("mp4"), autoPlay: true)
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [.engineCrashed])
        #expect(recorder.errors.first?.summary.contains("impossible") == true)
    }

    @Test func theStatisticsCountTheEnginesProcess() async throws {
        let player = MediaPlayer(backend: IsolatedBackend(options: ["audio": "none", "callTimeout": "20"]))
        player.load(try await MediaFixtures.shared.long(seconds: 120), autoPlay: true)
        #expect(await eventually { player.snapshot.statistics.engineCPUTime ?? 0 > 0 })
        #expect(player.snapshot.statistics.engineMemory ?? 0 > 10 << 20)
    }
}
#endif
