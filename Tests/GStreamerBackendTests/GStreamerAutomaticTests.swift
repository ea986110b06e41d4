#if GStreamer && VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import TestSupport
import Testing

/// The automatic choice between the two real engines.
@MainActor
@Suite struct GStreamerAutomaticTests {
    private let gStreamer = LibGStreamerBackend.descriptor(audioOutput: .none)
    private let libVLC = LibVLCBackend.descriptor(audioOutput: .none)

    /// Plays an item to its end, and returns how often another engine took over.
    private func changes(_ engines: [BackendDescriptor], _ url: URL) async -> Int {
        let player = MediaPlayer(backend: AutomaticBackend(engines: engines))
        let recorder = EventRecorder(player)
        player.load(url, autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.events.map(\.text))")
        return recorder.notices.count { $0.code == "engineChanged" }
    }

    @Test func theFirstEnginePlaysWhatItCan() async throws {
        let clip = try await MediaFixtures.shared.file("mp4")
        #expect(await changes([gStreamer, libVLC], clip) == 0)
        #expect(await changes([libVLC, gStreamer], clip) == 0)
    }

    @Test func theOtherEnginePlaysWhatTheFirstCannot() async throws {
        // The demuxer is in gstreamer1.0-plugins-ugly, which the tests do not install.
        let clip = try await MediaFixtures.shared.file("wmv")
        #expect(await changes([gStreamer, libVLC], clip) == 1)
        #expect(await changes([libVLC, gStreamer], clip) == 0)
    }
}
#endif
