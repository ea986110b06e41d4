#if Systemd
import DBus
import TestSupport

/// The signals of the program, as another connection receives them.
@MainActor final class SignalLog {
    private var signals: [DBusSignal] = []
    private let client: DBusConnection

    /// Receives signals from now on.
    init(on bus: PrivateBus) async throws {
        client = DBusConnection(address: bus.address)
        for interface in [Desk.player, Desk.trackList, "org.freedesktop.DBus.Properties"] {
            client.listen(to: DBusMatch(from: Desk.busName, path: Desk.path, interface: interface)) {
                [weak self] signal in
                self?.signals.append(signal)
            }
        }
        try await catchUp()
    }

    /// Waits until all earlier signals are received.
    func catchUp() async throws {
        _ = try await client.call(
            DBusCall.get("Identity", of: Desk.root, at: Desk.path, from: Desk.busName))
    }

    func forget() { signals = [] }

    func named(_ member: String) -> [[DBusValue]] {
        signals.filter { $0.member == member }.map(\.arguments)
    }

    /// The names of the properties in all change signals.
    var properties: [String] {
        named("PropertiesChanged").flatMap { arguments in
            arguments[1].elements.compactMap { entry in
                if case .entry(let name, _) = entry { name.string } else { nil }
            } + arguments[2].elements.compactMap(\.string)
        }
    }

    /// The values of a property in all change signals.
    func values(of property: String) -> [DBusValue] {
        named("PropertiesChanged").compactMap { $0[1][property] }
    }
}
#endif
