/// One plan for each kind of fault, for clips of some hundred kilobytes.
public enum FaultCatalogue {
    /// A plan with its summary.
    public struct Entry: Hashable, Sendable {
        /// The plan. Its `description` is the beginning of an address.
        public let plan: FaultPlan
        /// A line that describes the plan.
        public let summary: String
        /// `true` if the fault affects HLS only.
        public var isForHLS: Bool { summary.hasPrefix(FaultCatalogue.hls) }
    }

    private static let hls = "HLS: "

    /// All plans, sorted by topic.
    public static let entries: [Entry] = [
        ("none", "nothing goes wrong"),

        ("status=404", "404 Not Found"),
        ("status=403", "403 Forbidden"),
        ("status=410", "410 Gone"),
        ("status=429,2@1", "429 Too Many Requests with Retry-After: 2, once"),
        ("status=500", "500 Internal Server Error"),
        ("status=503@1", "503 Service Unavailable once, then fine"),
        ("expires-requests=3", "403 after 3 requests, until the address has another ?token="),
        ("expires-bytes=100000", "403 once 100 kB have been sent, until the address has another ?token="),

        ("refused", "no server listens on the port"),
        ("hang-before-headers", "no response"),
        ("hang-after-headers", "headers, then no more data"),
        ("hang-mid-body", "half of the body, then no more data"),
        ("hang-mid-body@1", "half of the body, then no more data, once"),
        ("close-before-headers", "the connection is closed without a response"),
        ("close-after-headers", "the connection is closed after the headers"),
        ("close-mid-body", "the connection is closed after half of the body, each time"),
        ("close-mid-body@1", "the connection is closed after half of the body, once"),
        ("reset-before-headers", "the connection is reset without a response"),
        ("reset-after-headers", "the connection is reset after the headers"),
        ("reset-mid-body", "the connection is reset after half of the body, each time"),
        ("reset-mid-body=100000@1", "the connection is reset after 100 kB, once"),
        ("outage=3@1", "the server is down for 3 s, after half of the body"),

        ("late=2", "the response starts 2 s late"),
        ("drip=20000", "20 kB per second"),

        ("length-too-long=1000", "Content-Length is 1000 bytes too long"),
        ("length-too-short=1000", "Content-Length is 1000 bytes too short"),
        ("chunked", "no Content-Length, chunked body"),
        ("unframed", "no Content-Length, the body ends with the connection"),
        ("no-ranges", "byte ranges are ignored: always 200 and the whole file"),
        ("wrong-range=1000", "the byte range starts 1000 bytes too late"),

        ("redirect", "302 to the same file without faults"),
        ("redirect-loop", "302 to itself"),
        ("redirect-to-file", "302 to the file: address of the same file"),
        ("redirect-to-file@2-", "no fault at first, 302 to the file: address from the second request"),
        ("redirect-to-file@ranged", "302 to the file: address for range requests"),
        ("redirect-to=ftp:%2F%2F127.0.0.1%2Fclip.mp4", "302 to an ftp: address"),

        ("tls", "HTTPS with a certificate of the kit's authority"),
        ("tls-self-signed", "HTTPS with a self-signed certificate"),
        ("tls-expired", "HTTPS with a certificate that has expired"),
        ("tls-other-host", "HTTPS with a certificate for another host"),

        ("garbage", "random bytes"),
        ("empty", "an empty body"),
        ("type=text%2Fhtml", "Content-Type: text/html"),

        ("status=404@variant1", "HLS: the first variant's playlist is missing"),
        ("status=404@segment2", "HLS: the second segment is missing"),
        ("late=3@segment2", "HLS: the second segment starts 3 s late"),
        ("garbage@segment2", "HLS: the second segment contains random bytes"),
        ("duplicate-segment=2", "HLS: the playlist lists the second segment twice"),
        ("playlist-to-file", "HLS: the playlist contains file: addresses"),
        ("live=3", "HLS: a live stream with a window of 3 segments, which ends"),
        ("live-endless=3", "HLS: a live stream that repeats its segments without end"),
        ("live-stalls=3,4", "HLS: a live stream whose playlist stops changing after 4 s"),
    ].map { text, summary in
        guard let plan = FaultPlan(text) else { preconditionFailure("invalid plan: \(text)") }
        return Entry(plan: plan, summary: summary)
    }
}
