#if Systemd
import DBus
import Synchronization
import TestSupport

/// All signals that the program sends over the bus.
final class SignalLog: Sendable {
    private let signals = Mutex<[DBusSignal]>([])
    private let client: DBusConnection

    /// Records the signals from now on.
    init(on bus: PrivateBus) async throws {
        client = DBusConnection(address: bus.address)
        for interface in [Desk.player, Desk.trackList, "org.freedesktop.DBus.Properties"] {
            client.listen(to: DBusMatch(from: Desk.busName, path: Desk.path, interface: interface)) {
                [weak self] signal in
                self?.signals.withLock { $0.append(signal) }
            }
        }
        try await catchUp()
    }

    /// Waits for the signals that were sent before.
    func catchUp() async throws {
        _ = try await client.call(
            DBusCall.get("Identity", of: Desk.root, at: Desk.path, from: Desk.busName))
    }

    func forget() { signals.withLock { $0 = [] } }

    func named(_ member: String) -> [[DBusValue]] {
        signals.withLock { signals in signals.filter { $0.member == member }.map(\.arguments) }
    }

    /// The names of changed properties, once for each change.
    var properties: [String] {
        named("PropertiesChanged").flatMap { arguments in
            arguments[1].elements.compactMap { entry in
                if case .entry(let name, _) = entry { name.string } else { nil }
            } + arguments[2].elements.compactMap(\.string)
        }
    }

    /// Every value of a property that was sent.
    func values(of property: String) -> [DBusValue] {
        named("PropertiesChanged").compactMap { $0[1][property] }
    }
}
#endif
