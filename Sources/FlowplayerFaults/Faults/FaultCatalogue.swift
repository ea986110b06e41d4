/// One of each fault, with numbers that suit a clip of some hundred kilobytes.
public enum FaultCatalogue {
    /// A plan, and what a client sees of it.
    public struct Entry: Hashable, Sendable {
        /// Ready to be used; its `description` is what an address begins with.
        public let plan: FaultPlan
        /// One line for people.
        public let summary: String
        /// Whether it is about HLS: with other media nothing goes wrong.
        public var isForHLS: Bool { summary.hasPrefix(FaultCatalogue.hls) }
    }

    private static let hls = "HLS: "

    /// All of them, sorted by what they are about.
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

        ("refused", "nobody listens on the port"),
        ("hang-before-headers", "no answer, for ever"),
        ("hang-after-headers", "headers, then nothing more"),
        ("hang-mid-body", "half of the body, then nothing more"),
        ("hang-mid-body@1", "half of the body, then nothing more, once"),
        ("close-before-headers", "the connection is closed without an answer"),
        ("close-after-headers", "the connection is closed after the headers"),
        ("close-mid-body", "the connection is closed after half of the body, each time"),
        ("close-mid-body@1", "the connection is closed after half of the body, once"),
        ("reset-before-headers", "the connection is reset without an answer"),
        ("reset-after-headers", "the connection is reset after the headers"),
        ("reset-mid-body", "the connection is reset after half of the body, each time"),
        ("reset-mid-body=100000@1", "the connection is reset after 100 kB, once"),
        ("outage=3@1", "the server is killed after half of the body, and back 3 s later"),

        ("late=2", "the answer begins 2 s late"),
        ("drip=20000", "20 kB a second"),

        ("length-too-long=1000", "Content-Length promises 1000 bytes too many"),
        ("length-too-short=1000", "Content-Length promises 1000 bytes too few"),
        ("chunked", "no Content-Length: in chunks"),
        ("unframed", "no Content-Length: up to the end of the connection"),
        ("no-ranges", "parts cannot be asked for: always 200 and the whole"),
        ("wrong-range=1000", "another part than asked for: 1000 bytes further on"),

        ("redirect", "302 to the same file, where all is well"),
        ("redirect-loop", "302 to itself"),
        ("redirect-to-file", "302 to the same file by its file: address"),
        ("redirect-to-file@2-", "honest at first, from the second request on 302 to the file: address"),
        ("redirect-to-file@ranged", "302 to the file: address for requests with a Range"),
        ("redirect-to=ftp:%2F%2F127.0.0.1%2Fclip.mp4", "302 to an address of another scheme"),

        ("tls", "HTTPS with a certificate of the kit's own authority"),
        ("tls-self-signed", "HTTPS with a self-signed certificate"),
        ("tls-expired", "HTTPS with a certificate that has expired"),
        ("tls-other-host", "HTTPS with a certificate for another host"),

        ("garbage", "bytes without meaning"),
        ("empty", "a body of no bytes"),
        ("type=text%2Fhtml", "Content-Type: text/html"),

        ("status=404@variant1", "HLS: the first variant's playlist is missing"),
        ("status=404@segment2", "HLS: the second segment is missing"),
        ("late=3@segment2", "HLS: the second segment comes 3 s late"),
        ("garbage@segment2", "HLS: the second segment is rotten"),
        ("duplicate-segment=2", "HLS: the playlist names the second segment twice"),
        ("playlist-to-file", "HLS: the playlist names file: addresses"),
        ("live=3", "HLS: a live stream, a window of 3 segments, up to the last segment"),
        ("live-endless=3", "HLS: a live stream that begins again after its last segment"),
        ("live-stalls=3,4", "HLS: a live stream whose playlist stands still after 4 s"),
    ].map { text, summary in
        guard let plan = FaultPlan(text) else { preconditionFailure("no plan: \(text)") }
        return Entry(plan: plan, summary: summary)
    }
}
