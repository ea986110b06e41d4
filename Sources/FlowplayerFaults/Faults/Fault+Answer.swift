import Foundation

/// What a fault has to know of the request.
struct FaultContext {
    /// Of the file.
    let path: String
    /// The address of the file on the same server without any plan.
    let honestLocation: String
    /// The address that was asked for.
    let ownLocation: String
    /// Where files are on this machine.
    let library: Library
    /// What the address has for `token`; empty if it has none.
    let token: String
    /// How many answers this plan and this token have had before, and how many bytes of bodies.
    let usage: Usage
    /// Since the first request for this plan.
    let elapsed: Duration

    struct Usage: Equatable {
        var answers = 0
        var bytes = 0
    }
}

/// A file on its way to an answer.
struct Content {
    let path: String
    var data: Data
    var type: String
    var range: String?
}

extension Fault {
    /// What the fault makes of the file.
    func change(_ content: inout Content, in context: FaultContext) {
        switch kind {
        case .garbage: content.data = Self.noise(content.data.count)
        case .empty: content.data = Data()
        case .type(let type): content.type = type
        case .noRanges: content.range = nil
        case .wrongRange(let shift): content.range = Self.shifted(content.range, by: shift, of: content.data.count)
        case .expiresAfterRequests, .expiresAfterBytes:
            guard !context.token.isEmpty, var playlist = PlaylistText(content) else { return }
            playlist.addQuery("?token=" + context.token)
            content.data = Data(playlist.text.utf8)
        case .live, .endlessLive, .stallingLive, .duplicateSegment, .playlistToFile:
            guard var playlist = MediaPlaylist(content) else { return }
            change(&playlist, of: content.path, in: context)
            content.data = Data(playlist.text.utf8)
        default: break
        }
    }

    private func change(_ playlist: inout MediaPlaylist, of path: String, in context: FaultContext) {
        switch kind {
        case .live(let window): playlist.showWindow(window, after: context.elapsed, isEndless: false)
        case .endlessLive(let window): playlist.showWindow(window, after: context.elapsed, isEndless: true)
        case .stallingLive(let window, let time):
            playlist.showWindow(window, after: min(context.elapsed, time), isEndless: false)
            playlist.isEnded = false
        case .duplicateSegment(let number): playlist.duplicateSegment(number)
        case .playlistToFile:
            playlist.mapAddresses { context.library.address(of: HLSIndex.path(of: $0, in: path)).absoluteString }
        default: break
        }
    }

    /// What the fault makes of the answer.
    func change(_ answer: inout Answer, in context: FaultContext) {
        switch kind {
        case .status(let code, let retryAfter):
            answer.become(
                Answer(status: code, headers: retryAfter.map { [("Retry-After", "\($0)")] } ?? []))
        case .expiresAfterRequests(let count):
            if context.usage.answers >= count { answer.become(Answer(status: 403, text: "expired")) }
        case .expiresAfterBytes(let count):
            if context.usage.bytes >= count { answer.become(Answer(status: 403, text: "expired")) }
        case .redirect: answer.redirect(to: context.honestLocation)
        case .redirectLoop: answer.redirect(to: context.ownLocation)
        case .redirectToFile: answer.redirect(to: context.library.address(of: context.path).absoluteString)
        case .redirectTo(let address): answer.redirect(to: address)
        case .late(let delay): answer.delay += delay
        case .drip(let rate): answer.bytesPerSecond = rate
        case .lengthTooLong(let bytes): (answer.framing, answer.ending) = (.length(error: bytes), .close)
        case .lengthTooShort(let bytes): (answer.framing, answer.ending) = (.length(error: -bytes), .close)
        case .chunked: answer.framing = .chunked
        case .unframed: (answer.framing, answer.ending) = (.untilClose, .close)
        case .cut(let cut, let point): answer.end(by: .cut(cut), at: point)
        case .outage(let bytes, let time):
            answer.end(by: .outage(time), at: bytes.map { .midBody(after: $0) } ?? .midBody)
        default: break
        }
    }

    private static func shifted(_ header: String?, by shift: Int, of count: Int) -> String? {
        guard case .bytes(let part) = RangeHeader.part(header, of: count) else { return header }
        let first = min(part.lowerBound + shift, count - 1)
        return "bytes=\(first)-\(max(first, min(part.upperBound - 1 + shift, count - 1)))"
    }

    /// Always the same, and nothing that any format begins with.
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

extension Answer {
    fileprivate mutating func become(_ other: Answer) {
        (status, headers, body) = (other.status, other.headers, other.body)
    }

    fileprivate mutating func redirect(to location: String) {
        become(Answer(status: 302, headers: [("Location", location)]))
    }

    /// Nothing happens to a body that is over before.
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
