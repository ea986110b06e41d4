#if Systemd
/// A signal that was received.
package struct DBusSignal: Sendable {
    /// The unique name of the sender.
    package let sender: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [DBusValue]
}

/// A filter for signals. A `nil` matches everything.
package struct DBusMatch: Sendable {
    package var sender: String?
    package var path: String?
    package var interface: String
    package var member: String?
    /// The first argument.
    package var argument: String?

    package init(
        from sender: String?, path: String? = nil, interface: String, _ member: String? = nil,
        argument: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.argument = argument
    }

    /// Changes of a name's owner. The arguments are the name, the old owner and the new owner.
    package static func owner(of name: String) -> Self {
        Self(
            from: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            "NameOwnerChanged", argument: name)
    }

    /// Changes of properties. The arguments are the interface, a dictionary of new values, and the names of properties
    /// that changed without a value.
    package static func properties(of interface: String, at path: String, from sender: String?) -> Self {
        Self(
            from: sender, path: path, interface: "org.freedesktop.DBus.Properties", "PropertiesChanged",
            argument: interface)
    }

    /// The match rule for the bus.
    var rule: String {
        let parts = [
            ("type", "signal"), ("sender", sender), ("path", path), ("interface", interface), ("member", member),
            ("arg0", argument),
        ]
        return parts.compactMap { key, value in value.map { "\(key)='\($0)'" } }.joined(separator: ",")
    }
}
#endif
