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
}

// The error names of the D-Bus specification and of its reference library.
extension DBusError {
    package static func standard(_ name: String, _ message: String) -> Self {
        Self(name: "org.freedesktop.DBus.Error.\(name)", message: message)
    }

    package static func failed(_ message: String) -> Self { standard("Failed", message) }

    package static func invalidArguments(_ message: String) -> Self { standard("InvalidArgs", message) }

    package static func notSupported(_ message: String) -> Self { standard("NotSupported", message) }
}

/// - Throws: if the status is a negative error number.
@discardableResult
func check(_ status: Int32) throws(DBusError) -> Int32 {
    if status < 0 { throw DBusError(status: status) }
    return status
}
