#if Systemd
import DBus
import Foundation
import Synchronization

/// A D-Bus daemon for one test. It starts without clients and activates no services.
package final class PrivateBus: Sendable {
    package let address: String
    /// Lost with the daemon: see `restart()`.
    package let client: DBusConnection
    private let daemon: Mutex<RunningCommand>
    private let directory: URL

    package init() async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "flowplayer-dbus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Self.config(directory.appending(path: "socket").path())
            .write(toFile: directory.appending(path: "config").path(), atomically: true, encoding: .utf8)
        let (daemon, address) = try await Self.start(in: directory)
        self.daemon = Mutex(daemon)
        self.address = address
        client = DBusConnection(address: address)
    }

    /// Gives the daemon and the address at which it listens.
    private static func start(in directory: URL) async throws -> (RunningCommand, String) {
        let config = directory.appending(path: "config").path()
        let file = directory.appending(path: "address-\(UUID().uuidString)").path()
        // The daemon writes its address when it listens.
        let script = "exec dbus-daemon --config-file='\(config)' --nofork --nopidfile --print-address=3 3>'\(file)'"
        let daemon = try await Command("sh", ["-c", script]).start()
        let written = {
            (try? String(contentsOfFile: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
                ?? ""
        }
        let isUp = await eventually { !written().isEmpty }
        guard isUp else { throw FixtureError(description: "dbus-daemon does not start") }
        return (daemon, written())
    }

    deinit {
        end()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Ends it without a word to those who are on it.
    package func end() { daemon.withLock { $0.signal(SIGKILL) } }

    /// Begins another one where this one was. Nobody is on it.
    ///
    /// - Returns: a client of the new one.
    package func restart() async throws -> DBusConnection {
        end()
        let (new, address) = try await Self.start(in: directory)
        daemon.withLock { $0 = new }
        return DBusConnection(address: address)
    }

    /// Waits until somebody has a name.
    package func awaitOwner(of name: String) async throws {
        let question = DBusCall(
            "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            "NameHasOwner", [.string(name)])
        let isThere = await eventually { (try? await client.call(question)) == [.bool(true)] }
        guard isThere else { throw FixtureError(description: "nobody is \(name): is python3-dbusmock installed?") }
    }

    private static func config(_ socket: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
            <allow own="*"/>
          </policy>
          <limit name="max_replies_per_connection">50000</limit>
        </busconfig>
        """
    }
}
#endif
