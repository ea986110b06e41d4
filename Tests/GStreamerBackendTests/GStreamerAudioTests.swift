#if GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import TestSupport
import Testing

/// The audio that GStreamer plays. The tests run one after another, because all of them use the server in the environment.
@MainActor
@Suite(.serialized) struct GStreamerAudioTests {
    private static let tones = [440.0, 880]

    private func samples(_ body: @MainActor (MediaPlayer, EventRecorder) async throws -> Void) async throws -> [Float] {
        let server = try await TestAudioServer()
        let devices = await TestDevices.acquire(audio: server.address)
        defer { devices.release() }
        return try await server.recording {
            let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .pulse))
            try await body(player, EventRecorder(player))
        }
    }

    @Test(arguments: ["flac", "mp3", "mp4"])
    func audioIsHeard(format: String) async throws {
        let url = try await MediaFixtures.shared.file(format, frequency: Self.tones[0])
        let samples = try await samples { player, recorder in
            player.load(url, autoPlay: true)
            #expect(await recorder.reaches(.complete))
            #expect(recorder.errors.isEmpty)
        }
        #expect(ToneDetector.order(of: Self.tones, in: samples) == [Self.tones[0]])
    }

    /// The playlist names the languages. The segments do not.
    @Test(arguments: ["en", "de", nil]) func aLanguageOfAStreamIsHeard(language: String?) async throws {
        let master = try await MediaFixtures.shared.languages()
        let server = try await LoopbackServer(files: master.deletingLastPathComponent())
        let samples = try await samples { player, recorder in
            player.preferredAudioLanguages = [language].compactMap(\.self)
            player.load(PlayerItem(unlimited: server.base.appending(path: "master.m3u8")), autoPlay: true)
            #expect(await recorder.reaches(.complete), "\(recorder.errors)")
            let tracks = player.snapshot.tracks?.audio ?? []
            #expect(tracks.map(\.lang) == ["de", "en"])
            #expect(tracks.map(\.name) == ["Deutsch", "English"])
        }
        let tone = Self.tones[language == "de" ? 1 : 0]
        #expect(ToneDetector.order(of: Self.tones, in: samples) == [tone])
    }

    @Test func aMutedItemIsNotHeard() async throws {
        let urls = try await [
            MediaFixtures.shared.file("flac", frequency: Self.tones[0]),
            MediaFixtures.shared.file("flac", frequency: Self.tones[1]),
        ]
        let samples = try await samples { player, recorder in
            player.isMuted = true
            player.load(urls[0], autoPlay: true)
            #expect(await recorder.reaches(.complete))
            let audible = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .pulse))
            let audibleRecorder = EventRecorder(audible)
            audible.load(urls[1], autoPlay: true)
            #expect(await audibleRecorder.reaches(.complete))
        }
        #expect(ToneDetector.order(of: Self.tones, in: samples) == [Self.tones[1]])
    }

    @Test func playbackContinuesWithoutTheAudioServer() async throws {
        let url = try await MediaFixtures.shared.long(seconds: 120)
        var server: TestAudioServer? = try await TestAudioServer()
        let devices = await TestDevices.acquire(audio: try #require(server?.address))
        defer { devices.release() }
        let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .pulse))
        let recorder = EventRecorder(player)
        player.load(url, autoPlay: true)
        #expect(await eventually { player.position.seconds > 1 })
        server = nil
        #expect(await eventually { recorder.notices.contains { $0.code == "audioServerGone" } }, "\(recorder.notices)")
        player.startSeek(to: 119)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.errors.isEmpty)
    }
}
#endif
