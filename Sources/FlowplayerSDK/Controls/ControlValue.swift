import Foundation

/// A value that a host gives to controls under a key of its own. Frozen: there are these kinds.
public enum ControlValue: Hashable, Sendable {
    /// True or false.
    case bool(Bool)
    /// Of whatever numeric type it was; always finite.
    case number(Double)
    /// A text as it was given.
    case string(String)
    /// Values of the other kinds, in order.
    case list([ControlValue])

    /// `nil` for what is of none of these kinds: other types, numbers that are not finite, lists that hold either or
    /// hold lists.
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
