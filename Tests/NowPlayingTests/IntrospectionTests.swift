#if Systemd
import DBus
import FlowplayerTesting
import Foundation
import NowPlaying
import Playback
import TestSupport
import Testing

/// The interface is complete, and its properties have the declared types.
@MainActor
@Suite struct IntrospectionTests {
    private static let members: [String: [String]] = [
        Desk.root: [
            "Raise", "Quit", "CanQuit", "Fullscreen", "CanSetFullscreen", "CanRaise", "HasTrackList", "Identity",
            "DesktopEntry", "SupportedUriSchemes", "SupportedMimeTypes",
        ],
        Desk.player: [
            "Next", "Previous", "Pause", "PlayPause", "Stop", "Play", "Seek", "SetPosition", "OpenUri", "Seeked",
            "PlaybackStatus", "LoopStatus", "Rate", "Shuffle", "Metadata", "Volume", "Position", "MinimumRate",
            "MaximumRate", "CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek", "CanControl",
        ],
        Desk.trackList: [
            "GetTracksMetadata", "AddTrack", "RemoveTrack", "GoTo", "TrackListReplaced", "TrackAdded",
            "TrackRemoved", "TrackMetadataChanged", "Tracks", "CanEditTracks",
        ],
        "org.freedesktop.DBus.Properties": ["Get", "GetAll", "Set", "PropertiesChanged"],
        "org.freedesktop.DBus.Introspectable": ["Introspect"],
        "org.freedesktop.DBus.Peer": ["Ping", "GetMachineId"],
    ]

    @Test func gdbusSeesTheWholeInterface() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let text = try await desk.run(
            "gdbus", ["introspect", "--session", "--dest", Desk.busName, "--object-path", Desk.path])
        for (interface, members) in Self.members {
            let part = try #require(text.components(separatedBy: "interface \(interface) {").dropFirst().first)
            let body = part.components(separatedBy: "\n  };")[0]
            let missing = members.filter {
                !body.contains(" \($0);") && !body.contains(" \($0) = ")
                    && !body.contains("\($0)(")
            }
            #expect(missing == [], "\(interface)")
        }
        #expect(player.snapshot.state == .play)
    }

    @Test func busctlSeesTheWholeInterface() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let text = try await desk.run(
            "busctl", ["--address", desk.bus.address, "introspect", Desk.busName, Desk.path])
        for (interface, members) in Self.members {
            #expect(text.contains("\(interface) "), "\(interface)")
            for member in members { #expect(text.contains("\n.\(member) "), "\(interface).\(member)") }
        }
        let tree = try await desk.run("busctl", ["--address", desk.bus.address, "tree", Desk.busName])
        #expect(tree.contains(Desk.path))
        #expect(player.snapshot.state == .play)
    }

    @Test func everyPropertyHasTheTypeThatItDeclares() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let xml = try #require(
            try await desk.call("Introspect", of: "org.freedesktop.DBus.Introspectable").first?.string)
        let declared = xml.matches(of: /<property name="(\w+)" type="([^"]+)"/)
        #expect(declared.count == 26)
        var values: [String: DBusValue] = [:]
        for interface in [Desk.root, Desk.player, Desk.trackList] {
            let all = try await desk.call("GetAll", [.string(interface)], of: "org.freedesktop.DBus.Properties")
            for case .entry(let name, let value) in all[0].elements { values[name.string ?? ""] = value.content }
        }
        for property in declared {
            #expect(values[String(property.1)]?.signature == String(property.2), "\(property.1)")
        }
        #expect(values.count == declared.count)
        #expect(player.snapshot.state == .play)
    }

    @Test func aPropertyWithoutASignalIsAnnotated() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let xml = try #require(
            try await desk.call("Introspect", of: "org.freedesktop.DBus.Introspectable").first?.string)
        let silent = xml.matches(of: /<property name="(\w+)"[^>]*>\s*<annotation name="[\w.]+" value="(\w+)"/)
            .filter { $0.2 != "true" }.map { "\($0.1) \($0.2)" }
        #expect(silent.sorted() == ["CanControl false", "Position false", "Tracks invalidates"])
        #expect(player.snapshot.state == .play)
    }

    @Test func theProgramSaysWhatItIs() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        #expect(try await desk.get("Identity", of: Desk.root) == .string("Test player"))
        #expect(try await desk.get("DesktopEntry", of: Desk.root) == .string("test-player"))
        #expect(try await desk.get("CanRaise", of: Desk.root) == .bool(false))
        var raised = 0
        desk.center.raiseHandler = { raised += 1 }
        #expect(try await desk.get("CanRaise", of: Desk.root) == .bool(true))
        try await desk.call("Raise", of: Desk.root)
        #expect(raised == 1)
        #expect(player.snapshot.state == .play)
    }
}
#endif
