import Foundation

/// A value in a message.
package indirect enum DBusValue: Equatable, Sendable {
    case bool(Bool)
    case uint32(UInt32)
    case int64(Int64)
    case double(Double)
    case string(String)
    case objectPath(String)
    /// A file descriptor, closed with its last reference.
    case descriptor(FileHandle)
    /// Values of one type. The type is explicit because an array can be empty.
    case array(of: String, [DBusValue])
    case structure([DBusValue])
    /// A key, of a basic type, and its value. Only in arrays.
    case entry(DBusValue, DBusValue)
    case variant(DBusValue)
    /// A value of a basic type that this project does not use. It can be received, not sent.
    case other(type: String)

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
        case .bool: "b"
        case .uint32: "u"
        case .int64: "x"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .descriptor: "h"
        case .array(let type, _): "a" + type
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .variant: "v"
        case .other(let type): type
        }
    }
}

// Typed access for receivers: `nil` or an empty array if the value has another type.
extension DBusValue {
    package var bool: Bool? {
        if case .bool(let value) = content { value } else { nil }
    }

    package var double: Double? {
        if case .double(let value) = content { value } else { nil }
    }

    /// A string or a path.
    package var string: String? {
        switch content {
        case .string(let value), .objectPath(let value): value
        default: nil
        }
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
