import Foundation

/// A mark that a stream carries in its playlist or manifest, such as the start of a break. Times are in seconds.
///
/// The text is that of the server: nothing of it is trusted.
public struct StreamMarker: Codable, Hashable, Sendable, Identifiable {
    /// The kind of a mark.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// `EXT-X-DATERANGE` of HLS.
        case dateRange
        /// `EXT-X-CUE-OUT` of HLS: a break begins.
        case cueOut
        /// `EXT-X-CUE-IN` of HLS: the break ends.
        case cueIn
        /// An event of DASH.
        case event
    }

    /// The id of the mark in its stream. A mark that is sent again with more attributes has the same id.
    public var id: String
    /// The kind.
    public var kind: Kind
    /// The position, which may be before the first position of a live stream.
    public var start: Double
    /// The length; `nil` if it is not known.
    public var duration: Double?
    /// The attributes, by their names in upper case, without quotes. At most 32, of 2304 bytes. For an event of DASH, `SCHEME` and `VALUE`.
    public var attributes: [String: String]
    /// The message of the mark, such as a section of SCTE 35; at most 1024 bytes. `nil` if it has none.
    public var message: Data?

    /// Creates a mark. Times are in seconds.
    public init(
        id: String, kind: Kind, start: Double, duration: Double? = nil, attributes: [String: String] = [:],
        message: Data? = nil
    ) {
        (self.id, self.kind, self.start, self.duration) = (id, kind, start, duration)
        (self.attributes, self.message) = (attributes, message)
    }

    /// The largest number of marks of an item.
    package static let mostMarkers = 500
    /// The largest number of attributes of a mark.
    private static let mostAttributes = 32
    /// The largest size of the attributes of a mark, with their names, in bytes. All marks of an item fit into one message of an isolated
    /// engine.
    private static let mostText = 2304
    /// The longest message in bytes. Those of SCTE 35 usually have less than 300.
    package static let longestMessage = 1024

    /// Adds attributes as long as they fit. Those that are known stay.
    package mutating func add(_ others: [String: String]) {
        var size = attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        for (name, value) in others.sorted(by: { $0.key < $1.key }) where attributes[name] == nil {
            let added = name.utf8.count + value.utf8.count
            guard attributes.count < Self.mostAttributes, size + added <= Self.mostText else { continue }
            attributes[name] = value
            size += added
        }
    }
}
