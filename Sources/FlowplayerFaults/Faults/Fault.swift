import Foundation

/// One thing that goes wrong when a server answers.
///
/// A fault is plain data with a short text, such as `status=404` or `hang-mid-body=100000`: that text is its `description`,
/// what it is encoded as, and what the address of a `FaultServer` may begin with. `FaultCatalogue` has one of each.
/// When it happens, and in which answers, is said by the `FaultOccasion` that it comes with in a `FaultPlan`.
public struct Fault: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case none
        case status(Int, retryAfter: Int?)
        case refused
        case cut(Cut, Point)
        case late(Duration)
        case drip(Int)
        case outage(Int?, Duration)
        case lengthTooLong(Int)
        case lengthTooShort(Int)
        case chunked
        case unframed
        case noRanges
        case wrongRange(Int)
        case redirect
        case redirectLoop
        case redirectToFile
        case redirectTo(String)
        case garbage
        case empty
        case type(String)
        case expiresAfterRequests(Int)
        case expiresAfterBytes(Int)
        case tls(TLSCertificate)
        case live(Int)
        case endlessLive(Int)
        case stallingLive(Int, Duration)
        case duplicateSegment(Int)
        case playlistToFile
    }

    /// How a connection ends before its answer does.
    enum Cut: String, CaseIterable {
        case hang, close, reset
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// How far an answer comes.
    public struct Point: Hashable, Sendable {
        enum Place: Hashable, Sendable {
            case beforeHeaders, afterHeaders, halfway
            case bytes(Int)
        }

        let place: Place

        /// Nothing of the answer is sent.
        public static let beforeHeaders = Self(place: .beforeHeaders)
        /// The status and all headers are sent, and nothing of the body.
        public static let afterHeaders = Self(place: .afterHeaders)
        /// Half of this answer's body is sent. A client that asks for the rest gets half of the rest, and comes to the end.
        public static let midBody = Self(place: .halfway)

        /// So many bytes of this answer's body are sent, at least 0; wherever in the file they begin. Bodies that are
        /// not longer are sent whole, and nothing happens to them.
        public static func midBody(after bytes: Int) -> Self { Self(place: .bytes(max(0, bytes))) }
    }
}

extension Fault {
    /// Nothing: the answer is as it should be.
    public static let none = Self(.none)

    /// This status with a short text instead of the file.
    ///
    /// - Parameters:
    ///   - code: 200 to 599.
    ///   - retryAfter: seconds for the header `Retry-After`, at least 0; without it there is no such header.
    public static func status(_ code: Int, retryAfter: Int? = nil) -> Self {
        Self(.status(min(max(code, 200), 599), retryAfter: retryAfter.map { max(0, $0) }))
    }

    // MARK: The connection

    /// Nobody listens. Only in the addresses that `FaultServer.url(for:fault:on:)` gives; a server as a whole refuses while
    /// it is stopped.
    public static let refused = Self(.refused)

    /// Nothing more comes, and the connection stays open, until the client gives up or the server stops.
    public static func hang(_ point: Point) -> Self { Self(.cut(.hang, point)) }

    /// The connection is closed in good order: to a client without care, the file seems to end there.
    public static func close(_ point: Point) -> Self { Self(.cut(.close, point)) }

    /// The connection is reset (RST). What the client has not taken within a second is lost.
    public static func reset(_ point: Point) -> Self { Self(.cut(.reset, point)) }

    /// The whole server goes down, as if killed, and is back on its port later. Its other connections are closed too.
    ///
    /// - Parameters:
    ///   - bytes: of this answer's body that are sent first; half of it if `nil`.
    ///   - downtime: not negative, by the server's clock.
    public static func outage(after bytes: Int? = nil, for downtime: Duration) -> Self {
        Self(.outage(bytes.map { max(0, $0) }, max(.zero, downtime)))
    }

    /// An encrypted connection with this certificate. Only in the addresses that `FaultServer.url(for:fault:on:)` gives.
    public static func tls(_ certificate: TLSCertificate) -> Self { Self(.tls(certificate)) }

    // MARK: Time

    /// The answer begins so much later.
    ///
    /// - Parameter delay: not negative, by the server's clock.
    public static func late(_ delay: Duration) -> Self { Self(.late(max(.zero, delay))) }

    /// The body comes in drips.
    ///
    /// - Parameter bytesPerSecond: at least 1. Ten drips a second; one at a time below ten bytes a second.
    public static func drip(bytesPerSecond: Int) -> Self { Self(.drip(max(1, bytesPerSecond))) }

    // MARK: The length and the part

    /// `Content-Length` promises so many bytes more than there are; the connection is closed after those there are.
    public static func lengthTooLong(by bytes: Int) -> Self { Self(.lengthTooLong(max(1, bytes))) }

    /// `Content-Length` promises so many bytes fewer than are sent; the connection is closed after all.
    public static func lengthTooShort(by bytes: Int) -> Self { Self(.lengthTooShort(max(1, bytes))) }

    /// No `Content-Length`: the body comes in chunks (RFC 9112, 7.1). Allowed, but then nobody knows how long it is.
    public static let chunked = Self(.chunked)

    /// No `Content-Length` and no chunks: the body ends where the connection does.
    public static let unframed = Self(.unframed)

    /// The header `Range` is ignored: always the whole file, with status 200.
    public static let noRanges = Self(.noRanges)

    /// A request for a part is answered, with status 206, with one that begins so many bytes later than asked for. The header
    /// `Content-Range` says which it really is.
    public static func wrongRange(by bytes: Int) -> Self { Self(.wrongRange(max(1, bytes))) }

    // MARK: Elsewhere

    /// To an address of the same server where all is well. Not a fault: clients have to follow.
    public static let redirect = Self(.redirect)

    /// To the address that was asked for.
    public static let redirectLoop = Self(.redirectLoop)

    /// To the same file by its `file:` address. Who follows can be made to read any file of the machine.
    public static let redirectToFile = Self(.redirectToFile)

    /// To any address, in any scheme.
    public static func redirect(to address: String) -> Self { Self(.redirectTo(address)) }

    // MARK: The content

    /// Bytes without meaning, the same each time, as many as the file has.
    public static let garbage = Self(.garbage)

    /// A body of no bytes.
    public static let empty = Self(.empty)

    /// Another `Content-Type` than the file's own.
    public static func contentType(_ type: String) -> Self { Self(.type(type)) }

    // MARK: Addresses that expire

    /// 403 after so many answers. Another `token` in the query of the address gives as many more; what playlists name has theirs.
    public static func expires(afterRequests count: Int) -> Self { Self(.expiresAfterRequests(max(0, count))) }

    /// 403 once so many bytes have been sent. Another `token` in the query of the address gives as many more; what playlists
    /// name has theirs.
    public static func expires(afterBytes count: Int) -> Self { Self(.expiresAfterBytes(max(0, count))) }

    // MARK: HLS

    /// Makes a live stream of each media playlist (RFC 8216) that has an end: a window of so many segments, which moves on
    /// from the first request, by the durations of the segments and the server's clock. The stream ends with the playlist.
    ///
    /// - Parameter window: segments, at least 1.
    public static func live(window: Int) -> Self { Self(.live(max(1, window))) }

    /// Like `live(window:)`, but begins again after the last segment, behind a discontinuity, and never ends.
    public static func endlessLive(window: Int) -> Self { Self(.endlessLive(max(1, window))) }

    /// Like `live(window:)`, but after so much time the playlist stays as it is, without an end.
    ///
    /// - Parameters:
    ///   - window: segments, at least 1.
    ///   - time: not negative, from the first request, by the server's clock.
    public static func stallingLive(window: Int, after time: Duration) -> Self {
        Self(.stallingLive(max(1, window), max(.zero, time)))
    }

    /// Each media playlist names one of its segments twice.
    ///
    /// - Parameter number: of the segment, from 1 on.
    public static func duplicateSegment(_ number: Int) -> Self { Self(.duplicateSegment(max(1, number))) }

    /// Each media playlist names its segments by their `file:` addresses. Who plays them can be made to read any file of
    /// the machine.
    public static let playlistToFile = Self(.playlistToFile)
}
