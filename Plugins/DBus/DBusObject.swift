#if Systemd
/// An object of this program that others on a bus can call: answers for its interfaces, and for those that every object has.
///
/// What changes is found by comparing: a property is told when its value is another than the one that was told last.
@MainActor
package final class DBusObject {
    package let path: String
    private let interfaces: [DBusInterface]
    /// By interface and property.
    private var told: [String: [String: DBusValue]] = [:]

    /// - Parameter interfaces: those of its own.
    package init(_ path: String, _ interfaces: [DBusInterface]) {
        self.path = path
        self.interfaces = interfaces
    }

    // MARK: Calls

    /// Does what is asked for, and answers.
    package func take(_ request: DBusRequest) {
        request.answer(
            Result { () throws(DBusError) in
                try call(request.member, of: request.interface, request.arguments)
            })
    }

    private func call(_ member: String, of interface: String, _ arguments: [DBusValue]) throws(DBusError)
        -> [DBusValue]
    {
        let method = try method(member, of: interface)
        let expected = method.arguments.map(\.type).joined()
        let given = arguments.map(\.signature).joined()
        guard given == expected else {
            throw .invalidArguments("\(member) takes (\(expected)), not (\(given))")
        }
        return try method.body(arguments)
    }

    private func method(_ name: String, of interface: String) throws(DBusError) -> DBusMethod {
        let meant = interface.isEmpty ? all : all.filter { $0.name == interface }
        if meant.isEmpty { throw .unknownInterface(interface) }
        guard let method = meant.lazy.flatMap(\.methods).first(where: { $0.name == name }) else {
            throw .unknownMethod(name)
        }
        return method
    }

    // MARK: Changes

    /// What is to be told since this was asked last, one signal for each interface with a change: the arguments of
    /// `PropertiesChanged`. The first time, all of it.
    func takeChanges() -> [[DBusValue]] {
        let now = values
        defer { told = now }
        return interfaces.compactMap { interface in
            let changed = interface.properties.filter {
                now[interface.name]?[$0.name] != told[interface.name]?[$0.name]
            }
            if changed.isEmpty { return nil }
            let new = changed.filter { $0.telling == .value }.map { ($0.name, $0.get()) }
            return [
                .string(interface.name), .dictionary(Dictionary(uniqueKeysWithValues: new)),
                .strings(changed.filter { $0.telling == .invalidation }.map(\.name)),
            ]
        }
    }

    /// Of those properties whose changes are told.
    private var values: [String: [String: DBusValue]] {
        Dictionary(
            uniqueKeysWithValues: interfaces.map { interface in
                let told = interface.properties.filter { [.value, .invalidation].contains($0.telling) }
                return (interface.name, Dictionary(uniqueKeysWithValues: told.map { ($0.name, $0.get()) }))
            })
    }

    // MARK: What every object has

    private lazy var all = interfaces + [properties, introspection, .peer]

    static let propertiesInterface = "org.freedesktop.DBus.Properties"

    private var properties: DBusInterface {
        let interface = DBusArgument("interface_name", "s")
        let property = DBusArgument("property_name", "s")
        return DBusInterface(
            Self.propertiesInterface,
            methods: [
                DBusMethod("Get", [interface, property], gives: [DBusArgument("value", "v")]) {
                    [unowned self] arguments throws(DBusError) in
                    [.variant(try self.property(arguments[1], of: arguments[0]).get())]
                },
                DBusMethod("GetAll", [interface], gives: [DBusArgument("properties", "a{sv}")]) {
                    [unowned self] arguments throws(DBusError) in
                    let values = try known(arguments[0]).flatMap(\.properties).map { ($0.name, $0.get()) }
                    return [.dictionary(Dictionary(values) { first, _ in first })]
                },
                DBusMethod("Set", [interface, property, DBusArgument("value", "v")]) {
                    [unowned self] arguments throws(DBusError) in
                    try set(self.property(arguments[1], of: arguments[0]), to: arguments[2])
                    return []
                },
            ],
            signals: [
                DBusSignalKind(
                    "PropertiesChanged",
                    [
                        interface, DBusArgument("changed_properties", "a{sv}"),
                        DBusArgument("invalidated_properties", "as"),
                    ])
            ])
    }

    private func property(_ name: DBusValue, of interface: DBusValue) throws(DBusError) -> DBusProperty {
        let name = name.string ?? ""
        let properties = try known(interface).flatMap(\.properties)
        guard let property = properties.first(where: { $0.name == name }) else { throw .unknownProperty(name) }
        return property
    }

    /// An empty name means all of them.
    private func known(_ interface: DBusValue) throws(DBusError) -> [DBusInterface] {
        let name = interface.string ?? ""
        let known = name.isEmpty ? all : all.filter { $0.name == name }
        if known.isEmpty { throw .unknownInterface(name) }
        return known
    }

    private func set(_ property: DBusProperty, to value: DBusValue) throws(DBusError) {
        guard let set = property.set else { throw .readOnly(property.name) }
        guard case .variant(let value) = value, value.signature == property.type else {
            throw .invalidArguments("\(property.name) is of type \(property.type), not \(value.content.signature)")
        }
        try set(value)
    }

    private var introspection: DBusInterface {
        DBusInterface(
            "org.freedesktop.DBus.Introspectable",
            methods: [
                DBusMethod("Introspect", gives: [DBusArgument("xml_data", "s")]) {
                    [unowned self] _ throws(DBusError) in
                    [.string(DBusInterface.document(of: all))]
                }
            ])
    }
}

extension DBusInterface {
    /// sd-bus answers for it.
    fileprivate static let peer = DBusInterface(
        "org.freedesktop.DBus.Peer",
        methods: [
            DBusMethod("Ping") { _ throws(DBusError) in [] },
            DBusMethod("GetMachineId", gives: [DBusArgument("machine_uuid", "s")]) { _ throws(DBusError) in [] },
        ])
}
#endif
