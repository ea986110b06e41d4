#if VLC
import FlyingFox
import FlyingSocks
import Foundation
import Playback
import Synchronization

/// The HLS proxy's session for one item.
package final class HLSProxySession: Sendable {
    enum Kind: String {
        case playlist
        case segment
        /// An address that the policy forbids.
        case forbidden
    }

    private struct State {
        var readers: [ObjectIdentifier: HTTPReader] = [:]
        /// `true` after the first segment. Requests are then retried.
        var hasStarted = false
        /// The last failures. A complete segment removes all, and a playlist removes that of its kind.
        var failures: [Kind: PlaybackError] = [:]
        /// The segments of the last media playlist that the engine received.
        var segments: HLSPlaylist.Segments?
        /// `true` after the engine received a playlist that names the last segment.
        var isComplete = false
        var isClosed = false
    }

    /// The first part of the session's paths. Other users of the machine cannot guess it.
    let name = (0..<4).map { _ in String(UInt32.random(in: 0...UInt32.max), radix: 36) }.joined()
    private let base: URL
    private let stream: HLSStream
    private let state: Mutex<State>

    /// - Parameter hasBegun: `true` if the stream has played before, so that requests are retried from the start.
    package init(to stream: HLSStream, hasBegun: Bool) {
        self.stream = stream
        base = URL(string: "http://127.0.0.1:\(stream.port)/\(name)")!
        state = Mutex(State(hasStarted: hasBegun))
        HLSProxyServer.shared.open(self)
    }

    /// Cancels all requests, so that an engine that waits for them can be stopped. Later requests are refused.
    package func close() {
        HLSProxyServer.shared.close(self)
        let readers = state.withLock { state in
            state.isClosed = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.cancel() }
    }

    /// The last failure that is not resolved.
    package var error: PlaybackError? {
        state.withLock { $0.failures[.segment] ?? $0.failures[.playlist] ?? $0.failures[.forbidden] }
    }

    /// The reason why no bytes arrive at the moment, also if a retry follows.
    package var currentError: PlaybackError? {
        state.withLock { Array($0.readers.values) }.lazy.compactMap(\.currentError).first ?? error
    }

    /// `true` after the engine received a playlist that names the last segment.
    package var isComplete: Bool { state.withLock(\.isComplete) }

    /// The segments of the last media playlist that the engine received.
    package var segments: HLSPlaylist.Segments? { state.withLock(\.segments) }

    // MARK: Addresses

    /// Returns the proxy's address for an address in a playlist.
    ///
    /// - Parameter origin: the address of that playlist; `nil` for the stream's own.
    func address(of url: URL, _ kind: Kind, from origin: URL? = nil) -> URL {
        let kind = stream.options.security.error(for: url, from: origin ?? stream.url) == nil ? kind : .forbidden
        let part = Data(url.absoluteString.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        // Engines recognise some formats by the extension.
        let name = url.lastPathComponent.isEmpty ? "stream" : url.lastPathComponent
        return base.appending(components: kind.rawValue, part, name)
    }

    /// Returns the address that a part of a path encodes.
    static func url(_ part: String) -> URL? {
        let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: base64 + padding).flatMap { URL(string: String(decoding: $0, as: UTF8.self)) }
    }

    // MARK: Responses

    /// Answers a request of the engine.
    func answer(_ kind: Kind, _ url: URL, range: String?) async -> HTTPResponse {
        let isReadable = url.isHTTP || url.isFileURL
        let unreadable = isReadable ? nil : PlaybackError(.addressForbidden, url: stream.url)
        if let error = stream.options.security.error(for: url, from: stream.url) ?? unreadable {
            return refuse(error, .forbidden)
        }
        switch kind {
        case .forbidden: return refuse(PlaybackError(.addressForbidden, url: stream.url), .forbidden)
        case .segment: return await segment(at: url, range.flatMap(ByteRange.init))
        case .playlist:
            if let playlist = stream.unreadPlaylist(at: url) { return self.playlist(playlist, at: url) }
            return await variant(at: url)
        }
    }

    /// The playlist of a variant. If it is missing at the first request, a similar variant replaces it.
    private func variant(at url: URL) async -> HTTPResponse {
        var first: PlaybackError?
        for candidate in stream.candidates(for: url) {
            let reader = await reader(for: candidate)
            defer { done(reader) }
            if let head = reader.head {
                stream.found(candidate, for: url)
                let bytes = await reader.whole(upTo: MediaProbe.playlistLimit)
                if let bytes { return playlist(HTTPHead.text(bytes), at: head.url) }
                return refuse(reader.error ?? PlaybackError(.invalidResponse, url: head.url), .playlist)
            }
            let error = reader.error ?? PlaybackError(.connectionFailed, url: candidate)
            first = first ?? error
            if error.httpStatus == nil { break }
        }
        return refuse(first ?? PlaybackError(.connectionFailed, url: url), .playlist)
    }

    private func playlist(_ playlist: String, at url: URL) -> HTTPResponse {
        if case .media(let segments)? = HLSPlaylist(playlist, url: url) {
            state.withLock {
                $0.segments = segments
                $0.isComplete = $0.isComplete || segments.isComplete
                $0.failures[.playlist] = nil
            }
        }
        let text = PlaylistRewriter.rewritten(playlist, at: url) { address(of: $0, $1, from: url) }
        let type: HTTPHeaders = [.contentType: "application/vnd.apple.mpegurl"]
        return HTTPResponse(statusCode: .ok, headers: type, body: Data(text.utf8))
    }

    private func segment(at url: URL, _ range: ByteRange?) async -> HTTPResponse {
        let reader = await reader(for: url, range)
        guard let head = reader.head else {
            done(reader)
            return refuse(reader.error ?? PlaybackError(.connectionFailed, url: url), .segment)
        }
        state.withLock { $0.hasStarted = true }
        let bytes = SegmentBytes(reader) { [weak self] error in
            self?.state.withLock {
                if reader.hasEnded { $0.failures = [:] }
                if let error { $0.failures[.segment] = error }
            }
            self?.done(reader)
        }
        var response = HTTPResponse(statusCode: range != nil && head.isPart ? .partialContent : .ok)
        if !head.contentType.isEmpty { response.headers[.contentType] = head.contentType }
        guard let size = head.size else {
            response.payload = .httpBody(HTTPBodySequence(from: bytes, suggestedBufferSize: SegmentBytes.chunk))
            return response
        }
        let end = min(range?.last.map { $0 + 1 } ?? size, size)
        let start = min(head.isPart ? range?.first ?? 0 : 0, end)
        if head.isPart, range != nil {
            response.headers[.contentRange] = "bytes \(start)-\(max(end, 1) - 1)/\(size)"
        }
        response.payload = .httpBody(
            HTTPBodySequence(from: bytes, count: Int(end - start), suggestedBufferSize: SegmentBytes.chunk))
        return response
    }

    private func refuse(_ error: PlaybackError, _ kind: Kind) -> HTTPResponse {
        state.withLock { $0.failures[kind] = error }
        let status = error.code == .addressForbidden ? 403 : error.httpStatus ?? 502
        return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "Refused"))
    }

    // MARK: Readers

    /// Starts to read, and waits for the first bytes.
    private func reader(for url: URL, _ range: ByteRange? = nil) async -> HTTPReader {
        let hasStarted = state.withLock(\.hasStarted)
        let reader = HTTPReader(url, range: range, by: stream.options, retriesOpening: hasStarted)
        let isClosed = state.withLock {
            $0.readers[ObjectIdentifier(reader)] = reader
            return $0.isClosed
        }
        if isClosed { reader.cancel() }
        await reader.opened()
        return reader
    }

    private func done(_ reader: HTTPReader) {
        state.withLock { $0.readers[ObjectIdentifier(reader)] = nil }
        reader.cancel()
    }
}

/// The body of a response: the bytes of a segment, as fast as the engine reads them.
private final class SegmentBytes: AsyncBufferedSequence, AsyncBufferedIteratorProtocol, Sendable {
    typealias Element = UInt8

    static let chunk = 64 << 10

    private let reader: HTTPReader
    private let done: @Sendable (PlaybackError?) -> Void

    init(_ reader: HTTPReader, done: @escaping @Sendable (PlaybackError?) -> Void) {
        self.reader = reader
        self.done = done
    }

    /// The server no longer needs the bytes. FlyingFox has no other sign of that.
    deinit { done(reader.error) }

    func makeAsyncIterator() -> SegmentBytes { self }

    func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
        if let bytes = await reader.next(Swift.max(count, Self.chunk)) { return bytes }
        // A body that is cut short must break the connection. Otherwise the engine waits for the rest forever.
        guard reader.hasEnded else { throw reader.error ?? CancellationError() }
        return nil
    }
}
#endif
