#if Systemd
/// A call of a method.
package struct DBusCall: Sendable {
    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]
    /// `true` if the bus may start the destination.
    package var startsService = true

    package init(
        _ destination: String, path: String, interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// Creates a call that reads a property. The reply is one variant.
    package static func get(_ property: String, of interface: String, at path: String, from destination: String)
        -> Self
    {
        Self(
            destination, path: path, interface: "org.freedesktop.DBus.Properties", "Get",
            [.string(interface), .string(property)])
    }
}
#endif
