/// A request to a `FaultServer`, with its response.
public struct FaultServerRequest: Hashable, Codable, Sendable, Identifiable {
    /// The end of a response. Frozen.
    public enum Ending: String, Codable, Hashable, Sendable {
        /// The response is still being sent, or hangs.
        case open
        /// The response was sent, and the connection was kept or closed normally.
        case sent
        /// The server closed the connection early because of a fault.
        case closed
        /// The server reset the connection.
        case reset
        /// The client disconnected first, or the server was stopped.
        case abandoned
    }

    /// The position in the order of requests, from 1.
    public let id: Int
    /// The HTTP method: `GET`, `HEAD` or another.
    public let method: String
    /// The path of the file, without a plan and percent-encoding: `/hls/clip.m3u8`.
    public let path: String
    /// The query after the `?`, as received.
    public let query: String?
    /// The header `Range`, as received.
    public var range: String? { headers["range"] }
    /// All header fields as received, with their names in lower case. Values of a repeated name are joined with a comma.
    public let headers: [String: String]
    /// The number of the request for this path and plan, from 1. `FaultOccasion` uses it.
    public let number: Int
    /// The time since the server started, by its clock.
    public let time: Duration
    /// The faults in the response.
    public let faults: [Fault]
    /// The status of the response; `nil` before it starts and if none is sent.
    public internal(set) var status: Int?
    /// The bytes of the body that the system has accepted. The client may have read fewer.
    public internal(set) var bytesSent: Int
    /// The end of the response.
    public internal(set) var ending: Ending
}
