#if Systemd
import DBus
import FlowplayerTesting
import Foundation
import NowPlaying
import Playback
import Synchronization
import TestSupport

/// A desktop with one program on it that plays, and with what controls it.
@MainActor final class Desk {
    let bus: PrivateBus
    let center: NowPlayingCenter
    private let told = Mutex<[String]>([])

    nonisolated static let name = "TestPlayer"
    nonisolated static let busName = "org.mpris.MediaPlayer2.TestPlayer"
    nonisolated static let path = "/org/mpris/MediaPlayer2"
    nonisolated static let root = "org.mpris.MediaPlayer2"
    nonisolated static let player = "org.mpris.MediaPlayer2.Player"
    nonisolated static let trackList = "org.mpris.MediaPlayer2.TrackList"

    init() async throws {
        bus = try await PrivateBus()
        let (problems, problem) = AsyncStream<String>.makeStream()
        center = Self.center(on: bus) { problem.yield($0) }
        Task { [weak self] in
            for await text in problems { self?.told.withLock { $0.append(text) } }
        }
    }

    /// Another program of the same name.
    static func center(on bus: PrivateBus, problem: (@Sendable (String) -> Void)? = nil) -> NowPlayingCenter {
        NowPlayingCenter(
            identity: NowPlayingIdentity(
                name: name, displayName: "Test player", desktopEntry: "test-player", uriSchemes: ["https"]),
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address], problem: problem)
    }

    /// The problems that the program reported.
    var problems: [String] { told.withLock(\.self) }

    /// Waits until the program is on the bus.
    func isJoined() async -> Bool { await eventually { center.busName != nil } }

    /// A player with a simulated item, attached and on the bus.
    func player(
        _ media: SimulatedMedia = .clip, clock: any PlaybackClock = ContinuousClock(),
        queueing items: [PlayerItem] = []
    ) async throws -> (MediaPlayer, PlainQueue) {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        let queue = PlainQueue(items, for: player)
        center.attach(player, queue: items.isEmpty ? nil : queue)
        guard await isJoined() else { throw FixtureError(description: "the program does not get its name") }
        return (player, queue)
    }

    /// One that plays already.
    func playing(_ media: SimulatedMedia = .clip) async throws -> MediaPlayer {
        let (player, _) = try await player(media)
        player.load(.clip, autoPlay: true)
        guard await player.reaches(.play) else { throw FixtureError(description: "the player does not play") }
        return player
    }

    // MARK: Controls

    /// Runs playerctl, and returns its output.
    @discardableResult
    func playerctl(_ arguments: String..., of name: String = name) async throws -> String {
        try await run("playerctl", ["-p", name] + arguments)
    }

    /// Runs a program, and returns its output without the last newline, or its status and errors.
    func run(_ program: String, _ arguments: [String]) async throws -> String {
        let result = try await start(program, arguments).result
        let text = result.status == 0 ? result.output : "\(result.status): \(result.errors)"
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func start(_ program: String, _ arguments: [String]) async throws -> RunningCommand {
        var command = Command(program, arguments)
        command.environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"]
        return try await command.start()
    }

    @discardableResult
    func call(
        _ member: String, _ arguments: [DBusValue] = [], of interface: String = player,
        over client: DBusConnection? = nil
    ) async throws(DBusError) -> [DBusValue] {
        try await (client ?? bus.client).call(
            DBusCall(Self.busName, path: Self.path, interface: interface, member, arguments))
    }

    func get(_ property: String, of interface: String = player, over client: DBusConnection? = nil)
        async throws(DBusError) -> DBusValue?
    {
        try await call(
            "Get", [.string(interface), .string(property)], of: "org.freedesktop.DBus.Properties", over: client
        ).first?.content
    }

    func set(_ property: String, _ value: DBusValue, of interface: String = player) async throws(DBusError) {
        try await call(
            "Set", [.string(interface), .string(property), .variant(value)], of: "org.freedesktop.DBus.Properties")
    }

    /// The name of the error that a call gives; `nil` if it gives none.
    func refusal(of body: () async throws(DBusError) -> Void) async -> String? {
        do throws(DBusError) {
            try await body()
            return nil
        } catch {
            return error.name.replacing("org.freedesktop.DBus.Error.", with: "")
        }
    }
}

extension SimulatedMedia {
    /// A minute with a title.
    static let clip = SimulatedMedia(
        duration: 60, metadata: MediaMetadata(title: "Aria", artist: "Nobody", album: "Works"))
}

extension URL {
    static let clip = URL(filePath: "/media/clip.mp4")
}
#endif
