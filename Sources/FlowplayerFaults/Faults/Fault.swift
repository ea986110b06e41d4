import Foundation

/// A fault in a server's response.
///
/// A fault is plain data with a short text form, such as `status=404` or `hang-mid-body=100000`. The text form is its
/// `description`, its encoding, and the beginning of an address of a `FaultServer`. `FaultCatalogue` contains one of each kind.
/// A `FaultPlan` combines a fault with a `FaultOccasion`, which selects the responses.
public struct Fault: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case plain(Plain)
        case number(Number, Int)
        case status(Int, retryAfter: Int?)
        case cut(Cut, Point)
        case late(Duration)
        case outage(Int?, Duration)
        case redirectTo(String)
        case type(String)
        case tls(TLSCertificate)
        case stallingLive(Int, Duration)
    }

    /// The faults without a value, by their names in the text form.
    enum Plain: String {
        case none, refused, chunked, unframed, redirect, garbage, empty
        case noRanges = "no-ranges"
        case redirectLoop = "redirect-loop"
        case redirectToFile = "redirect-to-file"
        case playlistToFile = "playlist-to-file"
    }

    /// The faults with one number, by their names in the text form.
    enum Number: String {
        case drip, live
        case lengthTooLong = "length-too-long"
        case lengthTooShort = "length-too-short"
        case wrongRange = "wrong-range"
        case expiresAfterRequests = "expires-requests"
        case expiresAfterBytes = "expires-bytes"
        case endlessLive = "live-endless"
        case duplicateSegment = "duplicate-segment"

        /// The allowed values. `live` and `live-endless` count the segments of a window. Others are added to the size of a file, and
        /// the sum must not overflow.
        var range: ClosedRange<Int> {
            switch self {
            case .expiresAfterRequests, .expiresAfterBytes: 0...Int(Int32.max)
            case .live, .endlessLive: 1...largestWindow
            default: 1...Int(Int32.max)
            }
        }
    }

    /// How a connection ends during a response.
    enum Cut: String, CaseIterable {
        case hang, close, reset
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// The largest number of segments in a live window.
    static let largestWindow = 10_000

    private static func number(_ name: Number, _ value: Int) -> Self {
        Self(.number(name, min(max(value, name.range.lowerBound), name.range.upperBound)))
    }

    /// The point in a response at which a fault happens.
    public struct Point: Hashable, Sendable {
        enum Place: Hashable, Sendable {
            case beforeHeaders, afterHeaders, halfway
            case bytes(Int)
        }

        let place: Place

        /// Before the headers.
        public static let beforeHeaders = Self(place: .beforeHeaders)
        /// After the headers, before the body.
        public static let afterHeaders = Self(place: .afterHeaders)
        /// After half of the body. A client that requests the rest receives half of the rest, and so reaches the end.
        public static let midBody = Self(place: .halfway)

        /// After a number of bytes of the body, at least 0. The count starts at the body's first byte, even for a byte range. Shorter
        /// bodies have no fault.
        public static func midBody(after bytes: Int) -> Self { Self(place: .bytes(max(0, bytes))) }
    }
}

extension Fault {
    /// No fault.
    public static let none = Self(.plain(.none))

    /// Sends a status with a short text instead of the file.
    ///
    /// - Parameters:
    ///   - code: the status, 200 to 599.
    ///   - retryAfter: the header `Retry-After`, in seconds; `nil` for none.
    public static func status(_ code: Int, retryAfter: Int? = nil) -> Self {
        Self(.status(min(max(code, 200), 599), retryAfter: retryAfter.map { max(0, $0) }))
    }

    // MARK: The connection

    /// Refuses the connection. Available only in addresses of `FaultServer.url(for:fault:on:)`. A stopped server refuses all
    /// connections.
    public static let refused = Self(.plain(.refused))

    /// Sends nothing more, and keeps the connection open until the client disconnects or the server stops.
    public static func hang(_ point: Point) -> Self { Self(.cut(.hang, point)) }

    /// Closes the connection normally. A client that ignores the length takes this for the end of the file.
    public static func close(_ point: Point) -> Self { Self(.cut(.close, point)) }

    /// Resets the connection (RST). Bytes that the client has not received within 10 s are lost.
    public static func reset(_ point: Point) -> Self { Self(.cut(.reset, point)) }

    /// Stops the server, as if it were killed, and restarts it later on the same port. All its connections are closed.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes of the body before the stop; `nil` for half of it.
    ///   - downtime: the time until the restart, by the server's clock.
    public static func outage(after bytes: Int? = nil, for downtime: Duration) -> Self {
        Self(.outage(bytes.map { max(0, $0) }, max(.zero, downtime)))
    }

    /// Encrypts the connection with a certificate. Available only in addresses of `FaultServer.url(for:fault:on:)`.
    public static func tls(_ certificate: TLSCertificate) -> Self { Self(.tls(certificate)) }

    // MARK: Time

    /// Delays the response.
    ///
    /// - Parameter delay: the time, by the server's clock.
    public static func late(_ delay: Duration) -> Self { Self(.late(max(.zero, delay))) }

    /// Limits the rate of the body.
    ///
    /// - Parameter bytesPerSecond: the rate, at least 1. Ten pieces are sent each second, of at least one byte.
    public static func drip(bytesPerSecond: Int) -> Self { number(.drip, bytesPerSecond) }

    // MARK: Lengths and ranges

    /// Sends a `Content-Length` that is too long, and closes the connection after the body.
    public static func lengthTooLong(by bytes: Int) -> Self { number(.lengthTooLong, bytes) }

    /// Sends a `Content-Length` that is too short, and closes the connection after the whole body.
    public static func lengthTooShort(by bytes: Int) -> Self { number(.lengthTooShort, bytes) }

    /// Sends a chunked body without `Content-Length` (RFC 9112, 7.1). Valid, but its length is unknown.
    public static let chunked = Self(.plain(.chunked))

    /// Sends a body without `Content-Length` and chunks. It ends with the connection.
    public static let unframed = Self(.plain(.unframed))

    /// Ignores the header `Range`. Sends the whole file with status 200.
    public static let noRanges = Self(.plain(.noRanges))

    /// Answers a range request with a range that starts too late, and status 206. `Content-Range` contains the real
    /// range.
    public static func wrongRange(by bytes: Int) -> Self { number(.wrongRange, bytes) }

    // MARK: Redirects

    /// Redirects to the same file without faults. Clients must follow.
    public static let redirect = Self(.plain(.redirect))

    /// Redirects to the requested address.
    public static let redirectLoop = Self(.plain(.redirectLoop))

    /// Redirects to the `file:` address of the same file. A client that follows could be led to read any local file.
    public static let redirectToFile = Self(.plain(.redirectToFile))

    /// Redirects to an address with any scheme.
    public static func redirect(to address: String) -> Self { Self(.redirectTo(address)) }

    // MARK: Content

    /// Sends random bytes, as many as the file has. They are the same each time.
    public static let garbage = Self(.plain(.garbage))

    /// Sends an empty body.
    public static let empty = Self(.plain(.empty))

    /// Sends a different `Content-Type`.
    public static func contentType(_ type: String) -> Self { Self(.type(type)) }

    // MARK: Expiring addresses

    /// Sends 403 after a number of responses. A new `token` in the query of the address resets the count. Addresses in playlists get the
    /// same token.
    public static func expires(afterRequests count: Int) -> Self { number(.expiresAfterRequests, count) }

    /// Sends 403 after a number of bytes. A new `token` in the query of the address resets the count. Addresses in playlists get the
    /// same token.
    public static func expires(afterBytes count: Int) -> Self { number(.expiresAfterBytes, count) }

    // MARK: HLS

    /// Turns each media playlist (RFC 8216) with an end into a live stream.
    ///
    /// The window moves from the first request on, by the durations of the segments and the server's clock. The stream ends with the
    /// playlist.
    ///
    /// - Parameter window: the number of segments, in `1...10_000`.
    public static func live(window: Int) -> Self { number(.live, window) }

    /// Works like `live(window:)`, but repeats the segments after a discontinuity and never ends.
    public static func endlessLive(window: Int) -> Self { number(.endlessLive, window) }

    /// Works like `live(window:)`, but the playlist stops changing after a time, without an end.
    ///
    /// - Parameters:
    ///   - window: the number of segments, in `1...10_000`.
    ///   - time: the time since the first request, by the server's clock.
    public static func stallingLive(window: Int, after time: Duration) -> Self {
        Self(.stallingLive(min(max(1, window), largestWindow), max(.zero, time)))
    }

    /// Lists a segment of each media playlist twice.
    ///
    /// - Parameter number: the position of the segment, from 1.
    public static func duplicateSegment(_ number: Int) -> Self { .number(.duplicateSegment, number) }

    /// Replaces the addresses in media playlists by `file:` addresses. A client that plays them could be led to read any
    /// local file.
    public static let playlistToFile = Self(.plain(.playlistToFile))
}
