#if VLC
import FlyingFox
import FlyingSocks
import Foundation
import Playback
import Synchronization

/// The way of one item through the gateway, closed with the last reference.
package final class HLSProxySession: Sendable {
    package enum Kind: String {
        case playlist
        case segment
        /// What must not be asked for by who names it.
        case forbidden
    }

    private struct State {
        package var readers: [ObjectIdentifier: HTTPReader] = [:]
        /// Whether segments have come, so that what fails now may be tried again.
        package var hasBegun = false
        /// Forgotten as soon as a segment has come whole; of playlists, as soon as one has come.
        package var failures: [Kind: PlaybackError] = [:]
        /// What libVLC was told last.
        package var segments: HLSPlaylist.Segments?
        /// Whether libVLC has been told that no more segments will come.
        package var isComplete = false
        package var isClosed = false
    }

    /// Nobody else on this machine can guess it.
    package let name = (0..<4).map { _ in String(UInt32.random(in: 0...UInt32.max), radix: 36) }.joined()
    private let base: URL
    private let stream: HLSStream
    private let state: Mutex<State>

    /// - Parameter hasBegun: whether it has played already, so that what fails may be tried again.
    package init(to stream: HLSStream, hasBegun: Bool) {
        self.stream = stream
        base = URL(string: "http://127.0.0.1:\(stream.port)/\(name)")!
        state = Mutex(State(hasBegun: hasBegun))
        HLSProxyServer.shared.open(self)
    }

    deinit { close() }

    /// Nothing is waited for any more, and nothing is answered: libVLC, which waits with its requests, can be stopped.
    package func close() {
        HLSProxyServer.shared.close(name)
        let readers = state.withLock { state in
            state.isClosed = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.cancel() }
    }

    /// What failed last, unless something has come since.
    package var error: PlaybackError? {
        state.withLock { $0.failures[.segment] ?? $0.failures[.playlist] ?? $0.failures[.forbidden] }
    }

    /// Why nothing comes, also where it is still being tried.
    package var trouble: PlaybackError? {
        for reader in state.withLock({ Array($0.readers.values) }) {
            if let trouble = reader.trouble { return trouble }
        }
        return error
    }

    /// Where libVLC asks for what is at an address.
    ///
    /// - Parameter origin: where it was named; `nil`: in the stream's own playlist.
    package func address(of url: URL, _ kind: Kind, from origin: URL? = nil) -> URL {
        let kind = stream.access.security.error(for: url, from: origin ?? stream.url) == nil ? kind : .forbidden
        let part = Data(url.absoluteString.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        // libVLC knows some formats by the end of their name.
        let name = url.lastPathComponent.isEmpty ? "stream" : url.lastPathComponent
        return base.appending(components: kind.rawValue, part, name)
    }

    /// The address that a part of a path stands for.
    package static func url(_ part: String) -> URL? {
        let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: base64 + padding).flatMap { URL(string: String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether libVLC knows all segments that there will be.
    package var isComplete: Bool { state.withLock(\.isComplete) }

    /// The segments that libVLC has been told of last; `nil` before it knows any.
    package var segments: HLSPlaylist.Segments? { state.withLock(\.segments) }

    // MARK: Answering

    /// - Parameter range: as libVLC asks for it: only the bytes of the segment are wanted.
    package func answer(_ kind: Kind, _ url: URL, range: String?) async -> HTTPResponse {
        let range = range.flatMap(ByteRange.init)
        if let error = stream.access.security.error(for: url, from: stream.url) ?? unreachable(url) {
            return refuse(error, .forbidden)
        }
        switch kind {
        case .forbidden: return refuse(PlaybackError(.addressForbidden, url: stream.url), .forbidden)
        case .segment:
            let reader = await reader(for: url, range)
            guard let head = reader.facts else { return refuse(failure(of: reader, url), .segment) }
            return segment(reader, head, range)
        case .playlist: return await variant(at: url)
        }
    }

    /// The playlist of a variant or, if that is missing from the beginning, of another one like it.
    private func variant(at url: URL) async -> HTTPResponse {
        var refusal: PlaybackError?
        for candidate in stream.candidates(for: url) {
            let reader = await reader(for: candidate, nil)
            if let head = reader.facts {
                stream.found(candidate, for: url)
                return await playlist(reader, head)
            }
            let error = failure(of: reader, candidate)
            refusal = refusal ?? error
            if error.httpStatus == nil { break }
        }
        return refuse(refusal ?? PlaybackError(.connectionFailed, url: url), .playlist)
    }

    private func failure(of reader: HTTPReader, _ url: URL) -> PlaybackError {
        done(reader)
        return reader.error ?? PlaybackError(.connectionFailed, url: url)
    }

    private func unreachable(_ url: URL) -> PlaybackError? {
        url.isHTTP || url.isFileURL ? nil : PlaybackError(.addressForbidden, url: stream.url)
    }

    private func reader(for url: URL, _ range: ByteRange?) async -> HTTPReader {
        let retriesOpening = state.withLock(\.hasBegun)
        return await withCheckedContinuation { continuation in
            let reader = HTTPReader(
                url, range: range, by: stream.access, retriesOpening: retriesOpening
            ) { continuation.resume(returning: $0) }
            let isClosed = state.withLock {
                $0.readers[ObjectIdentifier(reader)] = reader
                return $0.isClosed
            }
            if isClosed { reader.cancel() }
        }
    }

    private func segment(_ reader: HTTPReader, _ head: HTTPHead, _ range: ByteRange?) -> HTTPResponse {
        state.withLock { $0.hasBegun = true }
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

    private func playlist(_ reader: HTTPReader, _ head: HTTPHead) async -> HTTPResponse {
        defer { done(reader) }
        var bytes: [UInt8] = []
        while let chunk = await reader.next(SegmentBytes.chunk), bytes.count <= MediaProbe.playlistLimit {
            bytes += chunk
        }
        guard reader.error == nil, bytes.count <= MediaProbe.playlistLimit else {
            return refuse(reader.error ?? PlaybackError(.invalidResponse, url: head.url), .playlist)
        }
        let playlist = HTTPHead.text(bytes)
        if case .media(let segments)? = HLSPlaylist(playlist, url: head.url) {
            state.withLock {
                $0.segments = segments
                $0.isComplete = $0.isComplete || segments.isComplete
                $0.failures[.playlist] = nil
            }
        }
        let text = PlaylistRewriter.rewritten(playlist, at: head.url) { address(of: $0, $1, from: head.url) }
        var response = HTTPResponse(statusCode: .ok, body: Data(text.utf8))
        response.headers[.contentType] = "application/vnd.apple.mpegurl"
        return response
    }

    private func refuse(_ error: PlaybackError, _ kind: Kind) -> HTTPResponse {
        state.withLock { $0.failures[kind] = error }
        let status = error.code == .addressForbidden ? 403 : error.httpStatus ?? 502
        return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "Refused"))
    }

    private func done(_ reader: HTTPReader) {
        state.withLock { $0.readers[ObjectIdentifier(reader)] = nil }
        reader.cancel()
    }
}

/// The bytes of a segment, as fast as libVLC takes them.
private struct SegmentBytes: AsyncBufferedSequence {
    package typealias Element = UInt8

    package static let chunk = 64 << 10

    private let iterator: Iterator

    package init(_ reader: HTTPReader, done: @escaping @Sendable (PlaybackError?) -> Void) {
        iterator = Iterator(reader: reader, ending: Ending(reader, done))
    }

    package func makeAsyncIterator() -> Iterator { iterator }

    /// Goes with the last that could ask for more.
    fileprivate final class Ending: Sendable {
        package let reader: HTTPReader
        package let done: @Sendable (PlaybackError?) -> Void

        package init(_ reader: HTTPReader, _ done: @escaping @Sendable (PlaybackError?) -> Void) {
            self.reader = reader
            self.done = done
        }

        deinit { done(reader.error) }
    }

    package struct Iterator: AsyncBufferedIteratorProtocol, Sendable {
        fileprivate let reader: HTTPReader
        fileprivate let ending: Ending

        package mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        package mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            if let bytes = await reader.next(Swift.max(count, SegmentBytes.chunk)) { return bytes }
            // What is cut short must not look whole: libVLC would wait for the rest for ever.
            guard reader.hasEnded else { throw reader.error ?? CancellationError() }
            return nil
        }
    }
}
#endif
