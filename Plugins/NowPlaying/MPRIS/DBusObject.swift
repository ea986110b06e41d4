import DBus

/// An object that this program serves on a bus, with its own interfaces and the standard ones.
///
/// The object finds changes by comparison: a property has changed if its value differs from the last one that was sent.
@MainActor
final class DBusObject {
    private let interfaces: [DBusInterface]
    /// The values that were sent last, by interface and property.
    private var sent: [String: [String: DBusValue]] = [:]

    /// - Parameter interfaces: its own interfaces. `Properties`, `Introspectable` and `Peer` are added.
    init(_ interfaces: [DBusInterface]) { self.interfaces = interfaces }

    // MARK: Calls

    /// Calls a method. Without an interface, the first method of the name is called.
    func call(_ member: String, of interface: String, _ arguments: [DBusValue]) throws(DBusError) -> [DBusValue] {
        guard let method = try find(interface).lazy.flatMap(\.methods).first(where: { $0.name == member }) else {
            throw .standard("UnknownMethod", "there is no method \(member) here")
        }
        let expected = method.arguments.map(\.value).joined()
        let given = arguments.map(\.signature).joined()
        guard given == expected else {
            throw .invalidArguments("\(member) takes (\(expected)), not (\(given))")
        }
        do { return try method.body(arguments) } catch { throw error as? DBusError ?? .failed("\(error)") }
    }

    /// An empty name means all interfaces.
    private func find(_ interface: String) throws(DBusError) -> [DBusInterface] {
        let found = interface.isEmpty ? all : all.filter { $0.name == interface }
        if found.isEmpty { throw .standard("UnknownInterface", "there is no interface \(interface) here") }
        return found
    }

    // MARK: Changes

    /// The changes since the last call of this function, as arguments of one `PropertiesChanged` for each interface. The
    /// first time, all properties.
    func takeChanges() -> [[DBusValue]] {
        interfaces.compactMap { interface in
            let properties = interface.properties.filter { $0.changeSignal != .none }
            let values = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.get()) })
            let changed = properties.filter { values[$0.name] != sent[interface.name]?[$0.name] }
            sent[interface.name] = values
            if changed.isEmpty { return nil }
            let names = { (signal: DBusProperty.ChangeSignal) in
                changed.filter { $0.changeSignal == signal }.map(\.name)
            }
            return [
                .string(interface.name),
                .dictionary(values.filter { names(.value).contains($0.key) }),
                .strings(names(.invalidation)),
            ]
        }
    }

    // MARK: Standard interfaces

    static let propertiesInterface = "org.freedesktop.DBus.Properties"

    private lazy var all = interfaces + standardInterfaces

    private var standardInterfaces: [DBusInterface] {
        [
            DBusInterface(
                name: Self.propertiesInterface,
                methods: [
                    DBusMethod(
                        name: "Get", arguments: ["interface_name": "s", "property_name": "s"], results: ["value": "v"]
                    ) { [unowned self] in [.variant(try property($0[1], of: $0[0]).get())] },
                    DBusMethod(name: "GetAll", arguments: ["interface_name": "s"], results: ["properties": "a{sv}"]) {
                        [unowned self] in [try properties(of: $0[0])]
                    },
                    DBusMethod("Set", ["interface_name": "s", "property_name": "s", "value": "v"]) { [unowned self] in
                        try set(property($0[1], of: $0[0]), to: $0[2].content)
                    },
                ],
                signals: [
                    (
                        "PropertiesChanged",
                        ["interface_name": "s", "changed_properties": "a{sv}", "invalidated_properties": "as"]
                    )
                ]),
            DBusInterface(
                name: "org.freedesktop.DBus.Introspectable",
                methods: [
                    DBusMethod(name: "Introspect", results: ["xml_data": "s"]) { [unowned self] _ in
                        [.string(DBusInterface.document(of: all))]
                    }
                ]),
            // sd-bus answers these calls.
            DBusInterface(
                name: "org.freedesktop.DBus.Peer",
                methods: [
                    DBusMethod("Ping") { _ in },
                    DBusMethod(name: "GetMachineId", results: ["machine_uuid": "s"]) { _ in [] },
                ]),
        ]
    }

    private func properties(of interface: DBusValue) throws(DBusError) -> DBusValue {
        let values = try find(interface.string ?? "").flatMap(\.properties).map { ($0.name, $0.get()) }
        return .dictionary(Dictionary(values) { first, _ in first })
    }

    private func property(_ name: DBusValue, of interface: DBusValue) throws(DBusError) -> DBusProperty {
        let properties = try find(interface.string ?? "").flatMap(\.properties)
        guard let property = properties.first(where: { $0.name == name.string }) else {
            throw .standard("UnknownProperty", "there is no property \(name.string ?? "") here")
        }
        return property
    }

    private func set(_ property: DBusProperty, to value: DBusValue) throws {
        guard let set = property.set else {
            throw DBusError.standard("PropertyReadOnly", "\(property.name) cannot be set")
        }
        guard value.signature == property.type else {
            throw DBusError.invalidArguments("\(property.name) is of type \(property.type), not \(value.signature)")
        }
        try set(value)
    }
}
