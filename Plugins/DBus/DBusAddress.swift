#if Systemd
import Foundation

/// The addresses of buses, and names on them.
package enum DBusAddress {
    /// The system bus.
    package static func system(in environment: [String: String]) -> String {
        given("DBUS_SYSTEM_BUS_ADDRESS", in: environment) ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// The session bus; `nil` if the environment has no address.
    package static func session(in environment: [String: String]) -> String? {
        if let address = given("DBUS_SESSION_BUS_ADDRESS", in: environment) { return address }
        return given("XDG_RUNTIME_DIR", in: environment)?
            .addingPercentEncoding(withAllowedCharacters: plain)
            .map { "unix:path=\($0)/bus" }
    }

    /// The address without the `guid` of one bus process, so that it is also valid for the next one.
    package static func anyBus(at address: String) -> String {
        address.split(separator: ";")
            .map { $0.split(separator: ",").filter { !$0.hasPrefix("guid=") }.joined(separator: ",") }
            .joined(separator: ";")
    }

    /// One element of a bus name, from any string. Characters that are not allowed become `_`.
    package static func nameElement(from text: String) -> String {
        let element = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) ? $0 : "_" })
        return element.first?.isNumber == false ? element : "_" + element
    }

    private static func given(_ name: String, in environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The characters that need no escape: D-Bus specification, section "Server Addresses".
    private static let plain = CharacterSet(
        charactersIn: "-_/.\\*0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
#endif
