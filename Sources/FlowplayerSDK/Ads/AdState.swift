/// What an advertisement does.
public enum AdState: Int, Codable, Hashable, Sendable, CaseIterable {
    /// There is none.
    case idle
    /// A break begins, and its first advertisement is on the way.
    case start
    /// It can be played.
    case loaded
    /// It plays.
    case play
    /// It stands still.
    case pause
    /// The viewer followed it to its advertiser.
    case click
    /// The viewer left it out.
    case skip
    /// It has played to its end.
    case complete

    /// The name of the case, as logs give it.
    public var name: String { String(describing: self) }
}
