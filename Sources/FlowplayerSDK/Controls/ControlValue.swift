import Foundation

/// The value of a custom key of the controls. Frozen.
public enum ControlValue: Hashable, Sendable {
    /// A Boolean.
    case bool(Bool)
    /// A finite number of any numeric type.
    case number(Double)
    /// A string.
    case string(String)
    /// A list of Booleans, numbers and strings.
    case list([ControlValue])

    /// Returns `nil` for other types, for numbers that are not finite, and for lists with such values or with lists.
    init?(_ value: Any) {
        if let list = value as? [Any] {
            let scalars = list.compactMap(Self.init(scalar:))
            guard scalars.count == list.count else { return nil }
            self = .list(scalars)
        } else {
            self.init(scalar: value)
        }
    }

    init?(scalar value: Any) {
        switch value {
        case let bool as Bool where type(of: value) != NSNumber.self: self = .bool(bool)
        case let string as String: self = .string(string)
        default:
            guard let number = Self.number(value), number.isFinite else { return nil }
            self = .number(number)
        }
    }

    private static func number(_ value: Any) -> Double? {
        switch value {
        case let number as any BinaryInteger: Double(number)
        case let number as any BinaryFloatingPoint: Double(number)
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }
}
