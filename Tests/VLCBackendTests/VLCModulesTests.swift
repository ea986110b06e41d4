#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

@testable import VLCBackend

/// A scheme is claimed if its module of libVLC is installed.
@MainActor
@Suite struct VLCModulesTests {
    @Test func aSchemeIsClaimedIfItsModuleIsThere() throws {
        let folder = MediaFixtures.shared.directory.appending(path: "modules")
        let access = folder.appending(path: "access")
        try FileManager.default.createDirectory(at: access, withIntermediateDirectories: true)
        #expect(VLCModules.schemes(with: folder.path()) == ["file", "http", "https"])
        for name in ["liblive555_plugin.so", "libaccess_srt_plugin.so"] {
            try Data().write(to: access.appending(path: name))
        }
        #expect(VLCModules.schemes(with: folder.path()) == ["file", "http", "https", "rtsp", "srt"])
        #expect(VLCModules.schemes(with: nil) == ["file", "http", "https"])
    }

    @Test(arguments: ["rtmp", "rtsp", "rtp", "udp", "srt"])
    func aMissingModuleIsReportedWithAdvice(scheme: String) async throws {
        let module = ["rtsp": "liblive555", "srt": "libaccess_srt", "rtmp": "libavio"][scheme] ?? "lib\(scheme)"
        let folder = try #require(VLCModules.folder)
        let isInstalled = FileManager.default.fileExists(atPath: "\(folder)/access/\(module)_plugin.so")
        let backend = LibVLCBackend.descriptor()
        #expect(backend.schemes.contains(scheme) == isInstalled)
        let url = try #require(URL(string: "\(scheme)://127.0.0.1:1/a"))
        guard !isInstalled else { return #expect(VLCModules.error(for: url) == nil) }
        let player = MediaPlayer(backend: backend.make())
        let recorder = EventRecorder(player)
        player.load(url, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        let error = try #require(recorder.errors.first)
        #expect(error.code == .unsupportedScheme)
        #expect(
            error.message == """
                This installation of libVLC has no module for addresses that start with \(scheme):. \
                Use a path, or an address that starts with http: or https:.
                """)
    }
}
#endif
