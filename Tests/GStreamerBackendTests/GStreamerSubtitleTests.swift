#if GStreamer
import FlowplayerFaults
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
    private let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
    private let sink = BrightnessSink()

    /// Plays an item with two subtitle tracks.
    private func start(_ format: String = "srt") async throws -> [SubtitleTrack] {
        let recorder = EventRecorder(player)
        player.videoOutput = .frames(sink)
        player.load(try await MediaFixtures.shared.tracks(seconds: 60, subtitles: format), autoPlay: true)
        #expect(await recorder.reaches(.ready))
        return try #require(player.snapshot.tracks?.subtitles)
    }

    @Test(arguments: ["srt", "ass"])
    func subtitlesAreShownWhileTheyAreSelected(format: String) async throws {
        let tracks = try await start(format)
        #expect(await eventually { sink.isBright == false })
        #expect(tracks.map(\.lang) == ["eng", "deu"])
        for track in tracks {
            player.selectSubtitle(id: track.id)
            #expect(await eventually { sink.isBright == true })
            player.selectSubtitle(id: nil)
            #expect(await eventually { sink.isBright == false })
        }
        #expect(player.snapshot.error == nil)
    }

    @Test func subtitlesCanBeDelayed() async throws {
        player.selectSubtitle(id: try #require(try await start().first).id)
        #expect(await eventually { sink.isBright == true })
        player.subtitleDelay = 600
        #expect(await eventually { sink.isBright == false })
        player.subtitleDelay = 0
        #expect(await eventually { sink.isBright == true })
    }

    @Test(arguments: ["srt", "vtt"])
    func externalSubtitlesAreShownAtTheirTime(format: String) async throws {
        let media = MediaFixtures.shared
        let cues = [(from: 0.0, to: 60.0, text: "Early"), (from: 120, to: 180, text: "Late")]
        let file = try await media.subtitles("gstreamer-external.\(format)", cues)
        let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        let sink = BrightnessSink()
        player.videoOutput = .frames(sink)
        let subtitle = ExternalSubtitle(url: file, name: "Beside", lang: "en")
        let video = try await media.solid(colour: "black", duration: 180)
        player.load(PlayerItem(url: video, subtitles: [subtitle]), autoPlay: true)
        #expect(await recorder.reaches(.ready))
        let track = try #require(player.snapshot.tracks?.subtitles.first)
        #expect(track.name == "Beside" && track.lang == "en")
        #expect(await eventually { sink.isBright == false })
        player.selectSubtitle(id: track.id)
        #expect(await eventually { sink.isBright == true })
        player.startSeek(to: 61)
        #expect(await eventually { sink.isBright == false })
        player.startSeek(to: 121)
        #expect(await eventually { sink.isBright == true })
        player.selectSubtitle(id: nil)
        #expect(await eventually { sink.isBright == false })
        #expect(recorder.errors.isEmpty && recorder.notices.isEmpty)
        player.stop()
    }

    /// The stream names another playlist of subtitles, which is missing.
    @Test(arguments: ["mpegts", "fmp4"])
    func subtitlesOfHLSAreShownAtTheirTime(format: String) async throws {
        let recorder = EventRecorder(player)
        player.videoOutput = .frames(sink)
        let stream = try await MediaFixtures.shared.hlsSubtitles(format)
        let server = try await FaultServer.start(serving: stream.deletingLastPathComponent())
        player.load(PlayerItem(unlimited: server.url(for: "/stream.m3u8")), autoPlay: true)
        #expect(await recorder.reaches(.ready), "\(recorder.errors)")
        let tracks = try #require(player.snapshot.tracks?.subtitles)
        #expect(tracks.map(\.name) == ["english", "missing"] && tracks.map(\.lang) == ["en", "en"])
        #expect(await eventually { sink.isBright == false })
        player.selectSubtitle(id: tracks[0].id)
        #expect(await eventually { sink.isBright == true })
        player.startSeek(to: 61)
        #expect(await eventually { sink.isBright == false })
        player.startSeek(to: 121)
        #expect(await eventually { sink.isBright == true })
        player.selectSubtitle(id: tracks[1].id)
        #expect(await eventually { player.snapshot.tracks?.subtitles.map(\.name) == ["english"] })
        #expect(await eventually { sink.isBright == false })
        #expect(recorder.errors.isEmpty && recorder.notices.map(\.code) == ["subtitleUnavailable"])
        player.stop()
        await server.stop()
    }

    @Test func subtitlesThatCannotBeReadLeaveTheList() async throws {
        let missing = ExternalSubtitle(url: URL(filePath: "/no/such/file.srt"), name: "Missing")
        let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.load(PlayerItem(url: try await MediaFixtures.shared.file("mp4"), subtitles: [missing]))
        #expect(await recorder.reaches(.ready))
        player.selectSubtitle(id: try #require(player.snapshot.tracks?.subtitles.first?.id))
        #expect(await eventually { player.snapshot.tracks?.subtitles.isEmpty == true })
        #expect(recorder.notices.map(\.code) == ["subtitleUnavailable"])
        player.play()
        #expect(await recorder.reaches(.complete))
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
