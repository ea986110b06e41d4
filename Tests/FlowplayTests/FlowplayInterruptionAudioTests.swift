#if VLC && Systemd
import EventLog
import FlowplayerSDK
import Foundation
import Playback
import TestSupport
import Testing

/// The host on an audio server that lets music give way to calls.
@Suite(.serialized) @MainActor struct FlowplayInterruptionAudioTests {
    /// The frequency of the call, in hertz.
    private static let call = 1000.0

    private struct Stage {
        let server: TestAudioServer
        let bus: PrivateBus
        let log = MediaFixtures.shared.directory.appending(path: "\(UUID().uuidString).jsonl")

        init() async throws {
            server = try await TestAudioServer(modules: [TestAudioServer.givingWay])
            bus = try await PrivateBus()
        }

        func host(_ arguments: [String]) async throws -> RunningCommand {
            let file = try await MediaFixtures.shared.long(seconds: 120).path()
            var command = FlowplayCommand.command(["--log", log.path()] + arguments + [file])
            command.environment["PULSE_SERVER"] = server.address
            command.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
            let host = try await command.start()
            _ = await eventually { events.contains { $0.event.name == "position" && $0.event.position! >= 1 } }
            return host
        }

        var events: [EventLogEntry] {
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            // The last line may be half written.
            let whole = text.lastIndex(of: "\n").map { text[...$0] } ?? ""
            return (try? EventLogReader.entries(in: String(whole))) ?? []
        }

        var lastPosition: Double {
            events.last { $0.event.name == "position" }?.event.position ?? 0
        }

        func interruptions() -> [PlaybackInterruption] {
            events.filter { $0.event.name == "interruption" }
                .compactMap { $0.event.state.flatMap(PlaybackInterruption.init) }
        }

        func playerctl(_ arguments: String...) async throws -> String {
            var command = Command("playerctl", ["-p", "flowplay"] + arguments)
            command.environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
            return try await command.run().output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// Ends the host, and checks its log.
        func end(_ host: RunningCommand) async throws -> Command.Result {
            host.signal(SIGTERM)
            let result = try await host.result
            let breaches = try EventLogLinter.breaches(in: Data(contentsOf: log))
            #expect(breaches.isEmpty, "\(breaches.map(\.breach))")
            return result
        }
    }

    @Test func aCallInterruptsAndHandsBack() async throws {
        let stage = try await Stage()
        var errors = ""
        let samples = try await stage.server.recording {
            let host = try await stage.host(["--role", "music"])
            let phone = try await stage.server.tone(Self.call, seconds: 2, role: "phone")
            _ = try await phone.result
            #expect(await eventually { stage.interruptions() == [.began, .ended] })
            #expect(try await stage.playerctl("status") == "Playing")
            // The interruption has ended only when playback continues.
            let place = stage.lastPosition
            #expect(await eventually { stage.lastPosition >= place + 0.5 })
            errors = try await stage.end(host).errors
        }
        let lines = errors.split(separator: "\n")
        #expect(lines.contains("flowplay: interrupted by other audio: paused"), "\(errors)")
        #expect(lines.contains("flowplay: interruption ended: resumed"), "\(errors)")
        let heard = ToneDetector.seconds(from: Self.call, to: MediaFixtures.frequency, in: samples)
        #expect(heard != nil, "the call or what comes after it cannot be heard")
        let events = stage.events
        let ended = try #require(events.firstIndex { $0.event == LoggedEvent(.interruption(.ended)) })
        let began = try #require(events.firstIndex { $0.event == LoggedEvent(.interruption(.began)) })
        let positions = events[began...ended].filter { $0.event.name == "position" }.compactMap(\.event.position)
        // The engine may report once more where it paused. Playback would move on by the two seconds of the call.
        #expect((positions.max() ?? 0) - (positions.min() ?? 0) < 1, "\(positions)")
    }

    @Test func whatTheUserPausesDuringACallStaysPaused() async throws {
        let stage = try await Stage()
        let host = try await stage.host([])
        let phone = try await stage.server.tone(Self.call, seconds: 120, role: "phone")
        #expect(await eventually { stage.interruptions() == [.began] })
        #expect(try await stage.playerctl("status") == "Paused")
        _ = try await stage.playerctl("pause")
        phone.signal(SIGTERM)
        #expect(await eventually { stage.interruptions() == [.began, .ended] })
        #expect(try await stage.playerctl("status") == "Paused")
        let errors = try await stage.end(host).errors
        #expect(errors.contains("flowplay: interruption ended: stays paused"), "\(errors)")
    }

    @Test func playPauseDuringACallPlaysAllTheSame() async throws {
        let stage = try await Stage()
        let host = try await stage.host([])
        let phone = try await stage.server.tone(Self.call, seconds: 120, role: "phone")
        defer { phone.signal(SIGTERM) }
        #expect(await eventually { stage.interruptions() == [.began] })
        _ = try await stage.playerctl("play-pause")
        #expect(try await eventually { try await stage.playerctl("status") == "Playing" })
        #expect(stage.interruptions() == [.began, .ended])
        _ = try await stage.end(host)
    }
}
#endif
