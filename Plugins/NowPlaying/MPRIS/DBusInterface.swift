#if Systemd
import DBus

/// An interface of an object that this program serves.
struct DBusInterface {
    let name: String
    var methods: [DBusMethod] = []
    var properties: [DBusProperty] = []
    var signals: [(name: String, arguments: DBusArguments)] = []
}

/// The values of a method or a signal: names, and types in the notation of the D-Bus specification.
typealias DBusArguments = KeyValuePairs<String, String>

/// A method that this program serves.
struct DBusMethod {
    let name: String
    var arguments: DBusArguments = [:]
    let results: DBusArguments
    /// Called with values of the declared types. Throws a `DBusError`.
    let body: @MainActor ([DBusValue]) throws -> [DBusValue]
}

extension DBusMethod {
    /// Creates a method without results.
    init(
        _ name: String, _ arguments: DBusArguments = [:], action: @escaping @MainActor ([DBusValue]) throws -> Void
    ) {
        self.init(name: name, arguments: arguments, results: [:]) { arguments in
            try action(arguments)
            return []
        }
    }
}

/// A property that this program serves.
struct DBusProperty {
    /// The signal for a new value, as `EmitsChangedSignal` describes it.
    enum ChangeSignal: String {
        case value = "true"
        case invalidation = "invalidates"
        case none = "false"
    }

    let name: String
    let type: String
    var changeSignal = ChangeSignal.value
    /// Returns a value of the type.
    let get: @MainActor () -> DBusValue
    /// Called with a value of the type; `nil` for a read-only property. Throws a `DBusError`.
    var set: (@MainActor (DBusValue) throws -> Void)?
}

// MARK: Introspection

extension DBusInterface {
    /// The interfaces in the introspection data format of the D-Bus specification.
    static func document(of interfaces: [DBusInterface]) -> String {
        let head = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>
            """
        return head + "\n" + interfaces.map(\.xml).joined() + "</node>\n"
    }

    private var xml: String {
        let methods = methods.map { method in
            Self.member(
                "method", method.name,
                Self.arguments(method.arguments, #" direction="in""#)
                    + Self.arguments(method.results, #" direction="out""#))
        }
        let signals = signals.map { Self.member("signal", $0.name, Self.arguments($0.arguments)) }
        let properties = properties.map { property in
            """
              <property name="\(property.name)" type="\(property.type)" access="\(property.set == nil ? "read" : "readwrite")">
               <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="\(property.changeSignal.rawValue)"/>
              </property>

            """
        }
        return " <interface name=\"\(name)\">\n\((methods + signals + properties).joined()) </interface>\n"
    }

    private static func member(_ kind: String, _ name: String, _ arguments: String) -> String {
        "  <\(kind) name=\"\(name)\">\n\(arguments)  </\(kind)>\n"
    }

    private static func arguments(_ arguments: DBusArguments, _ direction: String = "") -> String {
        arguments.map { "   <arg name=\"\($0)\" type=\"\($1)\"\(direction)/>\n" }.joined()
    }
}
#endif
