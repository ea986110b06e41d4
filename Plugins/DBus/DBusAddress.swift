#if Systemd
import Foundation

/// Where a bus is.
package enum DBusAddress {
    /// The bus of the machine.
    package static func system(in environment: [String: String]) -> String {
        given("DBUS_SYSTEM_BUS_ADDRESS", in: environment) ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// The bus of the user's session; `nil` if nothing says where it is.
    package static func session(in environment: [String: String]) -> String? {
        if let address = given("DBUS_SESSION_BUS_ADDRESS", in: environment) { return address }
        return given("XDG_RUNTIME_DIR", in: environment)?
            .addingPercentEncoding(withAllowedCharacters: plain)
            .map { "unix:path=\($0)/bus" }
    }

    /// The same for every bus that is there: without the identifier by which one differs from the one before it.
    package static func anyBus(at address: String) -> String {
        address.split(separator: ";")
            .map { $0.split(separator: ",").filter { !$0.hasPrefix("guid=") }.joined(separator: ",") }
            .joined(separator: ";")
    }

    private static func given(_ name: String, in environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What may stand in an address as it is, after the specification of D-Bus, "Server Addresses".
    private static let plain = CharacterSet(
        charactersIn: "-_/.\\*0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
#endif
