#if Systemd
import EventLog
import FlowplayerSDK
import Foundation
import Playback
import TestSupport
import Testing

/// The host on its own bus, controlled by `playerctl`.
@Suite struct FlowplayRemoteTests {
    private struct Remote {
        let bus: PrivateBus

        func callAsFunction(_ arguments: String..., of name: String = "flowplay") async throws -> String {
            var command = Command("playerctl", ["-p", name] + arguments)
            command.environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
            let result = try await command.run()
            return (result.output + result.errors).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        func host(_ arguments: [String]) async throws -> RunningCommand {
            var command = FlowplayCommand.command(arguments)
            command.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
            return try await command.start()
        }
    }

    #if VLC
    static let backends = ["simulated", "vlc"]
    #else
    static let backends = ["simulated"]
    #endif

    @Test(arguments: backends)
    func playerctlControlsTheHost(backend: String) async throws {
        let remote = Remote(bus: try await PrivateBus())
        let file = try await MediaFixtures.shared.long(seconds: 120).path()
        let host = try await remote.host(["--json", "--engine", backend, file, file, file])
        defer { host.signal(SIGTERM) }
        #expect(try await eventually { try await remote("status") == "Playing" })
        #expect(try await remote("metadata", "xesam:url").hasSuffix(".mp4"))
        _ = try await remote("pause")
        #expect(try await eventually { try await remote("status") == "Paused" })
        _ = try await remote("position", "5")
        #expect(try await eventually { try await remote("position").hasPrefix("5.") })
        let first = try await remote("metadata", "mpris:trackid")
        _ = try await remote("next")
        #expect(try await eventually { try await remote("metadata", "mpris:trackid") != first })
        _ = try await remote("play")
        #expect(try await eventually { try await remote("status") == "Playing" })
        _ = try await remote("volume", "0.5")
        #expect(try await eventually { try await remote("volume").hasPrefix("0.5") })
        _ = try await remote("loop", "Playlist")
        #expect(try await eventually { try await remote("loop") == "Playlist" })
        _ = try await remote("shuffle", "On")
        #expect(try await eventually { try await remote("shuffle") == "On" })
        _ = try await remote("previous")
        _ = try await remote("stop")
        #expect(try await eventually { try await remote("status") == "Stopped" })
        host.signal(SIGTERM)
        let events = try EventLogReader.entries(in: try await host.result.output).map(\.event)
        #expect(events.contains { $0.name == "item" && $0.index == 1 && $0.reason == "skipped" })
        #expect(events.contains(LoggedEvent(.volume(0.5))))
    }

    @Test func twoHostsAreBothThereAndOneIsNot() async throws {
        let remote = Remote(bus: try await PrivateBus())
        let file = try await MediaFixtures.shared.long(seconds: 120).path()
        var hosts: [RunningCommand] = []
        defer { for host in hosts { host.signal(SIGTERM) } }
        // They play until the test has looked.
        let endless = ["--quiet", "--engine", "simulated", "--repeat", "one", file]
        hosts.append(try await remote.host(["--no-mpris"] + endless))
        for _ in 1...2 { hosts.append(try await remote.host(endless)) }
        let second = "flowplay.instance"
        #expect(
            try await eventually {
                let names = try await remote("-l", of: "%any").split(separator: "\n")
                return names.count == 2 && names.contains("flowplay") && names.contains { $0.hasPrefix(second) }
            })
    }
}
#endif
