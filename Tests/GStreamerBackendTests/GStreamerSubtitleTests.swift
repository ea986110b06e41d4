#if GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import Synchronization
import TestSupport
import Testing

/// Subtitles on the frames of an item. They need the package gstreamer1.0-x.
@MainActor
@Suite(.enabled(if: canDraw, "gstreamer1.0-x is not installed"))
struct GStreamerSubtitleTests {
    @Test func subtitlesAreShownWhileTheyAreSelected() async throws {
        let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        let sink = BrightnessSink()
        player.videoOutput = .frames(sink)
        player.load(try await MediaFixtures.shared.tracks(seconds: 60), autoPlay: true)
        #expect(await recorder.reaches(.ready))
        #expect(await eventually { sink.isBright == false })
        let tracks = try #require(player.snapshot.tracks?.subtitles)
        #expect(tracks.map(\.lang) == ["en", "de"])
        for track in tracks {
            player.selectSubtitle(id: track.id)
            #expect(await eventually { sink.isBright == true })
            player.selectSubtitle(id: nil)
            #expect(await eventually { sink.isBright == false })
        }
        #expect(recorder.errors.isEmpty)
    }
}

private let canDraw = !LibGStreamerBackend.descriptor().installation.missing.contains {
    $0.contains("gstreamer1.0-x ")
}

/// Knows whether the newest frame has a bright point.
private final class BrightnessSink: VideoFrameSink {
    private let state = Mutex<Bool?>(nil)

    /// `nil` before the first frame.
    var isBright: Bool? { state.withLock { $0 } }

    func receive(_ frame: VideoFrame) {
        let isBright = frame.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).contains { bytes[$0] > 200 }
        }
        state.withLock { $0 = isBright }
    }
}
#endif
