#if Systemd
extension DBusInterface {
    /// Interfaces as the specification of D-Bus describes them, "Introspection Data Format".
    package static func document(of interfaces: [DBusInterface]) -> String {
        let head = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            """
        return ([head, "<node>"] + interfaces.flatMap(\.lines) + ["</node>", ""]).joined(separator: "\n")
    }

    private var lines: [String] {
        let members = methods.flatMap(\.lines) + signals.flatMap(\.lines) + properties.flatMap(\.lines)
        return [#" <interface name="\#(name)">"#] + members + [" </interface>"]
    }
}

extension DBusMethod {
    fileprivate var lines: [String] {
        let values = arguments.map { $0.line(direction: "in") } + results.map { $0.line(direction: "out") }
        return [#"  <method name="\#(name)">"#] + values + ["  </method>"]
    }
}

extension DBusSignalKind {
    fileprivate var lines: [String] {
        [#"  <signal name="\#(name)">"#] + arguments.map { $0.line() } + ["  </signal>"]
    }
}

extension DBusProperty {
    fileprivate var lines: [String] {
        [
            #"  <property name="\#(name)" type="\#(type)" access="\#(set == nil ? "read" : "readwrite")">"#,
            #"   <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="\#(telling.rawValue)"/>"#,
            "  </property>",
        ]
    }
}

extension DBusArgument {
    fileprivate func line(direction: String? = nil) -> String {
        let direction = direction.map { #" direction="\#($0)""# } ?? ""
        return #"   <arg name="\#(name)" type="\#(type)"\#(direction)/>"#
    }
}
#endif
