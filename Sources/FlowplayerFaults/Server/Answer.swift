import Foundation

/// What is sent for one request, as data.
struct Answer: Sendable {
    /// How the client knows where the body ends.
    enum Framing: Equatable {
        /// By the header `Content-Length`, which may differ from the truth by so much.
        case length(error: Int)
        case chunked
        case untilClose
    }

    /// What becomes of the connection.
    enum Ending: Equatable {
        /// It waits for the next request.
        case keepAlive
        case close
        case cut(Fault.Cut)
        case outage(Duration)
    }

    var delay = Duration.zero
    /// `nil`: not even headers are sent.
    var status: Int?
    var headers: [(name: String, value: String)]
    var body: Data
    var framing = Framing.length(error: 0)
    var bytesPerSecond: Int?
    /// How much of the body is sent; all of it if `nil`.
    var limit: Int?
    var ending = Ending.keepAlive
    /// Whether only the headers were asked for.
    var isHead = false

    /// A short text for people.
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

    /// A file, or the part of it that is asked for.
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

    /// What is sent of the body if nothing cuts it short: nothing where HTTP has no body.
    var sentBody: Data { isHead || status == 204 || status == 304 ? Data() : body }

    /// All headers in the order in which they are sent.
    ///
    /// - Parameter stays: whether the connection is to stay as far as the client is concerned.
    func allHeaders(stays: Bool) -> [(name: String, value: String)] {
        var all = headers
        switch framing {
        case .length(let error): all.append(("Content-Length", "\(max(0, body.count + error))"))
        case .chunked: all.append(("Transfer-Encoding", "chunked"))
        case .untilClose: break
        }
        if !stays || framing == .untilClose { all.append(("Connection", "close")) }
        return all
    }
}
