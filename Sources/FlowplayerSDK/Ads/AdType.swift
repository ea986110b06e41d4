/// Where in a medium an advertisement is shown.
public enum AdType: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Before the medium begins.
    case preRoll
    /// While the medium plays.
    case midRoll
    /// After the medium has ended.
    case postRoll
    /// Not known, or not known yet.
    case unknown

    /// The name of the case, as logs give it.
    public var name: String { String(describing: self) }
}
