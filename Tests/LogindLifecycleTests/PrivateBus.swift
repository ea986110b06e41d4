#if Systemd
    import DBus
    import Foundation
    import TestSupport

    /// A bus of its own, with nobody on it at first and nothing that it would start.
    final class PrivateBus: Sendable {
        let address: String
        let client: DBusConnection
        private let daemon: RunningCommand
        private let directory: URL

        init() async throws {
            directory = FileManager.default.temporaryDirectory.appending(path: "flowplayer-dbus-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let config = directory.appending(path: "config").path()
            let file = directory.appending(path: "address").path()
            try Self.config(directory.appending(path: "socket").path())
                .write(toFile: config, atomically: true, encoding: .utf8)
            // The daemon writes its address when it listens.
            let script = "exec dbus-daemon --config-file='\(config)' --nofork --nopidfile --print-address=3 3>'\(file)'"
            daemon = try await Command("sh", ["-c", script]).start()
            let written = {
                (try? String(contentsOfFile: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
                    ?? ""
            }
            let isUp = await eventually { !written().isEmpty }
            address = written()
            client = DBusConnection(address: address)
            guard isUp else { throw FixtureError(description: "dbus-daemon does not start") }
        }

        deinit {
            end()
            try? FileManager.default.removeItem(at: directory)
        }

        /// Ends it without a word to those who are on it.
        func end() { daemon.signal(SIGKILL) }

        /// Waits until somebody has a name.
        func awaitOwner(of name: String) async throws {
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
            </busconfig>
            """
        }
    }
#endif
