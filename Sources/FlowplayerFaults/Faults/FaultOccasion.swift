/// In which of a server's answers a fault happens: all of those that fit everything that is said here.
///
/// As text, as in `segment3@1`, each condition stands behind the one before, after an `@`:
///
/// | text | answers to |
/// |---|---|
/// | `2`, `2-`, `1-3` | the second request for this path, all from the second on, the first to the third |
/// | `ranged` | requests with a header `Range` |
/// | `playlists`, `segments` | requests for HLS playlists; for what media playlists name |
/// | `segment3` | requests for the third segment of a media playlist |
/// | `variant2` | requests for the second media playlist that a multivariant playlist names |
public struct FaultOccasion: Hashable, Sendable {
    /// What a path is for.
    public struct Part: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case any, playlists, segments
            case segment(Int)
            case variant(Int)
        }

        let kind: Kind

        /// Anything.
        public static let any = Self(kind: .any)
        /// An HLS playlist, of either kind: the path ends in `.m3u8`.
        public static let playlists = Self(kind: .playlists)
        /// What a media playlist in the served folder names.
        public static let segments = Self(kind: .segments)

        /// A segment of a media playlist in the served folder.
        ///
        /// - Parameter number: from 1 on, in the order of the playlist.
        public static func segment(_ number: Int) -> Self { Self(kind: .segment(max(1, number))) }

        /// A media playlist that a multivariant playlist in the served folder names.
        ///
        /// - Parameter number: from 1 on, in the order of the playlist.
        public static func variant(_ number: Int) -> Self { Self(kind: .variant(max(1, number))) }
    }

    /// What the path is for.
    public var part: Part
    /// The requests that are meant, counted from 1 for each path since the plan was set; or, for a plan in the address, since
    /// the server was made.
    public var requests: ClosedRange<Int>
    /// Whether only requests with a header `Range` are meant.
    public var isRanged: Bool

    /// - Parameters:
    ///   - part: what the path is for.
    ///   - requests: counted from 1 for each path.
    ///   - isRanged: whether only requests with a header `Range` are meant. All requests are counted, though.
    public init(part: Part = .any, requests: ClosedRange<Int> = 1...Int.max, isRanged: Bool = false) {
        self.part = part
        self.requests = requests
        self.isRanged = isRanged
    }

    /// Every answer.
    public static let always = Self()
    /// Answers to requests with a header `Range`.
    public static let ranged = Self(isRanged: true)

    /// The answer to one request.
    ///
    /// - Parameter number: from 1 on, for each path.
    public static func request(_ number: Int) -> Self { requests(number...number) }

    /// Answers to some requests, counted from 1 for each path.
    public static func requests(_ numbers: ClosedRange<Int>) -> Self { Self(requests: numbers) }

    /// Answers to all requests from one on, counted from 1 for each path.
    public static func requests(_ numbers: PartialRangeFrom<Int>) -> Self {
        Self(requests: numbers.lowerBound...Int.max)
    }

    /// Answers to requests for a part of an HLS stream.
    public static func on(_ part: Part) -> Self { Self(part: part) }
}
