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
            let arguments = Self.arguments(method.arguments, "in") + Self.arguments(method.results, "out")
            return Self.element("method", ["name": method.name], arguments)
        }
        let signals = signals.map { Self.element("signal", ["name": $0.name], Self.arguments($0.arguments, "out")) }
        let properties = properties.map { property in
            let access = property.set == nil ? "read" : "readwrite"
            let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
            return Self.element(
                "property", ["name": property.name, "type": property.type, "access": access],
                Self.element("annotation", ["name": annotation, "value": property.changeSignal.rawValue]))
        }
        return Self.element("interface", ["name": name], (methods + signals + properties).joined())
    }

    private static func arguments(_ arguments: DBusArguments, _ direction: String) -> String {
        arguments.map { element("arg", ["name": $0, "type": $1, "direction": direction]) }.joined()
    }

    private static func element(
        _ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String = ""
    ) -> String {
        "<\(name)\(attributes.map { " \($0)=\"\($1)\"" }.joined())>\n\(content)</\(name)>\n"
    }
}
