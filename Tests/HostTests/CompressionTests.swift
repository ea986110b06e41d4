#if VLC
import FlowplayerSDK
import FlowplayerTesting
import FlyingFox
import Foundation
import TestSupport
import Testing

/// A server that sends all files compressed, whatever the request allows. Storage services do so with files that were stored compressed.
@MainActor
@Suite struct CompressionTests {
    private func serveMedia() async throws -> LoopbackServer {
        let media = MediaFixtures.shared
        let folder = media.directory.appending(path: "compressed-\(UUID())")
        try FileManager.default.copyItem(at: try await media.dash().deletingLastPathComponent(), to: folder)
        try FileManager.default.copyItem(at: try await media.file("mp4"), to: folder.appending(path: "clip.mp4"))
        let result = try await Command("gzip", ["-r", folder.path()]).run()
        try #require(result.status == 0, "\(result.errors)")
        return try await LoopbackServer { request in
            let file = folder.appending(path: request.path).appendingPathExtension("gz")
            guard let data = try? Data(contentsOf: file) else { return HTTPResponse(statusCode: .notFound) }
            return HTTPResponse(statusCode: .ok, headers: [HTTPHeader("Content-Encoding"): "gzip"], body: data)
        }
    }

    @Test(arguments: ["clip.mp4", "master.m3u8", "stream.mpd"], RealEngine.allCases)
    func compressedFilesPlay(name: String, engine: RealEngine) async throws {
        let server = try await serveMedia()
        let player = engine.makePlayer()
        let recorder = EventRecorder(player)
        player.load(PlayerItem(unlimited: server.base.appending(path: name)), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        player.stop()
    }
}
#endif
