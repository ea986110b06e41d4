import FlowplayerSDK
import Foundation
import MediaTransport
import Playback

/// The requests for advertisements: documents and trackers.
///
/// The policies of the item apply to its advertisements: they may not open an address that the item may not open.
struct AdTransport: Sendable {
    enum Failure: Error, Hashable {
        /// The policy forbids the address.
        case forbidden
        /// The answer is longer than the limit.
        case tooLong
        /// The server did not answer in time, or the task was cancelled.
        case timeout
        /// The server cannot be reached, or refuses the request.
        case refused
    }

    typealias Send = @Sendable (HTTPFetch.Request) async throws(HTTPFetch.Failure) -> HTTPFetch.Answer

    let security: MediaSecurityPolicy
    let retry: RetryPolicy
    let clock: any PlaybackClock
    /// Sends one request.
    let send: Send

    /// - Parameters:
    ///   - item: the item whose policies apply; `nil` for the default ones.
    ///   - send: sends one request; `nil` for HTTP.
    init(for item: PlayerItem? = nil, clock: any PlaybackClock = ContinuousClock(), send: Send? = nil) {
        security = item?.securityPolicy ?? .standard
        retry = item?.retryPolicy ?? .standard
        self.clock = clock
        self.send = send ?? Self.sendByHTTP
    }

    private static let sendByHTTP: Send = { (request) async throws(HTTPFetch.Failure) in
        try await HTTPFetch.answer(to: request)
    }

    /// The transport for the session of a stream.
    init(for media: MediaDAI, clock: any PlaybackClock, send: Send?) {
        var item = PlayerItem(url: URL(filePath: "/"))
        (item.securityPolicy, item.retryPolicy) = (media.securityPolicy, media.retryPolicy)
        self.init(for: item, clock: clock, send: send)
    }

    /// Returns the body at an address.
    func body(at url: URL, from origin: URL?, upTo limit: Int, within timeout: Duration) async throws(Failure) -> Data {
        try await answer(at: url, from: origin, upTo: limit, within: timeout).body
    }

    /// Returns the answer of an address, which is not an error. Requests that fail are repeated within the time. A cancelled task ends
    /// at once.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - origin: the document that names the address; `nil` if the host names it.
    ///   - limit: the largest body, in bytes.
    ///   - timeout: the time for all attempts.
    func answer(
        at url: URL, from origin: URL?, upTo limit: Int, within timeout: Duration
    ) async throws(Failure) -> HTTPFetch.Answer {
        guard security.error(for: url, from: origin) == nil else { throw .forbidden }
        if url.isFileURL {
            let body = try await withTimeout(timeout) { () async throws(Failure) in
                try await Self.file(url, upTo: limit)
            }
            return HTTPFetch.Answer(status: 200, body: body, url: url)
        }
        guard url.isHTTP else { throw .forbidden }
        let request = HTTPFetch.Request(url, upTo: limit, within: timeout, security: security)
        return try await withTimeout(timeout) { () async throws(Failure) in try await answer(to: request) }
    }

    /// `true` if the host may open an address for the viewer: a page or an image on a server.
    func allows(page url: URL, from origin: URL?) -> Bool {
        url.isHTTP && security.error(for: url, from: origin) == nil
    }

    /// Reads a file on another thread, which blocks if the file is on a dead network mount. A cancelled task does not wait for it.
    private static func file(_ url: URL, upTo limit: Int) async throws(Failure) -> Data {
        let (contents, continuation) = AsyncStream.makeStream(of: Data.self)
        DispatchQueue.global(qos: .userInitiated).async {
            continuation.yield(LocalFile.beginning(of: url, limit + 1))
        }
        guard let data = await contents.first(where: { _ in true }) else { throw .timeout }
        if data.isEmpty { throw .refused }
        if data.count > limit { throw .tooLong }
        return data
    }

    private func answer(to request: HTTPFetch.Request) async throws(Failure) -> HTTPFetch.Answer {
        let start = clock.hostTime
        var attempt = 0
        while true {
            let failure: PlaybackError
            do throws(HTTPFetch.Failure) {
                let answer = try await send(request)
                if answer.status < 400 { return answer }
                failure = PlaybackError(httpStatus: answer.status, url: request.url)
            } catch {
                guard case .network(let code, _) = error else { throw .tooLong }
                failure = PlaybackError(code, url: request.url)
            }
            let elapsed = (clock.hostTime - start).inSeconds
            // An attempt after the time-out would only hide this failure.
            guard !Task.isCancelled, let delay = retry.delay(before: attempt, after: failure, elapsed: elapsed),
                elapsed + delay < request.timeout.inSeconds,
                (try? await clock.sleep(for: .seconds(delay))) != nil
            else { throw failure.code == .timedOut ? .timeout : .refused }
            attempt += 1
        }
    }

    /// Ends the work when the time is over.
    private func withTimeout<Result: Sendable>(
        _ timeout: Duration, _ work: @escaping @Sendable () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let (expiry, continuation) = AsyncStream<Void>.makeStream()
        // The timer runs before the request is sent.
        let timer = await clock.schedule(at: clock.hostTime + timeout) { continuation.finish() }
        let first = await withTaskGroup(of: Swift.Result<Result, Failure>.self) { group in
            group.addTask {
                do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                for await _ in expiry {}
                return .failure(.timeout)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.timeout)
        }
        await timer.cancel()
        if Task.isCancelled { throw .timeout }
        return try first.get()
    }
}
