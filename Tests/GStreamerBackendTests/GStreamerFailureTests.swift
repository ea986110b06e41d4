#if GStreamer
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import TestSupport
import Testing

/// Media that cannot be played: one failure each, with its reason.
@MainActor
@Suite struct GStreamerFailureTests {
    private func failure(of url: URL, _ sourceLocation: SourceLocation = #_sourceLocation) async -> PlaybackError? {
        let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.load(url, autoPlay: true)
        #expect(await recorder.reaches(.failure), sourceLocation: sourceLocation)
        #expect(recorder.errors.count == 1, sourceLocation: sourceLocation)
        #expect(!recorder.states.contains(.complete), sourceLocation: sourceLocation)
        return recorder.errors.first
    }

    @Test func aMissingFileFails() async {
        #expect(await failure(of: URL(filePath: "/no/such/file.mp4"))?.code == .fileNotFound)
    }

    @Test func aDirectoryFails() async {
        #expect(await failure(of: FileManager.default.temporaryDirectory)?.code == .isDirectory)
    }

    @Test func anEmptyFileFails() async throws {
        let url = try await MediaFixtures.shared.bytes("gstreamer-empty.mp4", Data())
        #expect(await failure(of: url)?.code == .emptyFile)
    }

    @Test(arguments: ["gstreamer-noise.mp4", "gstreamer-noise"])
    func randomBytesAreNoMedia(name: String) async throws {
        var state: UInt32 = 42
        let noise = Data(
            (0..<200_000).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: state >> 24)
            })
        let url = try await MediaFixtures.shared.bytes(name, noise)
        #expect(await failure(of: url)?.code == .unrecognisedFormat)
    }

    @Test func textIsNoMedia() async throws {
        let lines = (1...5000).map { "\($0)\n" }.joined()
        let url = try await MediaFixtures.shared.bytes("gstreamer-text.mp4", Data(lines.utf8))
        #expect(await failure(of: url)?.code == .unrecognisedFormat)
    }

    /// Files that name an address, which GStreamer would open. Each begins with bytes that hide its type.
    enum Disguise: String, CaseIterable {
        case playlist = "\n#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nADDRESS\n#EXT-X-ENDLIST\n"
        case dash = """
            \0\0\0\0<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"
            mediaPresentationDuration="PT10S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>
            <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000" codecs="avc1.42c01e">
            <BaseURL>ADDRESS</BaseURL></Representation></AdaptationSet></Period></MPD>
            """
        case session = """
            v=0
            o=- 0 0 IN IP4 127.0.0.1
            s=x
            c=IN IP4 127.0.0.1
            t=0 0
            m=video 5004 RTP/AVP 96
            a=control:ADDRESS

            """
        case reference = "[reference]\nRef1=ADDRESS\n"
        case rtsp = "RTSPtext ADDRESS\n"
    }

    @Test(arguments: Disguise.allCases)
    func aFileLeadsToNoServer(disguise: Disguise) async throws {
        let server = try await FaultServer.start(serving: [:])
        let address = server.url(for: "/other.ts").absoluteString
        let text = disguise.rawValue.replacing("ADDRESS", with: address)
        let file = try await MediaFixtures.shared.bytes("gstreamer-\(disguise).mp4", Data(text.utf8))
        #expect(await failure(of: file)?.code == .unrecognisedFormat)
        #expect(server.requests.isEmpty)
    }

    /// A program that finds only some of GStreamer's plugins names the package of the missing one.
    @Test(arguments: [("libav", "mp4", "gstreamer1.0-libav"), ("hls", "m3u8", "gstreamer1.0-plugins-bad")])
    func aMissingPluginIsNamedWithItsPackage(plugin: String, format: String, package: String) async throws {
        let installed = try #require(Self.pluginFolder)
        let folder = FileManager.default.temporaryDirectory.appending(path: "plugins-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = [
            "coreelements", "playback", "app", "typefindfunctions", "audioconvert", "videoconvertscale",
            "isomp4", "hls", "audioparsers",
        ]
        for name in names where name != plugin {
            let file = "libgst\(name).so"
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: file), withDestinationURL: installed.appending(path: file))
        }
        let media = try await MediaFixtures.shared.file(format)
        var command = try Command(
            built: "flowplay", ["--engine", "gstreamer", "--view", "none", "--audio", "none", media.path()])
        command.environment["GST_PLUGIN_SYSTEM_PATH_1_0"] = folder.path()
        command.environment["GST_REGISTRY_1_0"] = folder.appending(path: "registry.bin").path()
        let result = try await command.run()
        #expect(result.status == 3)
        #expect(result.errors.contains(package), "\(result.errors)")
    }

    /// GStreamer reads plugins from all folders that the environment names.
    @Test(arguments: [
        ["GST_PLUGIN_SYSTEM_PATH_1_0": "/none:INSTALLED"], ["GST_PLUGIN_SYSTEM_PATH": "INSTALLED"],
        ["GST_PLUGIN_SYSTEM_PATH_1_0": "/none", "GST_PLUGIN_PATH_1_0": "/other:INSTALLED"],
        ["GST_PLUGIN_SYSTEM_PATH_1_0": "/none", "GST_PLUGIN_PATH": "INSTALLED"],
    ])
    func pluginsOfSeveralFoldersAreFound(variables: [String: String]) async throws {
        let installed = try #require(Self.pluginFolder).path()
        let media = try await MediaFixtures.shared.file("wav")
        var command = try Command(
            built: "flowplay", ["--engine", "gstreamer", "--view", "none", "--audio", "none", media.path()])
        for (name, value) in variables { command.environment[name] = value.replacing("INSTALLED", with: installed) }
        let result = try await command.run()
        #expect(result.status == 0, "\(result.errors)")
    }

    private static var pluginFolder: URL? {
        let libraries = URL(filePath: "/usr/lib")
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: libraries.path())) ?? []
        return folders.map { libraries.appending(path: "\($0)/gstreamer-1.0") }
            .first { FileManager.default.fileExists(atPath: $0.appending(path: "libgstplayback.so").path()) }
    }

    @Test func aFileThatIsCutShortFailsWhereItEnds() async throws {
        let error = await failure(of: try await MediaFixtures.shared.truncated())
        #expect(error?.code == .endedEarly)
        #expect(error?.message.contains("of 12.0 s") == true)
    }

    @Test(arguments: [403, 404, 503])
    func aServerThatRefusesIsReportedWithItsStatus(status: Int) async throws {
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data(count: 1000)])
        let error = await failure(of: server.url(for: "/clip.mp4", fault: .status(status)))
        #expect(error?.code == .httpStatus)
        #expect(error?.httpStatus == status)
        await server.stop()
    }

    @Test(arguments: [
        ("http://127.0.0.1:1/clip.mp4", PlaybackErrorCode.connectionRefused),
        ("http://no-such-host.invalid/clip.mp4", .hostNotFound), ("mms://127.0.0.1:1", .unsupportedScheme),
        ("playbin://clip", .unsupportedScheme),
    ])
    func anAddressThatCannotBeReadFails(address: String, code: PlaybackErrorCode) async throws {
        #expect(await failure(of: try #require(URL(string: address)))?.code == code)
    }

    /// GStreamer deadlocks if a pipeline is stopped while it looks for a demuxer.
    @Test func manyOpeningsAtOnceLeaveNoEngineBehind() async throws {
        let clip = try await MediaFixtures.shared.file("mp4")
        let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        for _ in 1...30 { player.load(clip, autoPlay: true) }
        #expect(await recorder.reaches(.complete))
        let codes = recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(!codes.contains("engineStuck"))
        #expect(recorder.errors.isEmpty)
    }

    /// GStreamer does not report the end of NUT.
    @Test(arguments: ["ts", "mkv", "nut"])
    func videoWithoutAViewPlays(format: String) async throws {
        let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.load(try await MediaFixtures.shared.long(seconds: 4, format), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.errors.isEmpty)
    }

    @Test func aBrokenConnectionIsRetriedUnnoticed() async throws {
        let clip = try Data(contentsOf: try await MediaFixtures.shared.long(seconds: 12))
        let server = try await FaultServer.start(serving: ["/clip.mp4": clip])
        let url = server.url(for: "/clip.mp4", fault: .reset(.midBody(after: clip.count / 2)), on: .request(1))
        let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.defaultRate = 4
        player.load(PlayerItem(unlimited: url), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.errors.isEmpty)
        await server.stop()
    }

    @Test func aConnectionThatStaysBrokenFailsWithItsReason() async throws {
        let clip = try Data(contentsOf: try await MediaFixtures.shared.long(seconds: 12))
        let server = try await FaultServer.start(serving: ["/clip.mp4": clip])
        let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        var item = PlayerItem(
            unlimited: server.url(for: "/clip.mp4", fault: .outage(after: clip.count / 2, for: .seconds(3600))))
        item.retryPolicy.giveUpAfter = 2
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.count == 1)
        let code = try #require(recorder.errors.first?.code)
        #expect([.connectionLost, .connectionRefused].contains(code))
        await server.stop()
    }
}
#endif
