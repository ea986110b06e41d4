#if VLC
import EventLog
import Foundation
import TestSupport
import Testing

/// The audio while the view is hidden and shown.
@Suite(.serialized) @MainActor struct FlowplayBackgroundAudioTests {
    @Test(arguments: ["file", "stream with separate audio"])
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
        let rounds = 5
        let script = "1s hidden" + Array(repeating: "; 0.5s foreground; 0.5s hidden", count: rounds - 1).joined()
        var command = FlowplayCommand.command([
            "--json", "--background", "audio", "--stop-after", "7", "--lifecycle", script + "; 0.5s foreground",
            address,
        ])
        command.environment = ["PULSE_SERVER": server.address, "DISPLAY": screen.display]
        var events = ""
        let streams = try await server.countStreams()
        let samples = try await server.recording { [command] in
            let result = try await command.run()
            events = result.output
            #expect(result.status == 0)
            let messages = result.errors.split(separator: "\n").filter { $0.contains("ground") }
            #expect(messages.count { $0.hasSuffix("audio continues without video") } == rounds, "\(result.errors)")
            #expect(messages.count { $0.hasSuffix("video restored") } == rounds, "\(result.errors)")
        }
        // A gap would be a new stream in each round. A busy machine causes gaps too, so Benchmarks/background measures them.
        let opened = try await server.countStreams() - streams
        #expect(opened < rounds, "\(opened) streams")
        let recording = AudioRecording(samples)
        let positions = events.matches(of: /"position":([0-9.]+)/).compactMap { Double($0.1) }
        let position = try #require(positions.max())
        #expect(abs(recording.duration - position) <= 1, "\(recording.duration) s of \(position) s")
        #expect(abs(recording.duration - ToneDetector.seconds(of: MediaFixtures.frequency, in: samples)) <= 0.5)
    }
}
#endif
