/// A time in an item, as a whole number of fractions of a second.
///
/// Two times with the same instant are equal whatever their time scale. A time that is not a number of seconds
/// (`isNumeric` is `false`) equals only itself and sorts after every other.
public struct MediaTime: Hashable, Comparable, Codable, Sendable {
    /// The time scale that `init(seconds:)` uses: microseconds.
    public static let defaultTimescale: Int32 = 1_000_000
    /// The beginning of an item.
    public static let zero = MediaTime(value: 0, timescale: defaultTimescale)
    /// No time at all: what arithmetic with no result gives.
    public static let invalid = MediaTime(value: 0, timescale: 0)

    /// The number of fractions.
    public let value: Int64
    /// Fractions a second; zero or less makes the time `invalid`.
    public let timescale: Int32

    /// So many fractions, of which so many make a second.
    public init(value: Int64, timescale: Int32) {
        self.value = timescale > 0 ? value : 0
        self.timescale = max(0, timescale)
    }

    /// Rounds to the nearest fraction. `invalid` if `seconds` is not finite or too large to be held.
    public init(seconds: Double, preferredTimescale: Int32 = defaultTimescale) {
        let fractions = (seconds * Double(preferredTimescale)).rounded()
        guard preferredTimescale > 0, let value = Int64(exactly: fractions) else {
            self = .invalid
            return
        }
        self.init(value: value, timescale: preferredTimescale)
    }

    /// `false` for `invalid`.
    public var isNumeric: Bool { timescale > 0 }

    /// The time in seconds; not a number for `invalid`.
    public var seconds: Double { isNumeric ? Double(value) / Double(timescale) : .nan }

    public static func == (a: MediaTime, b: MediaTime) -> Bool {
        guard a.isNumeric, b.isNumeric else { return a.isNumeric == b.isNumeric }
        return a.scaled(by: b) == b.scaled(by: a)
    }

    public static func < (a: MediaTime, b: MediaTime) -> Bool {
        guard a.isNumeric, b.isNumeric else { return a.isNumeric && !b.isNumeric }
        return a.scaled(by: b) < b.scaled(by: a)
    }

    public func hash(into hasher: inout Hasher) {
        // Equal instants have the same number of whole microseconds.
        hasher.combine(isNumeric ? Int128(value) * 1_000_000 / Int128(timescale) : nil)
    }

    /// Rounded to the finer time scale of the two; `invalid` if either is.
    public static func + (a: MediaTime, b: MediaTime) -> MediaTime { a.combined(with: b, by: +) }
    /// Rounded to the finer time scale of the two; `invalid` if either is.
    public static func - (a: MediaTime, b: MediaTime) -> MediaTime { a.combined(with: b, by: -) }

    private func combined(with other: MediaTime, by operation: (Double, Double) -> Double) -> MediaTime {
        MediaTime(seconds: operation(seconds, other.seconds), preferredTimescale: max(timescale, other.timescale))
    }

    private func scaled(by other: MediaTime) -> Int128 { Int128(value) * Int128(other.timescale) }
}
