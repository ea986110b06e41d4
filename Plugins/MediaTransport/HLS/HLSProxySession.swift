#if VLC || GStreamer
import Foundation
import Playback
import Synchronization

/// The HLS proxy's session for one item.
package final class HLSProxySession: Sendable {
    enum Kind: String {
        /// The stream's own playlist, with the variants that may be played.
        case master
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
        /// The address of that playlist.
        var playlist: URL?
        /// The number of the first segment in the first version of each media playlist.
        var firstNumbers: [URL: Int] = [:]
        /// `true` after the engine received a playlist that names the last segment.
        var isComplete = false
        var delivered = DeliveredSegments()
        /// The time of the first segment of a DASH stream that the engine received a playlist of, in seconds.
        var start: Double?
        /// The units of time in the segments of a DASH stream, by the names of their clocks.
        var scales: [String: FragmentClock.Scales] = [:]
        /// The declared bit rate of the variant that the engine requested last.
        var bandwidth: Double?
        var isClosed = false
        /// `true` while the engine shall not receive the refusal of a segment.
        var holdsRefusals: Bool
        /// Called when that ends.
        var held: [CheckedContinuation<Void, Never>] = []
    }

    /// The size of a part of a body, in bytes.
    private static let chunk = 64 << 10
    /// A request without bytes for this time waits for the network.
    private static let longestWait = Duration.milliseconds(100)

    /// The first part of the session's paths. Other users of the machine cannot guess it.
    let name = (0..<4).map { _ in String(UInt32.random(in: 0...UInt32.max), radix: 36) }.joined()
    private let base: URL
    private let stream: HLSStream
    private let state: Mutex<State>

    /// - Parameters:
    ///   - hasBegun: `true` if the stream has played before, so that requests are retried from the start.
    ///   - holdsRefusals: `true` if the refusals of segments wait for `releaseRefusals`. For an engine that cannot seek after one.
    package init(to stream: HLSStream, hasBegun: Bool, holdsRefusals: Bool = false) {
        self.stream = stream
        base = URL(string: "http://127.0.0.1:\(stream.port)/\(name)")!
        state = Mutex(State(hasStarted: hasBegun, holdsRefusals: holdsRefusals))
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
        releaseRefusals()
    }

    /// Answers the requests of segments that were refused, now and later.
    package func releaseRefusals() {
        let held = state.withLock { state in
            state.holdsRefusals = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    private func waitForRelease() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.holdsRefusals { state.held.append(continuation) }
                return state.holdsRefusals
            }
            if !isHeld { continuation.resume() }
        }
    }

    /// The last failure that is not resolved.
    package var error: PlaybackError? {
        state.withLock { $0.failures[.segment] ?? $0.failures[.playlist] ?? $0.failures[.forbidden] }
    }

    /// The reason why no bytes arrive at the moment, also if a retry follows.
    package var currentError: PlaybackError? {
        state.withLock { Array($0.readers.values) }.lazy.compactMap(\.currentError).first ?? error
    }

    /// The declared bit rate of the current variant, in bits per second; `nil` if it is unknown.
    package var indicatedBitRate: Double? { state.withLock(\.bandwidth) }

    /// `true` after the engine received a playlist that names the last segment.
    package var isComplete: Bool { state.withLock(\.isComplete) }

    /// The segments of the last media playlist that the engine received.
    package var segments: HLSPlaylist.Segments? { state.withLock(\.segments) }

    /// The media playlist that the engine received last, and the number of the first segment in its first version; `nil`
    /// before the first playlist of a variant.
    package var origin: (playlist: URL, segment: Int)? {
        state.withLock { state in
            state.playlist.flatMap { url in state.firstNumbers[url].map { (url, $0) } }
        }
    }

    /// `true` if a request waits for bytes for longer than a moment.
    package var isWaiting: Bool {
        state.withLock { Array($0.readers.values) }.contains { ($0.waitingTime ?? .zero) > Self.longestWait }
    }

    /// The address of a playlist for an engine that requests it over HTTP.
    ///
    /// - Parameter variant: the variant to play; `nil` for all.
    package func masterAddress(for variant: URL? = nil) -> URL {
        base.appending(components: Kind.master.rawValue, Self.part(of: variant ?? stream.url), "master.m3u8")
    }

    /// The received part of each segment of the variants, by its number. Separate audio is not included.
    package var deliveredParts: [Int: Double] { state.withLock(\.delivered.parts) }

    /// The engine drops what it has received, because it seeks.
    package func dropDelivered() { state.withLock { $0.delivered.drop() } }

    /// The engine requests other segments, because it seeks. Earlier failures do not matter.
    package func dropFailures() { state.withLock { $0.failures = [:] } }

    // MARK: Addresses

    /// Returns the proxy's address for an address in a playlist.
    ///
    /// - Parameter origin: the address of that playlist; `nil` for the stream's own.
    func address(of url: URL, _ kind: Kind, from origin: URL? = nil) -> URL {
        let kind = stream.options.security.error(for: url, from: origin ?? stream.url) == nil ? kind : .forbidden
        // Engines recognise some formats by the extension.
        let name = url.lastPathComponent.isEmpty ? "stream" : url.lastPathComponent
        return base.appending(components: kind.rawValue, Self.part(of: url), name)
    }

    /// Returns the part of a path that encodes an address.
    private static func part(of url: URL) -> String {
        Data(url.absoluteString.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the address that a part of a path encodes.
    static func url(_ part: String) -> URL? {
        let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: base64 + padding).flatMap { URL(string: String(decoding: $0, as: UTF8.self)) }
    }

    // MARK: Responses

    /// Answers a request of the engine.
    func answer(_ kind: Kind, _ url: URL, range: String?) async -> HLSProxyResponse {
        let isReadable = url.isHTTP || url.isFileURL
        let unreadable = isReadable ? nil : PlaybackError(.addressForbidden, url: stream.url)
        if let error = stream.options.security.error(for: url, from: stream.url) ?? unreadable {
            return refuse(error, .forbidden)
        }
        switch kind {
        case .master: return playlist(stream.masterPlaylist(for: url == stream.url ? nil : url, through: self).bytes)
        case .forbidden: return refuse(PlaybackError(.addressForbidden, url: stream.url), .forbidden)
        case .segment: return await segment(at: url, range.flatMap(ByteRange.init))
        case .playlist:
            if let variant = stream.variants.first(where: { $0.url == url }), variant.bandwidth > 0 {
                state.withLock { $0.bandwidth = variant.bandwidth }
            }
            if let dash = stream.dash { return await playlist(of: dash, at: url) }
            if let playlist = stream.unreadPlaylist(at: url) { return self.playlist(playlist, at: url, of: url) }
            return await variant(at: url)
        }
    }

    /// The playlist of a variant. If it is missing at the first request, a similar variant replaces it.
    private func variant(at url: URL) async -> HLSProxyResponse {
        var first: PlaybackError?
        for candidate in stream.candidates(for: url) {
            let reader = await reader(for: candidate)
            defer { done(reader) }
            if let head = reader.head {
                stream.found(candidate, for: url)
                let bytes = await reader.whole(upTo: MediaProbe.playlistLimit)
                if let bytes { return playlist(HTTPHead.text(bytes), at: head.url, of: url) }
                return refuse(reader.error ?? PlaybackError(.invalidResponse, url: head.url), .playlist)
            }
            let error = reader.error ?? PlaybackError(.connectionFailed, url: candidate)
            first = first ?? error
            if error.httpStatus == nil { break }
        }
        return refuse(first ?? PlaybackError(.connectionFailed, url: url), .playlist)
    }

    private func playlist(of dash: DASHPlaylists, at url: URL) async -> HLSProxyResponse {
        do throws(PlaybackError) {
            let playlist = try await dash.playlist(at: url) { url, range throws(PlaybackError) in
                if let error = stream.options.security.error(for: url, from: stream.url) { throw error }
                let reader = await reader(for: url, range)
                defer { done(reader) }
                guard let head = reader.head, let bytes = await reader.whole(upTo: MediaProbe.playlistLimit) else {
                    throw reader.error ?? PlaybackError(.invalidResponse, url: url)
                }
                return (bytes, head.url)
            }
            state.withLock { $0.start = $0.start ?? playlist.start }
            return self.playlist(playlist.text, at: stream.url, of: url)
        } catch {
            return refuse(error, error.code == .addressForbidden ? .forbidden : .playlist)
        }
    }

    /// - Parameters:
    ///   - url: the address of the playlist.
    ///   - variant: the address that the engine has requested.
    private func playlist(_ playlist: String, at url: URL, of variant: URL) -> HLSProxyResponse {
        if case .media(let segments)? = HLSPlaylist(playlist, url: url) {
            let isVariant = stream.segments != nil || stream.variants.contains { $0.url == variant }
            state.withLock {
                if isVariant { $0.delivered.add(playlist, at: url) }
                $0.segments = segments
                if isVariant {
                    $0.playlist = variant
                    $0.firstNumbers[variant] = $0.firstNumbers[variant] ?? segments.firstNumber
                }
                $0.isComplete = $0.isComplete || segments.isComplete
                $0.failures[.playlist] = nil
            }
        }
        let text = PlaylistRewriter.rewritten(playlist, at: url) { address(of: $0, $1, from: url) }
        return self.playlist(Array(text.utf8))
    }

    private func playlist(_ bytes: [UInt8]) -> HLSProxyResponse {
        let body = Mutex<[UInt8]?>(bytes)
        return HLSProxyResponse(
            fields: ["Content-Type": "application/vnd.apple.mpegurl"], size: bytes.count,
            next: { body.withLock { $0.take() } })
    }

    private func segment(at url: URL, _ range: ByteRange?) async -> HLSProxyResponse {
        let reader = await reader(for: url, range)
        guard let head = reader.head else {
            done(reader)
            let response = refuse(reader.error ?? PlaybackError(.connectionFailed, url: url), .segment)
            await waitForRelease()
            return response
        }
        state.withLock { $0.hasStarted = true }
        let isPart = range != nil && head.isPart
        var response = HLSProxyResponse(status: isPart ? 206 : 200, size: nil)
        if !head.contentType.isEmpty { response.fields["Content-Type"] = head.contentType }
        if let size = head.size {
            let end = min(range?.last.map { $0 + 1 } ?? size, size)
            let start = min(isPart ? range?.first ?? 0 : 0, end)
            if isPart { response.fields["Content-Range"] = "bytes \(start)-\(max(end, 1) - 1)/\(size)" }
            response.size = Int(end - start)
        }
        let (offset, size) = (range?.first ?? 0, response.size)
        state.withLock { $0.delivered.begin(url, at: offset, size: size) }
        let clock = fragmentClock(of: url)
        response.next = { [weak self] in
            while let bytes = await reader.next(Self.chunk) {
                self?.state.withLock { $0.delivered.received(bytes.count, of: url, at: offset) }
                guard let clock else { return bytes }
                // A part without bytes would end the body.
                let moved = clock.pass(bytes)
                if !moved.isEmpty { return moved }
            }
            if let rest = clock?.finish(), !rest.isEmpty { return rest }
            // A body that is cut short must break the connection. Otherwise the engine waits for the rest forever.
            guard reader.hasEnded else { throw reader.error ?? CancellationError() }
            self?.state.withLock { $0.delivered.completed(url, at: offset) }
            return nil
        }
        response.close = { [weak self] in
            self?.state.withLock {
                if let clock, let name = DASHPlaylists.Clock(url)?.name {
                    $0.scales[name] = clock.scales
                }
                if reader.hasEnded { $0.failures = [:] }
                if let error = reader.error { $0.failures[.segment] = error }
            }
            self?.done(reader)
        }
        return response
    }

    /// Moves the times of a DASH stream to those of its playlist; `nil` for another stream.
    private func fragmentClock(of url: URL) -> FragmentClock? {
        guard stream.dash != nil, let clock = DASHPlaylists.Clock(url) else { return nil }
        let (start, scales) = state.withLock { ($0.start ?? 0, $0.scales[clock.name] ?? [:]) }
        return FragmentClock(shift: clock.offset + start, language: clock.language, scales: scales)
    }

    private func refuse(_ error: PlaybackError, _ kind: Kind) -> HLSProxyResponse {
        state.withLock { $0.failures[kind] = error }
        let status = error.code == .addressForbidden ? 403 : error.httpStatus ?? 502
        return HLSProxyResponse(status: status)
    }

    // MARK: Readers

    /// Starts to read, and waits for the first bytes.
    private func reader(for url: URL, _ range: ByteRange? = nil) async -> HTTPReader {
        let hasStarted = state.withLock(\.hasStarted)
        let address = stream.dash == nil ? url : url.withoutFragment
        let reader = HTTPReader(address, range: range, by: stream.options, retriesOpening: hasStarted)
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

extension URL {
    /// The address that is requested.
    fileprivate var withoutFragment: URL {
        URL(string: String(absoluteString.prefix { $0 != "#" })) ?? self
    }
}
#endif
