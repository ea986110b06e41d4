#if Systemd
/// A value in a message.
package indirect enum DBusValue: Equatable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    case descriptor(DBusDescriptor)
    /// Values of one type. The type is explicit because an array can be empty.
    case array(of: String, [DBusValue])
    case structure([DBusValue])
    /// A key, of a basic type, and its value. Only in arrays.
    case entry(DBusValue, DBusValue)
    case variant(DBusValue)

    /// `a{sv}`, sorted by key.
    package static func dictionary(_ values: [String: DBusValue]) -> DBusValue {
        let entries = values.sorted { $0.key < $1.key }.map { entry(.string($0.key), .variant($0.value)) }
        return .array(of: "{sv}", entries)
    }

    /// `as`.
    package static func strings(_ values: [String]) -> DBusValue { .array(of: "s", values.map(string)) }

    /// The type in the notation of the D-Bus specification.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .array(let type, _): "a" + type
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .variant: "v"
        }
    }
}

// Typed access for receivers: `nil` or an empty array if the value has another type.
extension DBusValue {
    package var bool: Bool? {
        if case .bool(let value) = content { value } else { nil }
    }

    /// A string, a path or a signature.
    package var string: String? {
        switch content {
        case .string(let value), .objectPath(let value), .signature(let value): value
        default: nil
        }
    }

    package var descriptor: DBusDescriptor? {
        if case .descriptor(let value) = content { value } else { nil }
    }

    /// The elements of an array or a structure.
    package var elements: [DBusValue] {
        switch content {
        case .array(_, let values), .structure(let values): values
        default: []
        }
    }

    /// The value of a key in a dictionary.
    package subscript(key: String) -> DBusValue? {
        for case .entry(let candidate, let value) in elements where candidate.string == key { return value.content }
        return nil
    }

    /// The content of a variant; any other value itself.
    package var content: DBusValue {
        if case .variant(let value) = self { value.content } else { self }
    }
}
#endif
