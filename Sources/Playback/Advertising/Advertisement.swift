import Foundation

/// The advertisement that plays in place of the item. Times are in seconds.
public struct Advertisement: Codable, Hashable, Sendable {
    /// The position of the break in the item.
    public var type: AdType
    /// The number of the advertisement in its break, from 1.
    public var number: Int
    /// The number of advertisements in the break, at least `number`.
    public var count: Int
    /// The title, or `nil` if it has none.
    public var title: String?
    /// The position in the advertisement.
    public var position = 0.0
    /// The duration of the advertisement; `nil` while it is unknown.
    public var duration: Double?
    /// The position from which the viewer may skip the advertisement; `nil` if it cannot be skipped.
    public var skipPosition: Double?
    /// The address that the host opens after a click; `nil` if there is none.
    public var clickThrough: URL?

    /// An advertisement at its beginning.
    ///
    /// - Parameters:
    ///   - type: the position of the break in the item.
    ///   - number: from 1.
    ///   - count: the number of advertisements in the break.
    public init(type: AdType, number: Int = 1, count: Int = 1) {
        (self.type, self.number, self.count) = (type, number, count)
    }

    /// The rest of the advertisement; `nil` while the duration is unknown.
    public var remainingTime: Double? { duration.map { max(0, $0 - position) } }

    /// The time until the viewer may skip; 0 if skipping is possible now, `nil` if it never is.
    public var timeUntilSkip: Double? { skipPosition.map { max(0, $0 - position) } }

    /// `true` if the viewer may skip now.
    public var canSkip: Bool { timeUntilSkip == 0 }
}
