#if Systemd
/// Something that a program tells everybody.
package struct DBusSignal: Sendable {
    /// The unique name of who says it.
    package let sender: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [DBusValue]
}

/// Which signals to listen to. What is `nil` does not matter.
package struct DBusMatch: Sendable {
    package var sender: String?
    package var path: String?
    package var interface: String
    package var member: String?
    /// What the first argument is.
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

    /// That a name gets an owner, loses it, or changes it: three texts, the name and its owner before and after.
    package static func owner(of name: String) -> Self {
        Self(
            from: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            "NameOwnerChanged", argument: name)
    }

    /// That properties at a path change: the interface, a dictionary of new values, and the names of those whose values
    /// are not told.
    package static func properties(of interface: String, at path: String, from sender: String?) -> Self {
        Self(
            from: sender, path: path, interface: "org.freedesktop.DBus.Properties", "PropertiesChanged",
            argument: interface)
    }

    /// As a bus understands it.
    var rule: String {
        let parts = [
            ("type", "signal"), ("sender", sender), ("path", path), ("interface", interface), ("member", member),
            ("arg0", argument),
        ]
        return parts.compactMap { key, value in value.map { "\(key)='\($0)'" } }.joined(separator: ",")
    }
}
#endif
