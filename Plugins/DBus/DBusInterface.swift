#if Systemd
/// An interface of an object that this program serves.
package struct DBusInterface {
    package let name: String
    let methods: [DBusMethod]
    let properties: [DBusProperty]
    let signals: [(name: String, arguments: DBusArguments)]

    package init(
        _ name: String, methods: [DBusMethod] = [], properties: [DBusProperty] = [],
        signals: [(name: String, arguments: DBusArguments)] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }
}

/// The values of a method or a signal: names, and types in the notation of the D-Bus specification.
package typealias DBusArguments = KeyValuePairs<String, String>

/// A method that this program serves.
package struct DBusMethod {
    let name: String
    let arguments: DBusArguments
    let results: DBusArguments
    let body: @MainActor ([DBusValue]) throws -> [DBusValue]

    /// Creates a method with results.
    ///
    /// - Parameter body: called with values of the declared types. Throws a `DBusError`.
    package init(
        _ name: String, _ arguments: DBusArguments = [:], returns results: DBusArguments,
        body: @escaping @MainActor ([DBusValue]) throws -> [DBusValue]
    ) {
        self.name = name
        self.arguments = arguments
        self.results = results
        self.body = body
    }

    /// Creates a method without results.
    package init(
        _ name: String, _ arguments: DBusArguments = [:], action: @escaping @MainActor ([DBusValue]) throws -> Void
    ) {
        self.init(name, arguments, returns: [:]) { arguments in
            try action(arguments)
            return []
        }
    }
}

/// A property that this program serves.
package struct DBusProperty {
    /// The signal for a new value, as `EmitsChangedSignal` describes it.
    package enum ChangeSignal: String {
        case value = "true"
        case invalidation = "invalidates"
        case none = "false"
    }

    let name: String
    let type: String
    let changeSignal: ChangeSignal
    let get: @MainActor () -> DBusValue
    let set: (@MainActor (DBusValue) throws -> Void)?

    /// - Parameters:
    ///   - get: returns a value of the type.
    ///   - set: called with a value of the type; `nil` for a read-only property. Throws a `DBusError`.
    package init(
        _ name: String, _ type: String, changeSignal: ChangeSignal = .value,
        get: @escaping @MainActor () -> DBusValue, set: (@MainActor (DBusValue) throws -> Void)? = nil
    ) {
        self.name = name
        self.type = type
        self.changeSignal = changeSignal
        self.get = get
        self.set = set
    }
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
