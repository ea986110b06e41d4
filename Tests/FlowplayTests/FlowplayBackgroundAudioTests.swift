#if VLC
import EventLog
import Foundation
import TestSupport
import Testing

/// What is heard while the picture comes and goes.
@Suite(.serialized) @MainActor struct FlowplayBackgroundAudioTests {
    @Test(arguments: ["file", "stream with separate sound"])
    func theSoundNeverStops(medium: String) async throws {
        let (server, screen) = try await (TestAudioServer(), VirtualScreen())
        let stream = try await MediaFixtures.shared.separate(seconds: 12)
        let http = try await LoopbackServer(files: stream.deletingLastPathComponent())
        let address =
            if medium == "file" {
                try await MediaFixtures.shared.long(seconds: 12).path()
            } else {
                http.base.appending(path: stream.lastPathComponent).absoluteString
            }
        var command = FlowplayCommand.command([
            "--json", "--background", "audio", "--stop-after", "6",
            "--lifecycle", "2s hidden; 1s foreground; 1s hidden; 0.2s foreground", address,
        ])
        command.environment = ["PULSE_SERVER": server.address, "DISPLAY": screen.display]
        let samples = try await AudioRecording.cleanest {
            try await server.recording { [command] in
                let result = try await command.run()
                #expect(result.status == 0)
                let told = result.errors.split(separator: "\n").filter { $0.contains("ground") }
                #expect(told.count { $0.hasSuffix("audio continues without video") } == 2, "\(result.errors)")
                #expect(told.count { $0.hasSuffix("video restored") } == 2, "\(result.errors)")
            }
        }
        let silence = ToneDetector.longestSilence(in: samples)
        #expect(silence <= AudioRecording.longestSilence, "\(silence) s")
        #expect(ToneDetector.seconds(of: MediaFixtures.frequency, in: samples) >= 5.5)
        #expect(ToneDetector.longestGap(of: MediaFixtures.frequency, in: samples) == 0)
    }
}
#endif
