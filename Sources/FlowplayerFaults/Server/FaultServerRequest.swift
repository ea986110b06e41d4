/// What a `FaultServer` was asked, and what it did about it.
public struct FaultServerRequest: Hashable, Codable, Sendable, Identifiable {
    /// How an answer went on. Frozen.
    public enum Ending: String, Codable, Hashable, Sendable {
        /// It is still being sent, or hangs.
        case open
        /// It was sent as far as it was to be, and the connection was left in good order.
        case sent
        /// The server closed the connection before the end, as the fault wants it.
        case closed
        /// The server reset the connection.
        case reset
        /// The client went away first, or the server was stopped.
        case abandoned
    }

    /// From 1 on, in the order of the requests.
    public let id: Int
    /// `GET`, `HEAD` or another one.
    public let method: String
    /// As the file is named, whatever the address begins with: `/hls/clip.m3u8`. Not percent-encoded.
    public let path: String
    /// What follows the `?`, as it was sent.
    public let query: String?
    /// The header `Range` as it was sent.
    public let range: String?
    /// From 1 on: the how-many-eth request for this path, with this plan. `FaultOccasion` counts so.
    public let number: Int
    /// Since the server was made, by its clock.
    public let time: Duration
    /// What went wrong in the answer; empty if it was as it should be.
    public let faults: [Fault]
    /// Of the answer; `nil` until it begins, and if none is sent.
    public internal(set) var status: Int?
    /// Of the body, so far: what was handed to the system, which is more than the client has read.
    public internal(set) var bytesSent: Int
    /// How the answer went on.
    public internal(set) var ending: Ending
}
