#if Systemd
import DBus
import Foundation
import TestSupport

/// A program of the desktop as python-dbusmock plays it.
final class Mock: Sendable {
    let bus: PrivateBus
    let name: String
    /// The path of its main object.
    let path: String
    private let program: RunningCommand

    init(_ template: String, _ name: String, path: String, on bus: PrivateBus, isSystem: Bool) async throws {
        (self.bus, self.name, self.path) = (bus, name, path)
        // dbusmock is a package of Debian's, which other Pythons do not see.
        var command = Command(
            "/usr/bin/python3", ["-m", "dbusmock", isSystem ? "--system" : "--session", "--template", template])
        command.environment = [
            isSystem ? "DBUS_SYSTEM_BUS_ADDRESS" : "DBUS_SESSION_BUS_ADDRESS": bus.address
        ]
        program = try await command.start()
        try await bus.awaitOwner(of: name)
    }

    deinit { end() }

    func end() { program.signal(SIGTERM) }

    @discardableResult
    func call(
        _ member: String, _ arguments: [DBusValue] = [], of interface: String = "org.freedesktop.DBus.Mock",
        at path: String? = nil
    ) async throws -> [DBusValue] {
        try await bus.client.call(DBusCall(name, path: path ?? self.path, interface: interface, member, arguments))
    }

    /// Emits a signal.
    func emit(
        _ member: String, of interface: String, at path: String? = nil, _ signature: String = "",
        _ arguments: [DBusValue] = []
    ) async throws {
        try await call(
            "EmitSignal",
            [
                .string(interface), .string(member), .string(signature),
                .array(of: "v", arguments.map { .variant($0) }),
            ],
            at: path)
    }

    /// Answers a method of the main object with what a line of Python makes of `args`.
    func answer(_ member: String, of interface: String, _ input: String, _ output: String, with code: String)
        async throws
    {
        try await call(
            "AddMethod", [.string(interface), .string(member), .string(input), .string(output), .string(code)])
    }
}
#endif
