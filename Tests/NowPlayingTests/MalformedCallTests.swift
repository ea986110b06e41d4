#if Systemd
import DBus
import FlowplayerTesting
import Foundation
import NowPlaying
import Playback
import Synchronization
import TestSupport
import Testing

/// Calls that are wrong, late or hostile.
@MainActor
@Suite struct MalformedCallTests {
    @Test func wrongTypesAreRefused() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        for (member, arguments) in [
            ("Seek", [DBusValue.string("1")]), ("Seek", [.uint32(1)]), ("Seek", []), ("Play", [.bool(true)]),
            ("SetPosition", [.string("/a"), .int64(0)]), ("SetPosition", [.int64(0), .objectPath("/a")]),
            ("OpenUri", [.variant(.string("https://example.org"))]),
        ] {
            #expect(
                await desk.refusal { () throws(DBusError) in try await desk.call(member, arguments) }
                    == "InvalidArgs", "\(member)")
        }
        for (property, value) in [
            ("Volume", DBusValue.string("loud")), ("Volume", .uint32(1)), ("Volume", .double(.nan)),
            ("Rate", .bool(true)), ("Rate", .double(100)), ("Rate", .double(-1)), ("Shuffle", .string("On")),
            ("LoopStatus", .string("Forever")), ("LoopStatus", .bool(true)),
        ] {
            #expect(
                await desk.refusal { () throws(DBusError) in try await desk.set(property, value) } == "InvalidArgs",
                "\(property)")
        }
        #expect(player.snapshot.state == .play)
        #expect(player.volume == 1)
        #expect(player.rate == 1)
    }

    @Test func whatIsNotThereIsRefusedByItsName() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let properties = "org.freedesktop.DBus.Properties"
        #expect(await desk.refusal { () throws(DBusError) in try await desk.call("Fly") } == "UnknownMethod")
        #expect(
            await desk.refusal { () throws(DBusError) in try await desk.call("Play", of: "org.example") }
                == "UnknownInterface")
        #expect(
            await desk.refusal { () throws(DBusError) in _ = try await desk.get("Altitude") } == "UnknownProperty")
        #expect(
            await desk.refusal { () throws(DBusError) in _ = try await desk.get("Volume", of: "org.example") }
                == "UnknownInterface")
        #expect(
            await desk.refusal { () throws(DBusError) in try await desk.set("Position", .int64(0)) }
                == "PropertyReadOnly")
        #expect(
            await desk.refusal { () throws(DBusError) in try await desk.set("Altitude", .int64(0)) }
                == "UnknownProperty")
        #expect(
            await desk.refusal { () throws(DBusError) in try await desk.call("Get", [], of: properties) }
                == "InvalidArgs")
        #expect(
            await desk.refusal { () throws(DBusError) in
                try await desk.call("GetAll", [.string("org.example")], of: properties)
            } == "UnknownInterface")
        #expect(player.snapshot.state == .play)
    }

    @Test func whatNobodyCanDoIsNotSupported() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        #expect(
            await desk.refusal { () throws(DBusError) in try await desk.set("LoopStatus", .string("Track")) }
                == "NotSupported")
        #expect(
            await desk.refusal { () throws(DBusError) in try await desk.set("Shuffle", .bool(true)) }
                == "NotSupported")
        #expect(
            await desk.refusal { () throws(DBusError) in
                try await desk.set("Fullscreen", .bool(true), of: Desk.root)
            } == "NotSupported")
        #expect(
            await desk.refusal { () throws(DBusError) in
                try await desk.call("OpenUri", [.string("https://example.org")])
            } == "NotSupported")
        #expect(
            await desk.refusal { () throws(DBusError) in try await desk.call("OpenUri", [.string("")]) }
                == "InvalidArgs")
        #expect(
            await desk.refusal { () throws(DBusError) in try await desk.call("Next") } == nil, "it has no effect")
        desk.center.remoteCommandCenter.pauseCommand.isEnabled = false
        desk.center.remoteCommandCenter.stopCommand.isEnabled = false
        #expect(await desk.refusal { () throws(DBusError) in try await desk.call("Stop") } == "NotSupported")
        #expect(await desk.refusal { () throws(DBusError) in try await desk.call("PlayPause") } == "NotSupported")
        #expect(player.snapshot.state == .play)
    }

    @Test func aForeignTrackIsNotSought() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        player.pause()
        let track = try #require(try await desk.get("Metadata")?["mpris:trackid"])
        for (id, position) in [
            (DBusValue.objectPath("/org/example/1"), 1_000_000 as Int64),
            (.objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack"), 1_000_000),
            (track, 60_000_001), (track, .max), (track, -1), (track, .min),
        ] {
            try await desk.call("SetPosition", [id, .int64(position)])
        }
        #expect(player.snapshot.seek.number == 0)
        try await desk.call("SetPosition", [track, .int64(60_000_000)])
        #expect(player.snapshot.seek.number == 1)
    }

    @Test func beyondTheEndIsTheNextTrack() async throws {
        let desk = try await Desk()
        let (player, queue) = try await desk.player(queueing: [PlayerItem(url: .clip), PlayerItem(url: .clip)])
        queue.jump(toItemAt: 0)
        #expect(await player.reaches(.play))
        try await desk.call("Seek", [.int64(61_000_000)])
        #expect(queue.nowPlayingIndex == 1)
        #expect(await player.reaches(.play))
        try await desk.call("Seek", [.int64(.max)])
        #expect(queue.nowPlayingIndex == 1, "there is none")
        player.pause()
        try await desk.call("Seek", [.int64(.min)])
        #expect(await eventually { player.snapshot.seek.state == .seeked })
        #expect(player.position == .zero)
    }

    @Test func lessThanNoVolumeIsNone() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        try await desk.set("Volume", .double(-3))
        #expect(player.volume == 0)
        try await desk.set("Volume", .double(7))
        #expect(player.volume == 1)
    }

    @Test func noRateIsAPause() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        try await desk.set("Rate", .double(2))
        #expect(player.rate == 2)
        try await desk.set("Rate", .double(0))
        #expect(player.snapshot.state == .pause)
        #expect(try await desk.get("Rate") == .double(2))
        try await desk.set("Rate", .double(3))
        #expect(player.snapshot.state == .pause, "a rate does not play")
        #expect(try await desk.get("Rate") == .double(3))
        try await desk.call("Play")
        #expect(player.rate == 3)
        #expect(try await desk.get("MinimumRate") == .double(0.25))
        #expect(try await desk.get("MaximumRate") == .double(4))
    }

    @Test func tracksThatAreNotInTheQueueAreNoTracks() async throws {
        let desk = try await Desk()
        let items = (1...3).map { PlayerItem(url: .clip, metadata: MediaMetadata(title: "Part \($0)")) }
        let (player, queue) = try await desk.player(queueing: items)
        queue.jump(toItemAt: 0)
        #expect(await player.reaches(.play))
        let tracks = try #require(try await desk.get("Tracks", of: Desk.trackList)).elements
        #expect(tracks.count == 3)
        let foreign = DBusValue.objectPath("/org/example/1")
        let metadata = try await desk.call(
            "GetTracksMetadata", [.array(of: "o", [tracks[2], foreign, tracks[0]])], of: Desk.trackList)
        #expect(metadata[0].elements.map { $0["xesam:title"] } == [.string("Part 3"), .string("Part 1")])
        try await desk.call("GoTo", [foreign], of: Desk.trackList)
        #expect(queue.nowPlayingIndex == 0)
        try await desk.call("GoTo", [tracks[2]], of: Desk.trackList)
        #expect(queue.nowPlayingIndex == 2)
        try await desk.call("RemoveTrack", [tracks[0]], of: Desk.trackList)
        try await desk.call(
            "AddTrack", [.string("https://example.org"), tracks[0], .bool(true)], of: Desk.trackList)
        #expect(queue.nowPlayingItems.count == 3)
    }

    @Test func tenThousandCallsInASecondDoNoHarm() async throws {
        let desk = try await Desk()
        let player = try await desk.playing()
        let answers = Mutex<[String: Int]>([:])
        let caller = DBusConnection(address: desk.bus.address)
        let calls: [DBusCall] = [("Play", []), ("Seek", [.string("")]), ("Fly", []), ("Seek", [.int64(1)])].map {
            DBusCall(Desk.busName, path: Desk.path, interface: Desk.player, $0, $1)
        }
        // In waves, because the library ends a call that has no answer after 25 s.
        for wave in 1...20 {
            for number in 0..<500 {
                caller.call(calls[number % 4]) { result in
                    let outcome =
                        switch result {
                        case .success: "success"
                        case .failure(let error): error.name
                        }
                    answers.withLock { $0[outcome, default: 0] += 1 }
                }
            }
            #expect(await eventually { answers.withLock { $0.values.reduce(0, +) } == wave * 500 })
        }
        #expect(
            answers.withLock(\.self) == [
                "success": 5000, "org.freedesktop.DBus.Error.InvalidArgs": 2500,
                "org.freedesktop.DBus.Error.UnknownMethod": 2500,
            ])
        #expect(await eventually { player.snapshot.seek.state == .seeked })
        let position = player.position
        #expect(await eventually { player.position > position })
        #expect(player.snapshot.state == .play)
        #expect(try await desk.playerctl("status") == "Playing")
    }
}
#endif
