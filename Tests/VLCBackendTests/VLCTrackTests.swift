#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing
import VLCBackend

/// Audio tracks, subtitles, sizes and titles of real media through real libVLC.
@MainActor
@Suite struct VLCTrackTests {
    private let frames = BrightnessSink()

    private func player(_ output: VideoOutput = .none) -> (MediaPlayer, EventRecorder) {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        player.videoOutput = output
        return (player, EventRecorder(player))
    }

    /// libVLC does not show a subtitle that began before it was selected, or before its file was read. Each seek makes it look again.
    private func showsText(_ player: MediaPlayer) async -> Bool {
        for _ in 1...40 {
            player.startSeek(to: 1)
            if await frames.becomes(bright: true, within: .seconds(2)) { return true }
        }
        return false
    }

    @Test func tracksHaveTheirNamesAndLanguages() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.tracks())
        #expect(await recorder.reaches(.ready))
        let tracks = try #require(player.snapshot.tracks)
        #expect(tracks.audio.map(\.name) == ["English", "Deutsch"])
        #expect(tracks.audio.map(\.lang) == ["eng", "deu"])
        #expect(tracks.subtitles.map(\.lang) == ["eng", "deu"])
        #expect(player.snapshot.currentAudio == tracks.audio.first)
        #expect(player.snapshot.currentSubtitle == nil)
        #expect(recorder.events.contains(.selectedAudio(tracks.audio.first)))
    }

    @Test func subtitlesOfTheItemAreShownAndHidden() async throws {
        let (player, recorder) = player(.frames(frames))
        player.load(try await MediaFixtures.shared.tracks(seconds: 120), autoPlay: true)
        #expect(await recorder.reaches(.play))
        let subtitle = try #require(player.snapshot.tracks?.subtitles.last)
        #expect(await frames.becomes(bright: false))
        player.selectSubtitle(id: subtitle.id)
        #expect(player.snapshot.currentSubtitle == subtitle)
        #expect(await showsText(player), "the subtitle is not in the frames")
        player.selectSubtitle(id: SubtitleTrack.off.id)
        #expect(await frames.becomes(bright: false), "the subtitle stays in the frames")
        let reported = recorder.events.compactMap { if case .selectedSubtitle(let track) = $0 { track } else { nil } }
        #expect(reported == [subtitle])
        #expect(recorder.events.contains(.selectedSubtitle(nil)))
    }

    @Test(arguments: ["srt", "vtt"], [false, true])
    func subtitlesOfAnotherFileAreShown(format: String, isRemote: Bool) async throws {
        // In WebVTT libVLC never shows a text that has begun before: here another one soon begins.
        let cues = stride(from: 0.0, to: 8, by: 0.5).map { (from: $0, to: $0 + 0.5, text: "Beside the file") }
        let file = try await MediaFixtures.shared.subtitles("beside.\(format)", cues)
        let server = try await LoopbackServer(files: MediaFixtures.shared.directory)
        let url = isRemote ? server.base.appending(path: file.lastPathComponent) : file
        let (player, recorder) = player(.frames(frames))
        let clip = try await MediaFixtures.shared.solid(colour: "black", duration: 120)
        var item = PlayerItem(unlimited: clip)
        item.subtitles = [ExternalSubtitle(url: url, name: "English", lang: "en")]
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.play))
        let listed = try #require(player.snapshot.tracks?.subtitles)
        #expect(listed.map(\.name) == ["English"])
        #expect(player.snapshot.currentSubtitle == nil)
        #expect(await frames.becomes(bright: false))
        player.selectSubtitle(id: listed[0].id)
        #expect(await showsText(player), "the subtitle is not in the frames")
        #expect(player.snapshot.currentSubtitle == listed[0])
    }

    @Test func subtitlesCanBeDelayed() async throws {
        let file = try await MediaFixtures.shared.subtitles("later.srt", [(6, 60, "Later")])
        let (player, recorder) = player(.frames(frames))
        let clip = try await MediaFixtures.shared.solid(colour: "black", duration: 120)
        player.load(PlayerItem(url: clip, subtitles: [ExternalSubtitle(url: file)]))
        #expect(await recorder.reaches(.ready))
        // A subtitle that libVLC has decoded keeps its delay.
        player.subtitleDelay = 6
        player.selectSubtitle(id: try #require(player.snapshot.tracks?.subtitles.first).id)
        player.play()
        #expect(await frames.becomes(bright: true))
        #expect(player.position.seconds > 10, "without the delay, the subtitle appears at 6 s")
    }

    @Test func unusableSubtitlesAreReportedAndRemoved() async throws {
        let garbage = try await MediaFixtures.shared.bytes("garbage.srt", Data([0, 1, 2, 3, 255]))
        let good = try await MediaFixtures.shared.subtitles("good.srt", [(0, 60, "Good")])
        let (player, recorder) = player()
        let clip = try await MediaFixtures.shared.solid(colour: "black", duration: 60)
        let missing = URL(filePath: "/no/such/file.srt")
        player.load(
            PlayerItem(
                url: clip,
                subtitles: [missing, garbage, good].map { ExternalSubtitle(url: $0) }), autoPlay: true)
        #expect(await recorder.reaches(.play))
        for (index, name) in ["file", "garbage"].enumerated() {
            let track = try #require(player.snapshot.tracks?.subtitles.first)
            #expect(track.name == name)
            player.selectSubtitle(id: track.id)
            #expect(await recorder.event { $0 == .selectedSubtitle(nil) })
            #expect(player.snapshot.tracks?.subtitles.count == 2 - index)
        }
        let codes = recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(codes == ["subtitleUnavailable", "subtitleUnavailable"])
        #expect(await eventually { player.snapshot.state == .play })
    }

    @Test func aSelectionStaysWhenTheItemPlaysAgain() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.tracks(seconds: 2))
        #expect(await recorder.reaches(.ready))
        let tracks = try #require(player.snapshot.tracks)
        player.selectAudio(id: tracks.audio[1].id)
        player.selectSubtitle(id: tracks.subtitles[0].id)
        player.play()
        #expect(await recorder.reaches(.complete))
        player.play()
        #expect(await recorder.event { $0 == .state(.complete) })
        #expect(player.snapshot.currentAudio == tracks.audio[1])
        #expect(player.snapshot.currentSubtitle == tracks.subtitles[0])
        let reported = recorder.events.count { if case .selectedAudio = $0 { true } else { false } }
        #expect(reported == 2, "sent again although nothing changed")
    }

    @Test(arguments: [(180, PlayerQuality.sd144), (720, .hd)])
    func theQualityIsThatOfTheVideo(height: Int, quality: PlayerQuality) async throws {
        let size = "\(height * 16 / 9)x\(height)"
        let url = try await MediaFixtures.shared.solid(colour: "black", size: size)
        let (shown, shownEvents) = player(.frames(frames))
        shown.load(url, autoPlay: true)
        #expect(await shownEvents.reaches(.complete))
        #expect(shownEvents.events.contains(.quality(quality)))
        let (heard, heardEvents) = player()
        heard.load(url, autoPlay: true)
        #expect(await heardEvents.reaches(.complete))
        #expect(!heardEvents.events.contains { if case .quality = $0 { true } else { false } }, "nothing is shown")
    }

    @Test(arguments: ["mp3", "flac", "m4a"])
    func titlesArtworkAndChaptersAreReported(format: String) async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.tagged(format), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        let metadata = player.snapshot.metadata
        #expect(metadata.title == "A Title")
        #expect(metadata.artist == "An Artist")
        #expect(metadata.album == "An Album")
        if format == "m4a" {
            #expect(metadata.chapters == [Chapter(start: 0, title: "Intro"), Chapter(start: 1, title: "Rest")])
        } else {
            let artwork = try #require(metadata.artworkURL)
            #expect(FileManager.default.fileExists(atPath: artwork.path(percentEncoded: false)))
        }
    }

    @Test func anItemWithoutATitleHasNone() async throws {
        let (player, recorder) = player()
        player.load(try await MediaFixtures.shared.file("mp4"), autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(player.snapshot.metadata.title == nil)
    }
}

/// Finds something white in the newest frame. On a busy machine libVLC leaves frames out, and shows grey in place of those that need them.
private final class BrightnessSink: VideoFrameSink {
    private let isBright = Mutex<Bool?>(nil)

    func receive(_ frame: VideoFrame) {
        let brightest = stride(from: 0, to: frame.height, by: 2).reduce(into: UInt8(0)) { brightest, y in
            for x in stride(from: 0, to: frame.width, by: 2) {
                brightest = max(brightest, frame.pixel(x: x, y: y)?.green ?? 0)
            }
        }
        isBright.withLock { $0 = brightest > 200 }
    }

    func becomes(bright: Bool, within bound: Duration = .longestWait) async -> Bool {
        await eventually(within: bound) { isBright.withLock { $0 == bright } }
    }
}
#endif
