import Foundation

/// The facts about a request that faults need.
struct FaultContext {
    /// The path of the file.
    let path: String
    /// The address of the file on the same server, without a plan.
    let honestLocation: String
    /// The requested address.
    let ownLocation: String
    /// The files of the server.
    let library: Library
    /// The value of `token` in the address, or an empty string.
    let token: String
    /// The number of earlier responses with this plan and token, and the bytes of their bodies.
    let usage: Usage
    /// The time since the first request with this plan.
    let elapsed: Duration

    struct Usage: Equatable {
        var answers = 0
        var bytes = 0
    }
}

/// A file before it becomes a response.
struct Content {
    let path: String
    var data: Data
    var type: String
    var range: String?
}

extension Fault {
    /// Applies the fault to the file.
    func change(_ content: inout Content, in context: FaultContext) {
        switch kind {
        case .plain(.garbage): content.data = Self.noise(content.data.count)
        case .plain(.empty): content.data = Data()
        case .type(let type): content.type = type
        case .plain(.noRanges): content.range = nil
        case .number(.wrongRange, let shift):
            content.range = Self.shifted(content.range, by: shift, of: content.data.count)
        case .number(.expiresAfterRequests, _), .number(.expiresAfterBytes, _):
            if !context.token.isEmpty { content.addQuery("?token=" + context.token) }
        case .number(.live, let window):
            content.changePlaylist { $0.showWindow(window, after: context.elapsed, isEndless: false) }
        case .number(.endlessLive, let window):
            content.changePlaylist { $0.showWindow(window, after: context.elapsed, isEndless: true) }
        case .stallingLive(let window, let time):
            content.changePlaylist { playlist in
                playlist.showWindow(window, after: min(context.elapsed, time), isEndless: false)
                playlist.isEnded = false
            }
        case .number(.duplicateSegment, let number): content.changePlaylist { $0.duplicateSegment(number) }
        case .plain(.playlistToFile):
            let path = content.path
            content.changePlaylist { playlist in
                playlist.mapAddresses { context.library.address(of: HLSIndex.path(of: $0, in: path)).absoluteString }
            }
        default: break
        }
    }

    /// Applies the fault to the response.
    func change(_ response: inout Response, in context: FaultContext) {
        switch kind {
        case .status(let code, let retryAfter):
            response.become(Response(status: code, headers: retryAfter.map { [("Retry-After", "\($0)")] } ?? []))
        case .number(.expiresAfterRequests, let count):
            if context.usage.answers >= count { response.become(Response(status: 403, text: "expired")) }
        case .number(.expiresAfterBytes, let count):
            if context.usage.bytes >= count { response.become(Response(status: 403, text: "expired")) }
        case .plain(.redirect): response.redirect(to: context.honestLocation)
        case .plain(.redirectLoop): response.redirect(to: context.ownLocation)
        case .plain(.redirectToFile): response.redirect(to: context.library.address(of: context.path).absoluteString)
        case .redirectTo(let address): response.redirect(to: address)
        case .late(let delay): response.delay += delay
        case .number(.drip, let rate): response.bytesPerSecond = rate
        case .number(.lengthTooLong, let bytes): (response.framing, response.ending) = (.length(error: bytes), .close)
        case .number(.lengthTooShort, let bytes): (response.framing, response.ending) = (.length(error: -bytes), .close)
        case .plain(.chunked): response.framing = .chunked
        case .plain(.unframed): (response.framing, response.ending) = (.untilClose, .close)
        case .cut(let cut, let point): response.end(by: .cut(cut), at: point)
        case .outage(let bytes, let time):
            response.end(by: .outage(time), at: bytes.map { .midBody(after: $0) } ?? .midBody)
        default: break
        }
    }

    private static func shifted(_ header: String?, by shift: Int, of count: Int) -> String? {
        guard case .bytes(let part) = RangeHeader.part(header, of: count) else { return header }
        let first = min(part.lowerBound + shift, count - 1)
        return "bytes=\(first)-\(max(first, min(part.upperBound - 1 + shift, count - 1)))"
    }

    /// Returns random bytes, always the same ones. No media format starts with them.
    private static func noise(_ count: Int) -> Data {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return Data(
            (0..<count).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state)
            })
    }
}

extension Response {
    fileprivate mutating func become(_ other: Response) {
        (status, headers, body) = (other.status, other.headers, other.body)
    }

    fileprivate mutating func redirect(to location: String) {
        become(Response(status: 302, headers: [("Location", location)]))
    }

    /// Ends the response at a point. A shorter body is not affected.
    fileprivate mutating func end(by ending: Ending, at point: Fault.Point) {
        switch point.place {
        case .beforeHeaders: (status, limit) = (nil, 0)
        case .afterHeaders: limit = 0
        case .halfway:
            guard !sentBody.isEmpty else { return }
            limit = body.count / 2
        case .bytes(let count):
            guard count < sentBody.count else { return }
            limit = count
        }
        self.ending = ending
    }
}
