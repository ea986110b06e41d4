import Foundation

/// The addresses of buses.
package enum DBusAddress {
    /// The system bus.
    package static func system(in environment: [String: String]) -> String {
        given("DBUS_SYSTEM_BUS_ADDRESS", in: environment) ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// The session bus; `nil` if the environment has no address.
    package static func session(in environment: [String: String]) -> String? {
        if let address = given("DBUS_SESSION_BUS_ADDRESS", in: environment) { return address }
        let separators = CharacterSet(charactersIn: "%,;")
        return given("XDG_RUNTIME_DIR", in: environment)?
            .addingPercentEncoding(withAllowedCharacters: separators.inverted)
            .map { "unix:path=\($0)/bus" }
    }

    /// The address without the `guid` of one bus process, so that it is also valid for the next one.
    package static func anyBus(at address: String) -> String { address.replacing(/,guid=[^,;]*/, with: "") }

    private static func given(_ name: String, in environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
