/// The number of an opening by one player. It identifies the late events of a replaced opening.
public struct Generation: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    /// Before the first opening.
    public static let none = Generation(rawValue: 0)

    public let rawValue: Int

    /// The opening of that number, counted from 1.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The generation after this one.
    public var next: Generation { Generation(rawValue: rawValue + 1) }

    public static func < (a: Generation, b: Generation) -> Bool { a.rawValue < b.rawValue }
}
