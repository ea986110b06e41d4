#if Systemd
// What the specification of D-Bus and its first library have names for.
extension DBusError {
    /// Something went wrong that has no name of its own.
    package static func failed(_ message: String) -> Self { standard("Failed", message) }

    /// The values are not those that were expected.
    package static func invalidArguments(_ message: String) -> Self { standard("InvalidArgs", message) }

    /// It is known, and cannot be done.
    package static func notSupported(_ message: String) -> Self { standard("NotSupported", message) }

    package static func unknownInterface(_ name: String) -> Self {
        standard("UnknownInterface", "there is no interface \(name) here")
    }

    package static func unknownMethod(_ name: String) -> Self {
        standard("UnknownMethod", "there is no method \(name) here")
    }

    package static func unknownProperty(_ name: String) -> Self {
        standard("UnknownProperty", "there is no property \(name) here")
    }

    package static func readOnly(_ property: String) -> Self {
        standard("PropertyReadOnly", "\(property) cannot be set")
    }

    private static func standard(_ name: String, _ message: String) -> Self {
        Self(name: "org.freedesktop.DBus.Error.\(name)", message: message)
    }
}
#endif
