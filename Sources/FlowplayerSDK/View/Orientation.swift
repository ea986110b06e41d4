/// How a screen is turned.
public enum Orientation: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Higher than wide.
    case portrait
    /// Higher than wide, upside down.
    case portraitUpsideDown
    /// Wider than high, turned to the right.
    case landscapeRight
    /// Wider than high, turned to the left.
    case landscapeLeft

    /// Whether it is wider than high.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}
