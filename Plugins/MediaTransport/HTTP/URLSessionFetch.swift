#if !VLC && !GStreamer
import Foundation
import Playback
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPFetch {
    package static func answer(to request: Request) async throws(Failure) -> Answer {
        try await URLSessionFetch.answer(to: request)
    }
}

/// One request over `URLSession`.
private final class URLSessionFetch: NSObject, URLSessionDataDelegate {
    private typealias Outcome = Result<HTTPFetch.Answer, HTTPFetch.Failure>

    private struct State {
        var status = 0
        var body = Data()
        var url: URL
        var redirects = 0
    }

    private let request: HTTPFetch.Request
    private let state: Mutex<State>
    /// The first outcome counts.
    private let outcomes: AsyncStream<Outcome>.Continuation
    /// `true` if the request is over. FoundationNetworking traps if a completion handler is called for a cancelled request, so
    /// both happen under this lock.
    private let isClosed = Mutex(false)

    private init(_ request: HTTPFetch.Request, _ outcomes: AsyncStream<Outcome>.Continuation) {
        self.request = request
        self.outcomes = outcomes
        state = Mutex(State(url: request.url))
    }

    static func answer(to request: HTTPFetch.Request) async throws(HTTPFetch.Failure) -> HTTPFetch.Answer {
        let (outcomes, continuation) = AsyncStream<Outcome>.makeStream()
        let fetch = URLSessionFetch(request, continuation)
        let timeout = request.timeout
        var urlRequest = URLRequest(url: request.url)
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        // Later than the watchdog: FoundationNetworking cuts it to whole seconds and restarts it with each byte.
        urlRequest.timeoutInterval = (timeout / .seconds(1)).rounded(.up) + 1
        let session = URLSession(configuration: .withoutMemory, delegate: fetch, delegateQueue: nil)
        defer { fetch.close(session) }
        let watchdog = Task {
            try await Task.sleep(for: timeout)
            fetch.fail(URLError(.timedOut))
        }
        defer { watchdog.cancel() }
        session.dataTask(with: urlRequest).resume()
        for await outcome in outcomes { return try outcome.get() }
        throw .network(reason: reason(for: URLError(.cancelled)))
    }

    private func end(_ outcome: Outcome) { outcomes.yield(outcome) }

    private func fail(_ error: any Error) { end(.failure(.network(reason: Self.reason(for: error)))) }

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

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        let reason: String? =
            if !mayGo(to: newRequest.url) {
                request.redirects.refusal
            } else if count > HTTPFetch.redirectLimit {
                "The server redirects too often."
            } else {
                nil
            }
        ifOpen { completionHandler(reason == nil ? newRequest : nil) }
        if let reason { end(.failure(.network(reason: reason))) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let url = response.url ?? request.url
        state.withLock { state in
            state.status = status
            state.url = url
        }
        // The body of an error is not needed.
        let isSuccess = (200..<300).contains(status)
        ifOpen { completionHandler(isSuccess ? .allow : .cancel) }
        if !isSuccess { end(.success(HTTPFetch.Answer(status: status, body: Data(), url: url))) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = state.withLock { state in
            state.body += data
            return state.body.count > request.limit
        }
        guard isTooLong else { return }
        end(.failure(.tooLong))
        dataTask.cancel()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return fail(error) }
        let answer = state.withLock { HTTPFetch.Answer(status: $0.status, body: $0.body, url: $0.url) }
        end(.success(answer))
    }

    private func mayGo(to url: URL?) -> Bool {
        switch request.redirects {
        case .sameOrigin: url?.hasOrigin(of: request.url) == true
        case .anyServer: url.map { $0.isHTTP && request.security.error(for: $0, from: request.url) == nil } == true
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

extension URLSessionConfiguration {
    /// A configuration without cookies, cache and passwords.
    fileprivate static var withoutMemory: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        return configuration
    }
}
#endif
