#if Systemd
/// A set of methods, properties and signals that an object of this program has.
package struct DBusInterface {
    package let name: String
    package let methods: [DBusMethod]
    package let properties: [DBusProperty]
    package let signals: [DBusSignalKind]

    package init(
        _ name: String, methods: [DBusMethod] = [], properties: [DBusProperty] = [], signals: [DBusSignalKind] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }
}

/// What a value of a method or a signal is called, and its type as the specification of D-Bus writes types.
package struct DBusArgument {
    package let name: String
    package let type: String

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// A method, and what it does.
package struct DBusMethod {
    package typealias Body = @MainActor ([DBusValue]) throws(DBusError) -> [DBusValue]

    package let name: String
    package let arguments: [DBusArgument]
    package let results: [DBusArgument]
    package let body: Body

    /// - Parameter body: called with values of the types that the arguments have.
    package init(
        _ name: String, _ arguments: [DBusArgument] = [], gives results: [DBusArgument] = [], body: @escaping Body
    ) {
        self.name = name
        self.arguments = arguments
        self.results = results
        self.body = body
    }
}

/// A property, and where its value comes from.
package struct DBusProperty {
    /// What is told when the value has changed.
    package enum Telling: String {
        /// The new value.
        case value = "true"
        /// That there is a new one.
        case invalidation = "invalidates"
        /// Nothing: it never does.
        case constant = "const"
        /// Nothing, though it does.
        case nothing = "false"
    }

    package typealias Setter = @MainActor (DBusValue) throws(DBusError) -> Void

    package let name: String
    package let type: String
    package let telling: Telling
    package let get: @MainActor () -> DBusValue
    package let set: Setter?

    /// - Parameters:
    ///   - get: gives a value of the type.
    ///   - set: called with a value of the type; `nil`: nobody else can set it.
    package init(
        _ name: String, _ type: String, telling: Telling = .value, get: @escaping @MainActor () -> DBusValue,
        set: Setter? = nil
    ) {
        self.name = name
        self.type = type
        self.telling = telling
        self.get = get
        self.set = set
    }
}

/// What a signal looks like.
package struct DBusSignalKind {
    package let name: String
    package let arguments: [DBusArgument]

    package init(_ name: String, _ arguments: [DBusArgument]) {
        self.name = name
        self.arguments = arguments
    }
}
#endif
