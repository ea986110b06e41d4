/// A time in an item, as a whole number of fractions of a second.
///
/// Two times with the same instant are equal whatever their time scale. A time that is not a number of seconds
/// (`isNumeric` is `false`) equals only itself. It sorts after all others: first `indefinite`, then `positiveInfinity`,
/// then `invalid`.
public struct MediaTime: Hashable, Comparable, Codable, Sendable {
    /// The time scale that `init(seconds:)` uses: microseconds.
    public static let defaultTimescale: Int32 = 1_000_000
    /// The beginning of an item.
    public static let zero = MediaTime(value: 0, timescale: defaultTimescale)
    /// An invalid time, for example the result of an invalid calculation.
    public static let invalid = MediaTime(value: 0, timescale: 0)
    /// The duration of a live stream, and of an item that is not open yet.
    public static let indefinite = MediaTime(special: 1)
    /// Later than every other time. As a tolerance, the next key frame.
    public static let positiveInfinity = MediaTime(special: 2)

    /// The number of fractions.
    public let value: Int64
    /// Fractions a second; zero or less makes the time `invalid`.
    public let timescale: Int32

    /// Creates a time of `value` fractions, of which `timescale` make a second.
    public init(value: Int64, timescale: Int32) {
        self.value = timescale > 0 ? value : 0
        self.timescale = max(0, timescale)
    }

    private init(special value: Int64) {
        self.value = value
        timescale = 0
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

    /// `false` for `invalid`, `indefinite` and `positiveInfinity`.
    public var isNumeric: Bool { timescale > 0 }

    /// `false` for `invalid`.
    public var isValid: Bool { isNumeric || value != 0 }

    /// `true` for `indefinite`.
    public var isIndefinite: Bool { self == .indefinite }

    /// The time in seconds; infinite for `positiveInfinity`, and not a number for `invalid` and `indefinite`.
    public var seconds: Double {
        if isNumeric { Double(value) / Double(timescale) } else { self == .positiveInfinity ? .infinity : .nan }
    }

    public static func == (a: MediaTime, b: MediaTime) -> Bool {
        guard a.isNumeric, b.isNumeric else { return a.isNumeric == b.isNumeric && a.value == b.value }
        return a.scaled(by: b) == b.scaled(by: a)
    }

    public static func < (a: MediaTime, b: MediaTime) -> Bool {
        guard a.isNumeric, b.isNumeric else { return a.rank < b.rank }
        return a.scaled(by: b) < b.scaled(by: a)
    }

    public func hash(into hasher: inout Hasher) {
        // Equal instants have the same number of whole microseconds.
        hasher.combine(isNumeric ? Int128(value) * 1_000_000 / Int128(timescale) : nil)
    }

    /// Rounded to the finer time scale of the two; `invalid` if either is not numeric.
    public static func + (a: MediaTime, b: MediaTime) -> MediaTime { a.combined(with: b, by: +) }
    /// Rounded to the finer time scale of the two; `invalid` if either is not numeric.
    public static func - (a: MediaTime, b: MediaTime) -> MediaTime { a.combined(with: b, by: -) }

    private func combined(with other: MediaTime, by operation: (Double, Double) -> Double) -> MediaTime {
        MediaTime(seconds: operation(seconds, other.seconds), preferredTimescale: max(timescale, other.timescale))
    }

    /// The order of numbers and of the times that are none.
    private var rank: Int64 {
        if isNumeric { return 0 }
        return isValid ? value : .max
    }

    private func scaled(by other: MediaTime) -> Int128 { Int128(value) * Int128(other.timescale) }
}
