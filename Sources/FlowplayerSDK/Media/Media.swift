import Foundation

/// Something that a player can load.
public protocol Media: Sendable {
    /// Different for each medium that is made, so that two plays of one address can be told apart.
    var sessionID: String { get }
}

/// A medium at an address.
public struct MediaExternal: Media, Hashable {
    /// Where the medium is.
    public let url: URL
    /// Random, and new for each `MediaExternal` that is made.
    public let sessionID: String

    /// - Parameter url: a local file or an address with a scheme that the backend plays.
    public init(url: URL) {
        self.url = url
        sessionID = UUID().uuidString
    }
}
