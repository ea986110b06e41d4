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
        /// A segment by its playlist and its number.
        case numbered
        /// The same. The session chooses its variant.
        case adaptive
        /// An address that the policy forbids.
        case forbidden
    }

    struct State {
        var readers: [ObjectIdentifier: HTTPReader] = [:]
        /// `true` after the first segment. Requests are then retried.
        var hasStarted = false
        var isClosed = false
        var failures = ProxyFailures()
        var playlists: ReceivedPlaylists
        var times: StreamTimes
        var delivered = DeliveredSegments()
        var numbered = NumberedSegments()
        /// The declared bit rate of the variant that the engine requested last.
        var bandwidth: Double?
        /// `nil` if the engine chooses the variants.
        var adaptation: HLSAdaptation?
    }

    /// The size of a part of a body, in bytes.
    private static let chunk = 64 << 10
    /// How often a playlist may change while it is read.
    private static let mostChanges = 3
    /// A request without bytes for this time waits for the network.
    private static let longestWait = Duration.milliseconds(100)

    /// The first part of the session's paths. Other users of the machine cannot guess it.
    let name = (0..<4).map { _ in String(UInt32.random(in: 0...UInt32.max), radix: 36) }.joined()
    let base: URL
    let stream: HLSStream
    let sendsSubtitles: Bool
    let state: Mutex<State>
    /// The refusals of segments wait here.
    private let refusals: Gate

    /// - Parameters:
    ///   - scheme: the scheme of the session's addresses. The engine has a source for it.
    ///   - hasBegun: `true` if the stream has played before, so that requests are retried from the start.
    ///   - holdsRefusals: `true` if the refusals of segments wait for `releaseRefusals`. For an engine that cannot seek after one.
    ///   - countsFromFirst: `true` for an engine that counts times from the first segment of the first playlist, those in fragmented mp4
    ///     and those of a stream that has ended. Other engines count them from the time in the first segment.
    ///   - sendsSubtitles: `false` for an engine that requests the playlists of subtitles, and then does not read them.
    ///   - limits: the limits within which the session chooses the variant of each segment; `nil` if the engine does. The engine must
    ///     receive one variant only.
    package init(
        to stream: HLSStream, scheme: String = "http", hasBegun: Bool, holdsRefusals: Bool = false,
        countsFromFirst: Bool = false, sendsSubtitles: Bool = true,
        adaptingWithin limits: HLSVariantFilter? = nil
    ) {
        self.sendsSubtitles = sendsSubtitles
        self.stream = stream
        base = URL(string: "\(scheme)://127.0.0.1:\(stream.port)/\(name)")!
        refusals = Gate(isOpen: !holdsRefusals)
        let playlists = ReceivedPlaylists(countsFromFirst: countsFromFirst)
        let times = StreamTimes(
            isDASH: stream.dash != nil, countsFromFirst: countsFromFirst,
            hasSubtitles: !stream.subtitleRenditions.isEmpty)
        let adaptation = limits.map { HLSAdaptation(stream.variants(within: $0)) }
        state = Mutex(State(hasStarted: hasBegun, playlists: playlists, times: times, adaptation: adaptation))
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
    package func releaseRefusals() { refusals.open() }

    /// The last failure that is not resolved.
    package var error: PlaybackError? { state.withLock(\.failures.error) }

    /// The reason why no bytes arrive at the moment, also if a retry follows.
    package var currentError: PlaybackError? {
        state.withLock { Array($0.readers.values) }.compactMap(\.currentError).first ?? error
    }

    /// The declared bit rate of the current variant, in bits per second; `nil` if it is unknown.
    package var indicatedBitRate: Double? { state.withLock(\.bandwidth) }

    /// `true` if the session chooses the variant of each segment.
    package var adapts: Bool { state.withLock { $0.adaptation?.hasBegun == true } }

    /// `true` after the engine received a playlist that names the last segment.
    package var isComplete: Bool { state.withLock(\.playlists.isComplete) }

    /// The last media playlist that the engine received.
    package var media: HLSPlaylist.Media? { state.withLock(\.playlists.media) }

    /// The media playlist that the engine received last, and the number of the first segment in its first version; `nil`
    /// before the first playlist of a variant.
    package var origin: (playlist: URL, segment: Int)? { state.withLock(\.playlists.origin) }

    /// `true` if a request waits for bytes for longer than a moment.
    package var isWaiting: Bool {
        state.withLock { Array($0.readers.values) }.contains { ($0.waitingTime ?? .zero) > Self.longestWait }
    }

    /// The address of a playlist for an engine that requests it over HTTP.
    package var masterAddress: URL {
        base.appending(components: Kind.master.rawValue, Self.part(of: stream.url), "master.m3u8")
    }

    /// The received part of each segment of the variants, by its number. Separate audio is not included.
    package var deliveredParts: [Int: Double] { state.withLock(\.delivered.parts) }

    /// Returns a segment, and the time in the media at its start, in seconds; `nil` if none is known.
    ///
    /// - Parameter period: the number of discontinuities before the segment; `nil` for any.
    package func clock(ofPeriod period: Int?) -> (segment: Int, time: Double)? {
        state.withLock { $0.times.clock(ofPeriod: period) }
    }

    /// Notes the time of a segment of MPEG-TS.
    private func noteClock(of segment: HLSSegment, _ bytes: [UInt8]) {
        guard segment.map == nil, !segment.isEncrypted,
            state.withLock({ !$0.times.hasClock(of: segment) }),
            let time = TransportStreamClock.first(in: bytes)
        else { return }
        state.withLock { $0.times.setClock(time, of: segment) }
    }

    /// The engine drops what it has received, because it seeks.
    package func dropDelivered() { state.withLock { $0.delivered.drop() } }

    /// The engine requests other segments, because it seeks. Earlier failures do not matter.
    package func dropFailures() { state.withLock { $0.failures.seek() } }

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
    static func part(of url: URL) -> String {
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
    ///
    /// - Parameter number: that of a segment which has no address.
    func answer(_ kind: Kind, _ url: URL, number: Int? = nil, range: String?) async -> HLSProxyResponse {
        let isReadable = url.isHTTP || url.isFileURL
        let unreadable = isReadable ? nil : PlaybackError(.addressForbidden, url: stream.url)
        if let error = stream.options.security.error(for: url, from: stream.url) ?? unreadable {
            return refuse(error, .forbidden)
        }
        switch kind {
        case .master: return playlist(stream.masterPlaylist(for: nil, through: self).bytes)
        case .forbidden: return refuse(PlaybackError(.addressForbidden, url: stream.url), .forbidden)
        case .segment: return await segment(at: url, range.flatMap(ByteRange.init))
        case .numbered, .adaptive: return await segment(number ?? -1, of: url, adapts: kind == .adaptive)
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
            do throws(PlaybackError) {
                let (bytes, address) = try await readWhole(candidate)
                stream.found(candidate, for: url)
                return playlist(HTTPHead.text(bytes), at: address, of: url)
            } catch {
                first = first ?? error
                if error.httpStatus == nil { break }
            }
        }
        return refuse(first ?? PlaybackError(.connectionFailed, url: url), .playlist)
    }

    private func playlist(of dash: DASHPlaylists, at url: URL) async -> HLSProxyResponse {
        do throws(PlaybackError) {
            let playlist = try await dash.playlist(at: url, read: readWhole)
            state.withLock { $0.times.start = $0.times.start ?? playlist.start }
            return self.playlist(playlist.text, at: stream.url, of: url)
        } catch {
            return refuse(error, error.code == .addressForbidden ? .forbidden : .playlist)
        }
    }

    /// Reads a manifest, a playlist, an index or an initialization. Reads it again if it changes meanwhile, as live playlists do.
    func readWhole(_ url: URL, _ range: ByteRange? = nil) async throws(PlaybackError) -> (bytes: [UInt8], url: URL) {
        if let error = stream.options.security.error(for: url, from: stream.url) { throw error }
        var changes = 0
        while true {
            let reader = await reader(for: url, range)
            defer { done(reader) }
            let bytes = await reader.whole(upTo: MediaProbe.playlistLimit)
            if let bytes, let head = reader.head { return (bytes, head.url) }
            changes += 1
            guard reader.hasChanged, changes <= Self.mostChanges else {
                throw reader.error ?? PlaybackError(.invalidResponse, url: url)
            }
        }
    }

    /// - Parameters:
    ///   - url: the address of the playlist.
    ///   - variant: the address that the engine has requested.
    private func playlist(_ playlist: String, at url: URL, of variant: URL) -> HLSProxyResponse {
        if case .media(let media)? = HLSPlaylist(playlist, url: url) {
            if media.isProtected { return refuse(.protected(stream.url), .playlist) }
            let isVariant = stream.media != nil || stream.variants.contains { $0.url == variant }
            state.withLock {
                $0.playlists.add(media, of: variant, isVariant: isVariant)
                $0.failures.resolvePlaylists()
                if isVariant { $0.delivered.add(media.segments) }
            }
            let text = numbered(playlist, media.segments, at: url, named: variant) ?? rewritten(playlist, at: url)
            guard isVariant else { return self.playlist(Array(text.utf8)) }
            let version = state.withLock { $0.playlists.version(of: variant, media, text) }
            return self.playlist(Array(version.utf8))
        }
        return self.playlist(Array(rewritten(playlist, at: url).utf8))
    }

    private func rewritten(_ playlist: String, at url: URL) -> String {
        PlaylistRewriter.rewritten(playlist, at: url) { address(of: $0, $1, from: url) }
    }

    private func playlist(_ bytes: [UInt8]) -> HLSProxyResponse {
        let body = Mutex<[UInt8]?>(bytes)
        return HLSProxyResponse(
            fields: ["Content-Type": "application/vnd.apple.mpegurl"], size: bytes.count,
            next: { body.withLock { $0.take() } })
    }

    /// - Parameters:
    ///   - own: the segment of the engine's playlist, if the engine has requested it by its number.
    ///   - initialization: the bytes before those of the segment.
    func segment(
        at url: URL, _ range: ByteRange?, as own: (segment: HLSSegment, playlist: URL)? = nil,
        after initialization: [UInt8] = []
    ) async -> HLSProxyResponse {
        let part = own?.segment.part ?? HLSSegment.Part(url: url, start: range?.first ?? 0)
        let (seeks, failure) = state.withLock { ($0.failures.seeks, $0.playlists.failure(of: part)) }
        let reader = await reader(for: url, range)
        guard let head = reader.head else {
            done(reader)
            return await refuseSegment(reader.error ?? PlaybackError(.connectionFailed, url: url), failure, seeks)
        }
        state.withLock { $0.hasStarted = true }
        // The reader has the range also if the server sends the whole file.
        let end = [range?.last.map { $0 + 1 }, head.size].compactMap(\.self).min()
        let isPart = range != nil && end != nil && own == nil
        var response = HLSProxyResponse(status: isPart ? 206 : 200, size: nil)
        if !head.contentType.isEmpty { response.fields["Content-Type"] = head.contentType }
        if let end {
            let start = min(range?.first ?? 0, end)
            let size = head.size.map(String.init) ?? "*"
            if isPart { response.fields["Content-Range"] = "bytes \(start)-\(max(end, 1) - 1)/\(size)" }
            response.size = Int(end - start) + initialization.count
        }
        let size = response.size.map { $0 - initialization.count }
        let segment = state.withLock { state in
            // Those of renditions are not counted.
            let isCounted = own.map { !state.playlists.isRendition($0.playlist) } ?? true
            let segment = isCounted ? own?.segment ?? state.delivered.segment(of: part) : nil
            state.delivered.begin(segment?.number, size: size)
            return segment
        }
        let number = segment?.number
        let clock = clock(of: url, own)
        let beginning = Mutex(clock?.pass(initialization) ?? initialization)
        response.next = { [weak self] in
            let first = beginning.withLock { bytes in
                defer { bytes = [] }
                return bytes
            }
            if !first.isEmpty { return first }
            while let bytes = await reader.next(Self.chunk) {
                self?.state.withLock { $0.delivered.received(bytes.count, of: number) }
                guard let clock else {
                    if let segment { self?.noteClock(of: segment, bytes) }
                    return bytes
                }
                // A part without bytes would end the body.
                let moved = clock.pass(bytes)
                if !moved.isEmpty { return moved }
            }
            if let rest = clock?.finish(), !rest.isEmpty { return rest }
            // A body that is cut short must break the connection. Otherwise the engine waits for the rest forever.
            guard reader.hasEnded else { throw reader.error ?? CancellationError() }
            self?.state.withLock { $0.delivered.completed(number) }
            return nil
        }
        response.close = { [weak self] in
            // Not under the lock: the clock asks for its shift.
            let clock = clock as? FragmentClock
            let scales = clock?.scales
            self?.state.withLock {
                if let clock, let scales { $0.times.scales[clock.name] = scales }
                if reader.hasEnded { $0.failures.resolve(failure) }
                if let error = reader.error { $0.failures.add(error, failure, seeks: seeks) }
            }
            self?.done(reader)
        }
        return response
    }

    /// - Parameter seeks: the number of seeks when it was requested; `nil` if they do not matter.
    func refuse(
        _ error: PlaybackError, _ failure: ProxyFailures.Kind, _ seeks: Int? = nil
    ) -> HLSProxyResponse {
        state.withLock { $0.failures.add(error, failure, seeks: seeks) }
        let status = error.code == .addressForbidden ? 403 : error.httpStatus ?? 502
        return HLSProxyResponse(status: status)
    }

    /// Refuses a segment when the engine may receive that.
    ///
    /// - Parameter seeks: the number of seeks when it was requested.
    func refuseSegment(
        _ error: PlaybackError, _ failure: ProxyFailures.Kind, _ seeks: Int
    ) async -> HLSProxyResponse {
        let response = refuse(error, failure, seeks)
        await refusals.wait()
        return response
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
    var withoutFragment: URL {
        URL(string: String(absoluteString.prefix { $0 != "#" })) ?? self
    }
}
