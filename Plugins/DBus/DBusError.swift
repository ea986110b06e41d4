#if Systemd
import Foundation

/// Why a call failed, or a bus is lost.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// As the other side named it, such as `org.freedesktop.DBus.Error.ServiceUnknown`.
    package let name: String
    /// For people.
    package let message: String

    package init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// - Parameter status: what a function of sd-bus gave, a negative error number.
    init(status: Int32) {
        self.init(name: "System.Error.\(-status)", message: String(cString: strerror(-status)))
    }

    package var description: String { message.isEmpty ? name : message }
}
#endif
