/// The responses that have a fault. A response must meet all conditions.
///
/// In the text form, an `@` separates the conditions, as in `segment3@1`:
///
/// | text | responses to |
/// |---|---|
/// | `2`, `2-`, `1-3` | the second request for a path, the second and all later ones, the first three |
/// | `ranged` | requests with a header `Range` |
/// | `playlists`, `segments` | requests for HLS playlists; requests for HLS segments |
/// | `segment3` | requests for the third segment of a media playlist |
/// | `variant2` | requests for the second media playlist of a multivariant playlist |
public struct FaultOccasion: Hashable, Sendable {
    /// The kind of a requested file.
    public enum Part: Hashable, Sendable {
        /// Any file.
        case any
        /// Any HLS playlist. Its path ends in `.m3u8`.
        case playlists
        /// Any segment of a media playlist in the served folder.
        case segments
        /// One segment of a media playlist in the served folder, by its position in the playlist, from 1.
        case segment(Int)
        /// One media playlist of a multivariant playlist in the served folder, by its position in the playlist, from 1.
        case variant(Int)
    }

    /// The kind of the requested file.
    public var part: Part
    /// The numbers of the requests, counted from 1 for each path. The count starts when the plan is set, or for a plan in the
    /// address when the server starts.
    public var requests: ClosedRange<Int>
    /// `true` for requests with a header `Range` only.
    public var isRanged: Bool

    /// Creates an occasion from its conditions.
    ///
    /// - Parameters:
    ///   - part: the kind of the requested file.
    ///   - requests: the numbers of the requests, counted from 1 for each path.
    ///   - isRanged: `true` for requests with a header `Range` only. Other requests are counted, too.
    public init(part: Part = .any, requests: ClosedRange<Int> = 1...Int.max, isRanged: Bool = false) {
        self.part = part
        self.requests = requests
        self.isRanged = isRanged
    }

    /// All responses.
    public static let always = Self()
    /// Responses to requests with a header `Range`.
    public static let ranged = Self(isRanged: true)

    /// The response to one request.
    ///
    /// - Parameter number: the number of the request, counted from 1 for each path.
    public static func request(_ number: Int) -> Self { requests(number...number) }

    /// Responses to some requests, counted from 1 for each path.
    public static func requests(_ numbers: ClosedRange<Int>) -> Self { Self(requests: numbers) }

    /// Responses to a request and all later ones, counted from 1 for each path.
    public static func requests(_ numbers: PartialRangeFrom<Int>) -> Self {
        Self(requests: numbers.lowerBound...Int.max)
    }

    /// Responses to requests for a part of an HLS stream.
    public static func on(_ part: Part) -> Self { Self(part: part) }
}
