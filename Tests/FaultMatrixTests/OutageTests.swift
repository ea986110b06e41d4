#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// A server that is killed while its media plays, and restarted after the player has stalled. It sends half of the media until then.
@MainActor
@Suite struct OutageTests {
    /// In seconds.
    private static let length = 12

    /// Made once, whoever asks first.
    private static let making = Task { try await makeMedia() }

    static func media() async throws -> URL { try await making.value }

    private static func makeMedia() async throws -> URL {
        let folder = MediaFixtures.shared.directory.appending(path: "outage")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let video = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=\(length)"]
        let audio = ["-f", "lavfi", "-i", "anoisesrc=duration=\(length):amplitude=0.3:seed=1"]
        let rate = ["-preset", "ultrafast", "-g", "25", "-b:v", "450k", "-maxrate", "450k", "-bufsize", "200k"]
        let codecs = ["-c:v", "libx264", "-pix_fmt", "yuv420p"] + rate + ["-c:a", "aac", "-b:a", "96k"]
        for output in [
            video + audio + codecs + ["-movflags", "+faststart", folder.appending(path: "clip.mp4").path()],
            audio + ["-b:a", "320k", folder.appending(path: "clip.mp3").path()],
            video + audio + codecs
                + [
                    "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod",
                    folder.appending(path: "clip.m3u8").path(),
                ],
        ] {
            let result = try await Command("ffmpeg", ["-v", "error", "-y"] + output).run()
            guard result.status == 0 else { throw FixtureError(description: result.errors) }
        }
        return folder
    }

    @Test(arguments: [("mp4", "hang-mid-body@1"), ("mp3", "hang-mid-body@1"), ("m3u8", "hang-mid-body@segment6@1")])
    func playbackContinuesAtItsPosition(format: String, plan: String) async throws {
        let server = try await FaultServer.start(serving: try await Self.media())
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        var item = PlayerItem(unlimited: server.url(for: "/clip.\(format)", plan: try FaultPlan(parsing: plan)))
        // The outage lasts until the player has stalled, however long that takes.
        (item.retryPolicy.attempts, item.retryPolicy.readTimeout) = (1000, 600)
        player.load(item, autoPlay: true)
        #expect(await recorder.event { if case .position(let position) = $0 { position > 1 } else { false } })
        await server.stop()
        let played = recorder.entries.firstIndex { $0.event.isPosition } ?? 0
        #expect(await recorder.event(after: played) { $0 == .buffer(.empty) })
        let stood = player.position.seconds
        try await server.restart()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        // The server has sent half of the media.
        #expect(stood < Double(Self.length) - 2)
        let after = try #require(recorder.positions.first { $0 > stood + 0.01 })
        #expect(after < Double(Self.length) - 1, "from \(stood) to \(after)")
        #expect(recorder.positions == recorder.positions.sorted())
        let length = Double(Self.length)
        #expect(abs((recorder.positions.last ?? 0) - length) < 0.3)
        await server.stop()
    }
}
#endif
