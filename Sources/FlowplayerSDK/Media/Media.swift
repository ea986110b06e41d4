import Foundation

/// Something that a player can load.
public protocol Media: Sendable {
    /// The most that playback shall take from the network, in bit/s; `nil` for no limit. Always a finite number
    /// above 0.
    var preferredPeakBitRate: Double? { get }
    /// Different for each medium that is made, so that two plays of one address can be told apart.
    var sessionID: UUID { get }
}
