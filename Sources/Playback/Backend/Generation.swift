/// The number of an opening by one player. It identifies the late events of a replaced opening.
public struct Generation: RawRepresentable, Hashable, Comparable, Sendable {
    /// Before the first opening.
    public static let none = Generation(rawValue: 0)

    public let rawValue: Int

    /// The opening of that number, counted from 1.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The generation after this one.
    public var next: Generation { Generation(rawValue: rawValue + 1) }

    public static func < (a: Generation, b: Generation) -> Bool { a.rawValue < b.rawValue }
}

extension Generation: Codable {
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
