import Foundation

/// The response to one request, as data.
struct Response: Sendable {
    /// How the response marks the end of its body.
    enum Framing: Equatable {
        /// The header `Content-Length`, with an error in bytes.
        case length(error: Int)
        case chunked
        case untilClose
    }

    /// The action on the connection after the response.
    enum Ending: Equatable {
        /// Wait for the next request.
        case keepAlive
        case close
        case cut(Fault.Cut)
        case outage(Duration)
    }

    var delay = Duration.zero
    /// The status, or `nil` to send no headers either.
    var status: Int?
    var headers: [(name: String, value: String)]
    var body: Data
    var framing = Framing.length(error: 0)
    var bytesPerSecond: Int?
    /// The number of bytes of the body to send, or `nil` for all.
    var limit: Int?
    var ending = Ending.keepAlive
    /// `true` for a `HEAD` request, whose response has no body.
    var isHead = false

    /// Creates a plain-text response.
    init(status: Int, text: String = "", headers: [(name: String, value: String)] = []) {
        self.init(
            status: status, headers: headers + [("Content-Type", "text/plain")],
            body: Data((text.isEmpty ? "\(status)\n" : text + "\n").utf8))
    }

    private init(status: Int, headers: [(name: String, value: String)], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response with a file or the requested range of it.
    init(_ content: Data, type: String, range: String?) {
        let general = [("Content-Type", type), ("Accept-Ranges", "bytes"), ("Cache-Control", "no-store")]
        switch RangeHeader.part(range, of: content.count) {
        case .whole: self.init(status: 200, headers: general, body: content)
        case .bytes(let part):
            self.init(
                status: 206,
                headers: general + [
                    ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(content.count)")
                ], body: content.dropFirst(part.lowerBound).prefix(part.count))
        case .unsatisfiable: self.init(status: 416, headers: [("Content-Range", "bytes */\(content.count)")])
        }
    }

    /// The body that is sent without a fault. Empty for responses that have no body in HTTP.
    var sentBody: Data { isHead || status == 204 || status == 304 ? Data() : body }

    /// Returns all headers, in sending order.
    ///
    /// - Parameter keepAlive: `false` to announce the end of the connection.
    func allHeaders(keepAlive: Bool) -> [(name: String, value: String)] {
        var all = headers
        switch framing {
        case .length(let error): all.append(("Content-Length", "\(max(0, body.count + error))"))
        case .chunked: all.append(("Transfer-Encoding", "chunked"))
        case .untilClose: break
        }
        if !keepAlive || framing == .untilClose { all.append(("Connection", "close")) }
        return all
    }
}
