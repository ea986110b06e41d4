#if VLC || GStreamer
import Foundation
import TestSupport

/// A radio station on the loopback interface: Icecast, and ffmpeg as its source.
@MainActor
final class RadioServer {
    let url: URL
    private let folder: URL
    private let server: RunningCommand
    private var source: RunningCommand?

    init() async throws {
        let port = try FreePort.next()
        url = URL(string: "http://127.0.0.1:\(port)/station.mp3")!
        folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-radio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Icecast refuses to run as root. As another user, it writes its logs here.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path())
        let configuration = folder.appending(path: "icecast.xml")
        try Data(Self.configuration(port: port, folder: folder).utf8).write(to: configuration)
        server = try await Command("icecast2", ["-c", configuration.path()]).start()
    }

    isolated deinit {
        for program in [source, server] { program?.signal(SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// A station that can be heard.
    static func onAir() async throws -> RadioServer {
        let station = try await RadioServer()
        guard try await eventually({ try await station.status() != nil }) else {
            throw FixtureError(description: "Icecast has not started: \(try station.server.errorsSoFar)")
        }
        try await station.startSource()
        return station
    }

    /// Starts to send, and waits until listeners are accepted.
    func startSource() async throws {
        let input = ["-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i", "sine=440", "-b:a", "128k"]
        let address = "icecast://source:secret@127.0.0.1:\(url.port!)\(url.path())"
        source = try await Command("ffmpeg", input + ["-content_type", "audio/mpeg", "-f", "mp3", address]).start()
        guard try await eventually({ try await listeners() != nil }) else {
            throw FixtureError(description: "the source does not send: \(try source!.errorsSoFar)")
        }
    }

    /// Kills the source. Icecast ends the connections of the listeners, and answers with 404.
    func stopSource() async throws {
        source?.signal(SIGKILL)
        _ = try await source?.result
    }

    /// The number of connected players; `nil` if there is no source.
    func listeners() async throws -> Int? { try await status()?.source?.listeners }

    private struct Status: Decodable {
        struct Source: Decodable { let listeners: Int }
        let source: Source?
    }

    private func status() async throws -> Status? {
        let address = "http://127.0.0.1:\(url.port!)/status-json.xsl"
        let answer = try await Command("curl", ["--silent", address]).run().output
        return try? JSONDecoder().decode([String: Status].self, from: Data(answer.utf8))["icestats"]
    }

    private static func configuration(port: UInt16, folder: URL) -> String {
        """
        <icecast>
        <authentication><source-password>secret</source-password></authentication>
        <listen-socket><bind-address>127.0.0.1</bind-address><port>\(port)</port></listen-socket>
        <paths>
        <basedir>\(folder.path())</basedir><logdir>\(folder.path())</logdir>
        <webroot>/usr/share/icecast2/web</webroot><adminroot>/usr/share/icecast2/admin</adminroot>
        </paths>
        <logging><errorlog>-</errorlog></logging>
        <security><changeowner><user>nobody</user><group>nogroup</group></changeowner></security>
        </icecast>
        """
    }
}
#endif
