#if VLC
import FlowplayerSDK
import FlowplayerTesting
import FlowplayerThumbnails
import Foundation
import Playback
import TestSupport
import Testing

/// The audio of playback while frames of other positions are read.
@MainActor
@Suite struct ThumbnailsAudioTests {
    @Test func theyOpenNoAudio() async throws {
        let server = try await TestAudioServer()
        let devices = await TestDevices.acquire(audio: server.address)
        defer { devices.release() }
        let item = PlayerItem(url: try await MediaFixtures.shared.long(seconds: 120))
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .pulse))
        let recorder = EventRecorder(player)
        player.videoOutput = .none
        player.load(item, autoPlay: true)
        try #require(await recorder.event { if case .position(let position) = $0 { position >= 1 } else { false } })
        let before = try await server.countStreams()
        let thumbnails = Thumbnails(of: item)
        for position in [90.0, 60, 30] { _ = try await thumbnails[at: position] }
        _ = try await player.screenshot()
        // Counting needs a stream itself.
        #expect(try await server.countStreams() == before + 1)
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play])
    }
}
#endif
