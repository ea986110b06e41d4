#if Systemd
import Foundation

/// The error of a call or of a connection.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name on the bus, such as `org.freedesktop.DBus.Error.ServiceUnknown`.
    package let name: String
    package let message: String

    package init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// - Parameter status: the negative error number of an sd-bus function.
    init(status: Int32) {
        self.init(name: "System.Error.\(-status)", message: String(cString: strerror(-status)))
    }

    package var description: String { message.isEmpty ? name : message }

    /// Runs a body that throws errors of this type.
    static func catching<Value>(_ body: () throws -> Value) throws(DBusError) -> Value {
        do { return try body() } catch { throw error as? DBusError ?? .failed("\(error)") }
    }
}

// The error names of the D-Bus specification and of its reference library.
extension DBusError {
    package static func failed(_ message: String) -> Self { standard("Failed", message) }

    package static func invalidArguments(_ message: String) -> Self { standard("InvalidArgs", message) }

    package static func notSupported(_ message: String) -> Self { standard("NotSupported", message) }

    static func unknownInterface(_ name: String) -> Self {
        standard("UnknownInterface", "there is no interface \(name) here")
    }

    static func unknownMethod(_ name: String) -> Self {
        standard("UnknownMethod", "there is no method \(name) here")
    }

    static func unknownProperty(_ name: String) -> Self {
        standard("UnknownProperty", "there is no property \(name) here")
    }

    static func readOnly(_ property: String) -> Self {
        standard("PropertyReadOnly", "\(property) cannot be set")
    }

    private static func standard(_ name: String, _ message: String) -> Self {
        Self(name: "org.freedesktop.DBus.Error.\(name)", message: message)
    }
}
#endif
