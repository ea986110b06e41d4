import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request over `URLSession`: bounded in time and size, and redirected only as far as is allowed.
package final class HTTPFetch: NSObject, URLSessionDataDelegate {
    package struct Answer: Sendable {
        package let status: Int
        /// Empty if the status is no success.
        package let body: Data
        /// Where the answer came from, after redirects.
        package let url: URL
    }

    package enum Failure: Error, Hashable {
        /// A sentence that says how the server could not be reached.
        case network(reason: String)
        /// The body is longer than the limit.
        case tooLong
    }

    /// Where a server may send the request on to.
    package enum Redirects: Sendable {
        /// To itself: what the request carries is not for others.
        case sameOrigin
        /// To any server.
        case anyServer
        /// As far as a policy allows.
        case allowed(by: MediaSecurityPolicy)
    }

    private typealias Outcome = Result<Answer, Failure>

    private struct State {
        var status = 0
        var body = Data()
        var url: URL
        var redirects = 0
        var outcome: Outcome?
        var waiting: CheckedContinuation<Outcome, Never>?
    }

    private static let redirectLimit = 5

    private let origin: URL
    private let limit: Int
    private let redirects: Redirects
    private let state: Mutex<State>
    /// `true` once the request is over. FoundationNetworking traps on an answer to a cancelled request, so both happen
    /// under this lock.
    private let isClosed = Mutex(false)

    private init(_ url: URL, limit: Int, redirects: Redirects) {
        origin = url
        self.limit = limit
        self.redirects = redirects
        state = Mutex(State(url: url))
    }

    /// - Parameters:
    ///   - limit: of the body, in bytes; a longer one throws `tooLong`.
    ///   - timeout: from now to the last byte.
    package static func answer(
        to request: URLRequest, upTo limit: Int, within timeout: Duration, redirects: Redirects
    ) async throws(Failure) -> Answer {
        guard let url = request.url else { throw .network(reason: "There is no address.") }
        let fetch = HTTPFetch(url, limit: limit, redirects: redirects)
        var request = request
        // Later than the watchdog: FoundationNetworking cuts it to whole seconds and restarts it with each byte.
        request.timeoutInterval = (timeout / .seconds(1)).rounded(.up) + 1
        let session = URLSession(configuration: .unremembering, delegate: fetch, delegateQueue: nil)
        defer { fetch.close(session) }
        let watchdog = Task {
            try await Task.sleep(for: timeout)
            fetch.fail(URLError(.timedOut))
        }
        defer { watchdog.cancel() }
        let task = session.dataTask(with: request)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                fetch.begin(waiting)
                task.resume()
            }
        } onCancel: {
            fetch.fail(URLError(.cancelled))
        }
        return try outcome.get()
    }

    private func begin(_ waiting: CheckedContinuation<Outcome, Never>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiting = waiting }
            return state.outcome
        }
        if let outcome { waiting.resume(returning: outcome) }
    }

    /// The first outcome counts.
    private func end(_ outcome: Outcome) {
        let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: outcome)
    }

    private func fail(_ error: any Error) {
        end(.failure(.network(reason: Self.reason(for: error))))
    }

    private func close(_ session: URLSession) {
        isClosed.withLock { isClosed in
            isClosed = true
            session.invalidateAndCancel()
        }
    }

    private func ifOpen(_ answer: () -> Void) {
        isClosed.withLock { if !$0 { answer() } }
    }

    // MARK: URLSession

    package func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        let reason: String? =
            if !mayGo(to: request.url) {
                refusal
            } else if count > Self.redirectLimit {
                "The server redirects too often."
            } else {
                nil
            }
        ifOpen { completionHandler(reason == nil ? request : nil) }
        if let reason { end(.failure(.network(reason: reason))) }
    }

    package func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let url = response.url ?? origin
        state.withLock { state in
            state.status = status
            state.url = url
        }
        // The body of a refusal is not used.
        let isSuccess = (200..<300).contains(status)
        ifOpen { completionHandler(isSuccess ? .allow : .cancel) }
        if !isSuccess { end(.success(Answer(status: status, body: Data(), url: url))) }
    }

    package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = state.withLock { state in
            state.body += data
            return state.body.count > limit
        }
        guard isTooLong else { return }
        end(.failure(.tooLong))
        dataTask.cancel()
    }

    package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return fail(error) }
        let answer = state.withLock { Answer(status: $0.status, body: $0.body, url: $0.url) }
        end(.success(answer))
    }

    private var refusal: String {
        switch redirects {
        case .sameOrigin: "The server redirects to another one, which must not see this request."
        case .anyServer, .allowed: "The server redirects to an address that is not allowed."
        }
    }

    private func mayGo(to url: URL?) -> Bool {
        switch redirects {
        case .sameOrigin: url?.hasOrigin(of: origin) == true
        case .anyServer: url?.isHTTP == true
        case .allowed(let policy): url.map { $0.isHTTP && policy.error(for: $0, from: origin) == nil } ?? false
        }
    }

    private static func reason(for error: any Error) -> String {
        switch (error as? URLError)?.code {
        case .timedOut: "The server did not answer in time."
        case .cannotConnectToHost: "The server refused the connection."
        case .cannotFindHost, .dnsLookupFailed: "Unknown host."
        case .notConnectedToInternet: "There is no network."
        case .networkConnectionLost: "The connection was lost."
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
            "The secure connection failed."
        case .cancelled: "The request was cancelled."
        default: "The connection to the server failed."
        }
    }
}

extension URL {
    /// Scheme, host and port are the same, by RFC 6454.
    fileprivate func hasOrigin(of other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host()?.lowercased() == other.host()?.lowercased()
            && effectivePort == other.effectivePort
    }

    private var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}

extension URLSessionConfiguration {
    /// Keeps nothing: no cookies, no cache, no passwords.
    fileprivate static var unremembering: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        return configuration
    }
}
