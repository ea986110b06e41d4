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

    /// Creates a call of a method of the bus itself.
    package static func bus(_ member: String, _ arguments: [DBusValue] = []) -> Self {
        Self(DBusMatch.bus, path: DBusMatch.busPath, interface: DBusMatch.bus, member, arguments)
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

/// A signal that was received.
package struct DBusSignal: Sendable {
    /// The unique name of the sender.
    package let sender: String
    package let member: String
    package let arguments: [DBusValue]
}

/// A filter for signals.
package struct DBusMatch: Sendable {
    /// The match rule for the bus.
    let rule: String

    fileprivate static let bus = "org.freedesktop.DBus"
    fileprivate static let busPath = "/org/freedesktop/DBus"

    /// A `nil` matches everything.
    ///
    /// - Parameter argument: the first argument of the signal.
    package init(
        from sender: String?, path: String? = nil, interface: String, _ member: String? = nil, argument: String? = nil
    ) {
        let parts = [
            ("type", "signal"), ("sender", sender), ("path", path), ("interface", interface), ("member", member),
            ("arg0", argument),
        ]
        rule = parts.compactMap { key, value in value.map { "\(key)='\($0)'" } }.joined(separator: ",")
    }

    /// Changes of the owner of a name, or of all names. The arguments are the name, the old owner and the new owner.
    package static func owner(of name: String? = nil) -> Self {
        Self(from: bus, path: busPath, interface: bus, "NameOwnerChanged", argument: name)
    }

    /// Changes of properties. The arguments are the interface, a dictionary of new values, and the names of properties
    /// that changed without a value.
    package static func properties(of interface: String, at path: String, from sender: String?) -> Self {
        Self(
            from: sender, path: path, interface: "org.freedesktop.DBus.Properties", "PropertiesChanged",
            argument: interface)
    }
}
